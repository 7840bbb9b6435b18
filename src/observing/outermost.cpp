#include "outermost.hpp"

#include "../measuring/clock.hpp"
#include "../system/mutex.hpp"
#include "site.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <mutex>

namespace furca::detail {

namespace {

/// A row of the table: all outermost calls from one site.
struct Row {
  const Site* site;
  std::uint64_t calls;
  std::uint64_t elapsed;
  std::uint64_t capacity;  // elapsed, times the threads of the pool
  std::uint64_t work;
  Path longest;  // of all calls, one after the other
};

constexpr std::size_t kRows = 256;  // those that come later are counted with the last one
constinit Mutex rows_mutex;         // guards what follows
constinit Row rows[kRows] = {};
constinit std::size_t row_count = 0;

void print_site(const Site& site) noexcept {
  if (site.line != 0) {
    std::fprintf(stderr, "%s:%" PRIu32, site.file_name(), site.line);
  } else {
    std::fprintf(stderr, "(line not known)");
  }
}

}  // namespace

void outermost_ended(const Site* site, std::uint64_t elapsed, std::uint64_t threads,
                     std::uint64_t work, const Path& path) noexcept {
  const std::lock_guard lock(rows_mutex);
  Row* const end = rows + row_count;
  Row* row = std::find_if(rows, end, [&](const Row& known) { return known.site == site; });
  if (row == end) {
    if (row_count == kRows) {
      --row;
    } else {
      ++row_count;
      row->site = site;
      row->longest.clear();
    }
  }
  ++row->calls;
  row->elapsed += elapsed;
  row->capacity += elapsed * threads;
  row->work += work;
  std::uint64_t unlisted = path.length;  // what the path had no room for
  for (std::uint32_t i = 0; i < path.used; ++i) {
    row->longest.add(path.shares[i].site, path.shares[i].length);
    unlisted -= path.shares[i].length;
  }
  row->longest.length += unlisted;
}

OutermostSums outermost_sums() noexcept {
  const std::lock_guard lock(rows_mutex);
  OutermostSums sums;
  for (const Row* row = rows; row != rows + row_count; ++row) {
    sums.elapsed += row->elapsed;
    sums.work += row->work;
    sums.span += row->longest.length;
  }
  return sums;
}

void print_spans() noexcept {
  const std::lock_guard lock(rows_mutex);
  if (row_count == 0) return;
  std::sort(rows, rows + row_count,
            [](const Row& a, const Row& b) { return a.elapsed > b.elapsed; });
  const double per_millisecond = 1000.0 * static_cast<double>(ticks_per_microsecond());
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  std::fprintf(stderr,
               "furca: work and span, in ms; parallelism is work / span: so many times as fast as "
               "on one thread a call can be, on any number of them\n");
  std::fprintf(stderr,
               "furca: used is work / elapsed; lost is the share of the threads' time that was no "
               "work. How fast the plain serial code is, only a run of it tells\n");
  std::fprintf(stderr, "furca: %10s %12s %12s %12s %11s %9s %7s  %s\n", "calls", "elapsed", "work",
               "span", "parallelism", "used", "lost", "call, and what the span consists of");
  for (std::size_t i = 0; i < row_count; ++i) {
    const Row& row = rows[i];
    std::fprintf(stderr, "furca: %10" PRIu64 " %12.3f %12.3f %12.3f %11.2f %9.2f %5.0f %%  %s ",
                 row.calls, static_cast<double>(row.elapsed) / per_millisecond,
                 static_cast<double>(row.work) / per_millisecond,
                 static_cast<double>(row.longest.length) / per_millisecond,
                 ratio(row.work, row.longest.length), ratio(row.work, row.elapsed),
                 100 * std::max(0.0, 1 - ratio(row.work, row.capacity)), row.site->call);
    print_site(*row.site);
    if (const Path::Share* const most = row.longest.longest()) {
      std::fprintf(stderr, ": %.0f %% in ", 100 * ratio(most->length, row.longest.length));
      print_site(*most->site);
    }
    std::fprintf(stderr, "\n");
  }
}

}  // namespace furca::detail
