#include "site.hpp"

#include "../system/mutex.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace furca::detail {

namespace {

constexpr std::size_t kSites = 4'096;
constinit Mutex sites_mutex;  // guards what follows
constinit Site sites[kSites] = {};
constinit std::size_t sites_known = 0;

constinit const Site unknown_site = {"call", "", "", 0, 0};

/// The numbers, from 1 on, of the sites that the calling thread has asked for last, by line.
/// Numbers, because each thread of each plugin with a furca of its own has this table.
constexpr std::size_t kCached = 64;
constinit thread_local std::uint16_t cache[kCached] = {};
static_assert(kSites <= UINT16_MAX);

bool same(const char* a, const char* b) noexcept { return a == b || std::strcmp(a, b) == 0; }

bool same(const Site& site, const char* call, const char* file, std::uint32_t line,
          std::uint32_t column) noexcept {
  return site.line == line && site.column == column && same(site.file, file) &&
         same(site.call, call);
}

/// A copy, or the one that there is already: the caller's own is gone when its library is unloaded.
/// Null: no memory. Under the mutex.
const char* kept(const char* text, const char* Site::* which) noexcept {
  Site* const end = sites + sites_known;
  const Site* const known = std::find_if(
      sites, end, [&](const Site& site) { return std::strcmp(site.*which, text) == 0; });
  return known != end ? known->*which : strdup(text);
}

}  // namespace

const char* Site::file_name() const noexcept {
  const char* const slash = std::strrchr(file, '/');
  return slash != nullptr ? slash + 1 : file;
}

const Site* Site::of(const char* call, const char* file, const char* function, std::uint32_t line,
                     std::uint32_t column) noexcept {
  std::uint16_t& cached = cache[(line * 7 + column) % kCached];
  if (cached != 0) {
    const Site& last = sites[cached - 1];
    if (same(last, call, file, line, column)) return &last;
  }
  const std::lock_guard lock(sites_mutex);
  Site* const end = sites + sites_known;
  Site* const known = std::find_if(
      sites, end, [&](const Site& site) { return same(site, call, file, line, column); });
  if (known == end) {
    if (sites_known == kSites) return &unknown_site;
    const char* const call_kept = kept(call, &Site::call);
    const char* const file_kept = kept(file, &Site::file);
    const char* const function_kept = kept(function, &Site::function);
    if (call_kept == nullptr || file_kept == nullptr || function_kept == nullptr)
      return &unknown_site;
    *end = {call_kept, file_kept, function_kept, line, column};
    ++sites_known;
  }
  cached = static_cast<std::uint16_t>(known - sites + 1);
  return known;
}

}  // namespace furca::detail
