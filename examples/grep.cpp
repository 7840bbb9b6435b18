// Lines with a given text in trees of files, as grep -rnF tells: a spawned task for each directory
// and for each file, by whoever finds it.
//
// Nobody waits for a single task: the search is over when the pool is idle. A file's lines are
// printed together, files in the order in which they are done, by a thread that is none of the
// pool's. Symbolic links below the given paths are not followed, devices and pipes passed over. A
// file with a zero byte in its first 4096 is binary and skipped. What cannot be read is reported
// and left out.
//
// For b bytes, e entries and a text of m bytes: work O(e + b m) at worst, in most texts O(e + b).
// Span O(the most entries of the directories on one path down, and the largest file), since no file
// is split.
//
// What to look at: the lines, which are those of LC_ALL=C grep -rnFI in another order, but for
// files whose first zero byte comes late.
// They are printed by a first run. The two that are timed after it find the files in the system's
// cache, and drop what they find.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = 4096;  // bytes in which a zero tells a binary file

struct Query {
  std::string text;  // in lower case if case is ignored
  bool ignore_case;
};

struct Tally {
  std::size_t lines = 0, matching = 0;  // with the text, and in how many files
  std::size_t files = 0, bytes = 0, binary = 0, unreadable = 0;
  bool operator==(const Tally&) const = default;
};

Tally add(Tally a, const Tally& b) {
  a.lines += b.lines;
  a.matching += b.matching;
  a.files += b.files;
  a.bytes += b.bytes;
  a.binary += b.binary;
  a.unreadable += b.unreadable;
  return a;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  return text;
}

/// All of a file, or the head of a binary one.
struct File {
  std::string bytes;
  bool binary = false;
  std::error_code error;
};

File read_file(const fs::path& path) {
  File file;
  const auto close = [](std::FILE* stream) { std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> in(std::fopen(path.c_str(), "rb"), close);
  if (in) {
    std::array<char, 16 * kHead> buffer;
    std::size_t want = kHead;
    while (const std::size_t got = std::fread(buffer.data(), 1, want, in.get())) {
      file.bytes.append(buffer.data(), got);
      if (want == kHead && file.bytes.find('\0') != file.bytes.npos) {
        file.binary = true;
        return file;
      }
      want = buffer.size();
    }
  }
  if (!in || std::ferror(in.get()) != 0) file.error.assign(errno, std::generic_category());
  return file;
}

/// Adds each line of `bytes` with the text to `lines`, as path:number:line. How many.
std::size_t find_lines(const Query& query, const fs::path& path, const std::string& bytes,
                       std::string& lines) {
  const std::string lowered = query.ignore_case ? lower_case(bytes) : std::string();
  const std::string_view searched = query.ignore_case ? lowered : bytes;
  std::size_t found = 0;
  std::size_t number = 1;   // of the line
  std::size_t counted = 0;  // that begins here
  for (std::size_t from = 0; from < bytes.size();) {
    const std::size_t hit = searched.find(query.text, from);
    if (hit == searched.npos) break;
    const std::size_t begin = hit > 0 ? bytes.rfind('\n', hit - 1) + 1 : 0;  // npos + 1 is 0
    const std::size_t end = std::min(bytes.find('\n', hit), bytes.size());
    number +=
        static_cast<std::size_t>(std::count(bytes.data() + counted, bytes.data() + begin, '\n'));
    counted = begin;
    lines.append(path.native()).append(":").append(std::to_string(number)).append(":");
    lines.append(bytes, begin, end - begin).append("\n");
    ++found;
    from = end + 1;
  }
  return found;
}

/// Prints what it is given, in order of arrival, on a thread of its own. The queue has no bound, so
/// that no task ever waits for a terminal.
class Printer {
 public:
  Printer() : thread_([this] { print(); }) {}

  /// When all is printed.
  ~Printer() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    arrived_.notify_one();
    thread_.join();
  }
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;

  void put(std::FILE* stream, std::string lines) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back({stream, std::move(lines)});
    }
    arrived_.notify_one();
  }

 private:
  struct Piece {
    std::FILE* stream;
    std::string lines;
  };

  void print() {
    std::vector<Piece> pieces;
    do {
      pieces.clear();
      {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return closed_ || !queue_.empty(); });
        pieces.swap(queue_);
      }
      for (const Piece& piece : pieces)
        std::fwrite(piece.lines.data(), 1, piece.lines.size(), piece.stream);
    } while (!pieces.empty());
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Piece> queue_;
  bool closed_ = false;
  std::thread thread_;
};

/// Without a printer it is dropped.
void say(Printer* printer, std::FILE* stream, std::string lines) {
  if (printer != nullptr) printer->put(stream, std::move(lines));
}

void search_file(const Query& query, const fs::path& path, Tally& tally, Printer* printer) {
  const File file = read_file(path);
  if (file.error) {
    ++tally.unreadable;
    say(printer, stderr, "skipped: " + path.native() + ": " + file.error.message() + "\n");
  } else if (file.binary) {
    ++tally.binary;
  } else {
    ++tally.files;
    tally.bytes += file.bytes.size();
    std::string lines;
    const std::size_t found = find_lines(query, path, file.bytes, lines);
    if (found == 0) return;
    ++tally.matching;
    tally.lines += found;
    say(printer, stdout, std::move(lines));
  }
}

/// `enter(path)` gets each directory in this one, `search(path)` each file. What cannot be asked
/// what it is counts as a file: opening it tells why.
template <class Enter, class Search>
void list_directory(const fs::path& directory, Tally& tally, Printer* printer, Enter enter,
                    Search search) {
  std::error_code error;
  std::error_code ignored;
  for (fs::directory_iterator at(directory, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    std::error_code unknown;
    if (at->is_symlink(ignored)) continue;
    if (at->is_directory(ignored)) {
      enter(at->path());
    } else if (at->is_regular_file(unknown) || unknown) {
      search(at->path());
    }
  }
  if (!error) return;
  ++tally.unreadable;
  say(printer, stderr, "skipped: " + directory.native() + ": " + error.message() + "\n");
}

/// One search by tasks.
class ParallelSearch {
 public:
  ParallelSearch(const Query& query, Printer* printer)
      : query_(query),
        printer_(printer),
        pool_({.exception_handler = [this](std::exception_ptr problem) {
          keep(std::move(problem));
        }}) {}

  /// Throws what a task has thrown.
  Tally run(const std::vector<fs::path>& roots) {
    for (const fs::path& root : roots) {
      std::error_code ignored;
      if (fs::is_directory(root, ignored)) {
        pool_.spawn([this, root] { visit(root); });
      } else {
        pool_.spawn([this, root] { search(root); });
      }
    }
    pool_.wait_idle();
    if (problem_) std::rethrow_exception(problem_);
    return tallies_.combine(add);
  }

 private:
  /// Tasks spawn in the pool that they run in.
  void visit(const fs::path& directory) {
    Tally tally;
    list_directory(
        directory, tally, printer_,
        [this](const fs::path& path) { furca::spawn([this, path] { visit(path); }); },
        [this](const fs::path& path) { furca::spawn([this, path] { search(path); }); });
    count(tally);
  }

  void search(const fs::path& file) {
    Tally tally;
    search_file(query_, file, tally, printer_);
    count(tally);
  }

  void count(const Tally& tally) {
    Tally& sum = tallies_.local();
    sum = add(sum, tally);
  }

  /// The first of them.
  void keep(std::exception_ptr problem) {
    const std::lock_guard lock(mutex_);
    if (!problem_) problem_ = std::move(problem);
  }

  const Query& query_;
  Printer* const printer_;
  furca::PerWorker<Tally> tallies_;
  std::mutex mutex_;
  std::exception_ptr problem_;
  furca::ThreadPool pool_;  // last, since its tasks use the others until it is gone
};

void search_serially(const Query& query, const fs::path& path, Tally& tally) {
  const auto search = [&](const fs::path& file) { search_file(query, file, tally, nullptr); };
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return search(path);
  list_directory(
      path, tally, nullptr,
      [&](const fs::path& directory) { search_serially(query, directory, tally); }, search);
}

Tally search_serially(const Query& query, const std::vector<fs::path>& roots) {
  Tally tally;
  for (const fs::path& root : roots) search_serially(query, root, tally);
  return tally;
}

}  // namespace

int main(int argc, char** argv) try {
  examples::Arguments arguments(argc, argv,
                                "usage: grep [--ignore-case] TEXT [PATH...]\n"
                                "Prints the lines with TEXT in the text files PATH or below PATH "
                                "(default .). With --ignore-case\n"
                                "the letters A to Z are those from a to z.\n");
  const bool ignore_case = arguments.flag("--ignore-case");
  std::vector<std::string> words = arguments.rest();
  if (words.empty()) arguments.fail("TEXT is missing");
  if (words.front().find('\n') != std::string::npos) arguments.fail("TEXT must be of one line");
  const Query query{ignore_case ? lower_case(words.front()) : words.front(), ignore_case};
  std::vector<fs::path> roots(words.begin() + 1, words.end());
  if (roots.empty()) roots.emplace_back(".");

  for (const fs::path& root : roots) {
    std::error_code error;
    const fs::file_status status = fs::status(root, error);
    if (fs::is_directory(status) || fs::is_regular_file(status)) continue;
    std::fprintf(stderr, "error: %s: %s\n", root.c_str(),
                 error ? error.message().c_str() : "neither a regular file nor a directory");
    return 2;
  }

  Tally printed;
  {
    Printer printer;
    printed = ParallelSearch(query, &printer).run(roots);
  }
  ParallelSearch search(query, nullptr);
  Tally serial;
  Tally parallel;
  const double serial_time = examples::seconds([&] { serial = search_serially(query, roots); });
  const double parallel_time = examples::seconds([&] { parallel = search.run(roots); });
  if (serial != printed || serial != parallel)
    return examples::disagreement("some count, unless files changed meanwhile");

  std::printf(
      "%zu lines in %zu of %zu text files, %zu bytes (skipped: %zu binary, %zu unreadable)\n",
      printed.lines, printed.matching, printed.files, printed.bytes, printed.binary,
      printed.unreadable);
  examples::print_comparison(serial_time, parallel_time);
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "error: %s\n", problem.what());
  return 1;
}
