#include "site.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace furca::detail {

namespace {

constexpr std::size_t kSites = 4'096;
constinit std::mutex sites_mutex;  // guards what follows
constinit Site sites[kSites] = {};
constinit std::size_t sites_known = 0;

constinit const Site unknown_site = {"call", "", "", 0, 0};

/// What the calling thread has asked for last, by line.
constexpr std::size_t kCached = 64;
constinit thread_local const Site* cache[kCached] = {};

bool same(const char* a, const char* b) noexcept { return a == b || std::strcmp(a, b) == 0; }

bool same(const Site& site, const char* call, const char* file, std::uint32_t line, std::uint32_t column) noexcept {
  return site.line == line && site.column == column && same(site.file, file) && same(site.call, call);
}

/// A copy, or the one that there is already: the caller's own is gone when its library is unloaded. Null: no memory. Under the mutex.
const char* kept(const char* text, const char* Site::* which) noexcept {
  Site* const end = sites + sites_known;
  const Site* const known = std::find_if(sites, end, [&](const Site& site) { return std::strcmp(site.*which, text) == 0; });
  return known != end ? known->*which : strdup(text);
}

}  // namespace

const char* Site::file_name() const noexcept {
  const char* const slash = std::strrchr(file, '/');
  return slash != nullptr ? slash + 1 : file;
}

const Site* Site::of(const char* call, const char* file, const char* function, std::uint32_t line, std::uint32_t column) noexcept {
  const Site*& cached = cache[(line * 7 + column) % kCached];
  if (cached != nullptr && same(*cached, call, file, line, column)) return cached;
  const std::lock_guard lock(sites_mutex);
  Site* const end = sites + sites_known;
  Site* const known = std::find_if(sites, end, [&](const Site& site) { return same(site, call, file, line, column); });
  if (known == end) {
    if (sites_known == kSites) return &unknown_site;
    const char* const call_kept = kept(call, &Site::call);
    const char* const file_kept = kept(file, &Site::file);
    const char* const function_kept = kept(function, &Site::function);
    if (call_kept == nullptr || file_kept == nullptr || function_kept == nullptr) return &unknown_site;
    *end = {call_kept, file_kept, function_kept, line, column};
    ++sites_known;
  }
  return cached = known;
}

}  // namespace furca::detail
