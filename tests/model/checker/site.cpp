#include "site.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace furca::model {

namespace {

const char* base_name(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

std::string Site::text() const {
  std::ifstream source(file);
  std::string found;
  std::string label;
  for (unsigned at = 0; at < line; ++at) {
    if (found.starts_with("// [")) label = found + " ";
    if (!found.starts_with("//")) label.clear();
    if (!std::getline(source, found)) return {};
    found.erase(0, std::min(found.size(), found.find_first_not_of(' ')));
  }
  return label + found;
}

std::string Site::file_name() const { return base_name(file); }

std::string_view Site::in_folder() const noexcept {
  const std::string_view path(file);
  const std::size_t folder = path.rfind('/', path.rfind('/') - 1);
  return path.substr(folder + 1);
}

std::string Site::name() const {
  std::string name = file_name() + ":" + std::to_string(line);
  const std::string source = text();
  const std::size_t comment = source.find("// [");
  if (comment != std::string::npos)
    name.append(" ").append(source, comment + 3, source.find(']', comment) - comment - 2);
  return name;
}

const char* name_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

const char* name_of(Access access) {
  switch (access) {
    case Access::load:
      return "load";
    case Access::store:
      return "store";
    case Access::rmw:
      return "rmw";
    case Access::cas:
      return "cas";
    case Access::fence:
      return "fence";
    case Access::heavy_fence:
      return "heavy fence";
    case Access::wait:
      return "wait";
    case Access::wake:
      return "wake";
    case Access::plain_read:
      return "read";
    case Access::plain_write:
      return "write";
  }
  return "?";
}

std::string Weakening::describe() const {
  std::string what = from.site.name() + " " + name_of(from.access) + " ";
  if (from.access == Access::heavy_fence) return what + "-> reaches nobody else";
  if (failure != from.failure)
    return what + "failing, " + name_of(from.failure) + " -> " + name_of(failure);
  return what + name_of(from.order) + " -> " + name_of(order);
}

std::vector<Weakening> weakenings(const OrderedSite& site) {
  std::vector<Weakening> all;
  switch (site.order) {
    case std::memory_order_relaxed:
      break;
    case std::memory_order_consume:
    case std::memory_order_acquire:
    case std::memory_order_release:
      all.push_back({site, std::memory_order_relaxed, site.failure});
      break;
    case std::memory_order_acq_rel:
      all.push_back({site, std::memory_order_acquire, site.failure});
      all.push_back({site, std::memory_order_release, site.failure});
      break;
    case std::memory_order_seq_cst:
      all.push_back({site, std::memory_order_acq_rel, site.failure});
      break;
  }
  if (acquires(site.failure)) all.push_back({site, site.order, std::memory_order_relaxed});
  return all;
}

void Sites::note_from_here_on() {
  count_ = 0;
  noting_ = watching_ = true;
}

void Sites::weaken(const std::vector<Weakening>& all) {
  weakenings_ = &all;
  noting_ = false;
  watching_ = true;
}

void Sites::leave_alone() {
  weakenings_ = nullptr;
  noting_ = watching_ = false;
}

std::vector<OrderedSite> Sites::noted() const { return {noted_, noted_ + count_}; }

void Sites::watch(OrderedSite& at) noexcept {
  if (weakenings_ != nullptr) {
    for (const Weakening& weakening : *weakenings_) {
      if (!(at == weakening.from)) continue;
      at.order = weakening.order;
      at.failure = weakening.failure;
      return;
    }
  }
  if (!noting_) return;
  for (std::size_t i = count_; i > 0; --i)
    if (noted_[i - 1] == at) return;
  if (count_ == kMost) std::abort();
  noted_[count_++] = at;
}

Sites& sites() {
  static Sites all;
  return all;
}

}  // namespace furca::model
