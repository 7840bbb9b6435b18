#include "pool_list.hpp"

#include "../system/mutex.hpp"

#include <cstdio>
#include <mutex>

namespace furca::detail {

namespace {

constinit Mutex mutex;  // guards what follows
constinit Listed* first_listed = nullptr;

}  // namespace

Listed::Listed(const Pool& pool) noexcept : pool_(pool) {
  const std::lock_guard lock(mutex);
  next_ = first_listed;
  to_this_ = &first_listed;
  if (next_ != nullptr) next_->to_this_ = &next_;
  first_listed = this;
}

Listed::~Listed() {
  const std::lock_guard lock(mutex);
  *to_this_ = next_;
  if (next_ != nullptr) next_->to_this_ = to_this_;
}

void for_each_pool(void (*f)(const Pool& pool)) noexcept {
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock) {
    std::fprintf(stderr, "furca: a pool starts or ends just now; try again a moment later\n");
    return;
  }
  if (first_listed == nullptr) std::fprintf(stderr, "furca: there is no pool\n");
  for (const Listed* listed = first_listed; listed != nullptr; listed = listed->next_)
    f(listed->pool_);
}

void lock_pool_list() noexcept { mutex.lock(); }
void unlock_pool_list() noexcept { mutex.unlock(); }
void unlock_pool_list_in_child() noexcept { mutex.unlock_in_child(); }

}  // namespace furca::detail
