// How large trees of directories are, as du tells: a task for each directory, spawned by the one
// that finds it.
//
// What counts are the bytes of regular files; one with several hard links counts each time.
// Symbolic links below the given paths are neither followed nor counted. What cannot be read is
// reported and left out. Each task has the node of its directory to itself, so that tasks share
// nothing; the nodes are added up at the end. The serial walk keeps no nodes, which is less work.
//
// A first walk, which is not timed, leaves the directories in the system's cache, where both that
// are timed find them.
//
// Work O(e), for e entries. Span O(the most entries of the directories on one path down).
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>
#include <furca/sort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <list>
#include <span>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Totals {
  std::uintmax_t bytes = 0;
  std::size_t files = 0, directories = 0;
  bool operator==(const Totals&) const = default;
};

/// A given path as if a directory had listed it. If it is gone by now, asking the entry tells.
fs::directory_entry entry_of(const fs::path& path) {
  std::error_code ignored;
  return fs::directory_entry(path, ignored);
}

struct Problem {
  fs::path path;
  std::error_code error;
};

struct Node {
  explicit Node(fs::path where) : path(std::move(where)) {}
  fs::path path;
  Totals totals;  // its own, later with all below
  std::vector<Problem> problems;
  std::list<Node> children;  // nodes stay where they are while more are found
};

/// Counts it if it is a regular file. What went wrong, if anything.
std::error_code add_file(Totals& sum, const fs::directory_entry& entry) {
  std::error_code error;
  if (!entry.is_regular_file(error)) return error;
  const std::uintmax_t size = entry.file_size(error);
  if (error) return error;
  sum.bytes += size;
  ++sum.files;
  return error;
}

/// One directory; those that are in it are left to tasks.
void visit(Node& node, furca::Scope& scope) {
  ++node.totals.directories;
  std::error_code error;
  std::error_code ignored;
  for (fs::directory_iterator at(node.path, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (at->is_symlink(ignored)) continue;
    if (at->is_directory(ignored)) {
      Node& child = node.children.emplace_back(at->path());
      scope.spawn([&child, &scope] { visit(child, scope); });
    } else if (const std::error_code problem = add_file(node.totals, *at)) {
      node.problems.push_back({at->path(), problem});
    }
  }
  if (error) node.problems.push_back({node.path, error});
}

void add_up(Node& node) {
  for (Node& child : node.children) {
    add_up(child);
    node.totals.bytes += child.totals.bytes;
    node.totals.files += child.totals.files;
    node.totals.directories += child.totals.directories;
  }
}

/// A tree for each root, which may be a file.
std::list<Node> walk_in_parallel(const std::vector<fs::path>& roots) {
  std::list<Node> trees;
  furca::scope([&](furca::Scope& scope) {
    for (const fs::path& root : roots) {
      Node& tree = trees.emplace_back(root);
      std::error_code ignored;
      if (fs::is_directory(root, ignored)) {
        scope.spawn([&tree, &scope] { visit(tree, scope); });
      } else if (const std::error_code problem = add_file(tree.totals, entry_of(root))) {
        tree.problems.push_back({root, problem});
      }
    }
  });
  for (Node& tree : trees) add_up(tree);
  return trees;
}

/// The same totals as the standard library walks. It ends at the first error but for directories
/// that must not be read.
Totals walk_serially(const fs::path& root) {
  Totals sum;
  std::error_code error;
  std::error_code ignored;
  if (!fs::is_directory(root, ignored)) {
    add_file(sum, entry_of(root));
    return sum;
  }
  ++sum.directories;
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_symlink(ignored)) continue;
    if (at->is_directory(ignored)) {
      ++sum.directories;
    } else {
      add_file(sum, *at);
    }
  }
  return sum;
}

std::vector<Totals> walk_serially(const std::vector<fs::path>& roots) {
  std::vector<Totals> sums;
  for (const fs::path& root : roots) sums.push_back(walk_serially(root));
  return sums;
}

void report_problems(const Node& node) {
  for (const Problem& problem : node.problems)
    std::fprintf(stderr, "skipped: %s: %s\n", problem.path.c_str(),
                 problem.error.message().c_str());
  for (const Node& child : node.children) report_problems(child);
}

void list_directories(const Node& node, std::vector<const Node*>& list) {
  if (node.totals.directories > 0) list.push_back(&node);
  for (const Node& child : node.children) list_directories(child, list);
}

void print(const std::list<Node>& trees, std::size_t top) {
  std::vector<const Node*> largest;
  for (const Node& tree : trees) {
    report_problems(tree);
    list_directories(tree, largest);
    std::printf("%s: %ju bytes in %zu files, %zu directories\n", tree.path.c_str(),
                tree.totals.bytes, tree.totals.files, tree.totals.directories);
  }
  const auto end = largest.begin() + static_cast<std::ptrdiff_t>(std::min(top, largest.size()));
  furca::partial_sort(largest, end, [](const Node* a, const Node* b) {
    return std::tie(b->totals.bytes, a->path) < std::tie(a->totals.bytes, b->path);
  });
  for (const Node* node : std::span(largest.begin(), end))
    std::printf("%14ju %s\n", node->totals.bytes, node->path.c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  examples::Arguments arguments(argc, argv,
                                "usage: dirsize [--top DIRECTORIES] [PATH...]\n"
                                "Prints how many bytes the files below each PATH have (default .), "
                                "and the largest directories\n"
                                "(default 10) with all that is below them.\n");
  const std::size_t top = arguments.option("--top", 10, 1, 1'000'000);
  std::vector<fs::path> roots;
  for (const std::string& root : arguments.rest()) roots.emplace_back(root);
  if (roots.empty()) roots.emplace_back(".");

  for (const fs::path& root : roots) {
    std::error_code error;
    if (fs::exists(root, error)) continue;
    if (!error) error = std::make_error_code(std::errc::no_such_file_or_directory);
    std::fprintf(stderr, "error: %s: %s\n", root.c_str(), error.message().c_str());
    return 2;
  }

  walk_in_parallel(roots);  // untimed: after it both find the directories in the system's cache
  std::vector<Totals> serial;
  std::list<Node> parallel;
  const double serial_time = examples::seconds([&] { serial = walk_serially(roots); });
  const double parallel_time = examples::seconds([&] { parallel = walk_in_parallel(roots); });
  print(parallel, top);
  const auto same = [](const Node& tree, const Totals& sum) { return tree.totals == sum; };
  if (!std::equal(parallel.begin(), parallel.end(), serial.begin(), serial.end(), same))
    return examples::disagreement("some total, unless files came or went meanwhile");
  examples::print_comparison(serial_time, parallel_time);
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "error: %s\n", problem.what());
  return 1;
}
