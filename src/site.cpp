#include "site.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>

namespace furca::detail {

namespace {

constexpr std::size_t kSites = 4'096;
constinit std::mutex sites_mutex;  // guards what follows
constinit Site sites[kSites] = {};
constinit std::size_t count = 0;

constinit const Site unknown = {"", "", 0, 0};

/// What the calling thread has asked for last, by line.
constexpr std::size_t kCached = 64;
constinit thread_local const Site* cache[kCached] = {};

}  // namespace

const char* Site::file_name() const noexcept {
  const char* const slash = std::strrchr(file, '/');
  return slash != nullptr ? slash + 1 : file;
}

const Site* Site::of(const char* file, const char* function, std::uint32_t line, std::uint32_t column) noexcept {
  if (line == 0) return &unknown;
  const Site*& cached = cache[(line * 7 + column) % kCached];
  if (cached != nullptr && cached->file == file && cached->line == line && cached->column == column) return cached;
  const std::lock_guard lock(sites_mutex);
  Site* const end = sites + count;
  Site* const known = std::find_if(sites, end, [&](const Site& site) {
    return site.line == line && site.column == column && (site.file == file || std::strcmp(site.file, file) == 0);
  });
  if (known == end) {
    if (count == kSites) return &unknown;
    *end = {file, function, line, column};
    ++count;
  }
  return cached = known;
}

}  // namespace furca::detail
