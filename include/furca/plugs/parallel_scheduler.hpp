// C++26's parallel scheduler on furca's threads: the replacement of [exec.parschedrepl]. Include it
// after the sender library's header, in one source file of the program, which has:
//
//   auto stdexec::parallel_scheduler_replacement::query_parallel_scheduler_backend()
//       -> std::shared_ptr<parallel_scheduler_backend> {
//     return furca::plugs::parallel_scheduler<stdexec::sender_tag>();
//   }
#pragma once

#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tasks/spawning.hpp>
#include <furca/join.hpp>
#include <furca/plugs/senders.hpp>
#include <furca/threads.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <span>

namespace furca::plugs {

/// What the library calls. Work is a detached task of the global pool, behind those that are there;
/// a bulk is one that forks. It lies in the library's storage, or is allocated where that is too
/// small. What cannot be started (std::bad_alloc, and std::system_error in a pool of one) completes
/// with set_error; work that a stop comes before, with set_stopped.
/// Thread-safety: any thread.
template <class SenderTag>
class ParallelScheduler final : public SenderLibrary<SenderTag>::Backend {
  using Names = SenderLibrary<SenderTag>;
  using Receiver = typename Names::ReceiverProxy;
  using BulkReceiver = typename Names::BulkProxy;
  using Storage = std::span<std::byte>;

  template <class Work>
  static void post(Receiver& receiver, Storage storage, Work work) noexcept try {
    detail::Pool& pool = detail::started_global_pool();
    detail::need_task_thread(pool);
    void* place = storage.data();
    std::size_t room = storage.size();
    if (std::align(alignof(WorkTask<Work>), sizeof(WorkTask<Work>), place, room) != nullptr)
      detail::post_last(pool, *::new (place) WorkTask<Work>(work));
    else
      detail::Spawning<Work>::spawn(pool, work);
  } catch (...) {
    receiver.set_error(std::current_exception());
  }

  static bool stops(const auto& token) noexcept { return token && token->stop_requested(); }
  static void complete(Receiver& receiver) noexcept {
    stops(Names::stop_of(receiver)) ? receiver.set_stopped() : receiver.set_value();
  }

  /// Halved by joins down to `most`: what a call costs is not known.
  static void call(BulkReceiver& receiver, std::size_t lo, std::size_t hi, std::size_t most,
                   bool one_by_one) {
    if (hi - lo > most) {
      const std::size_t middle = lo + (hi - lo) / 2;
      join([&, lo] { call(receiver, lo, middle, most, one_by_one); },
           [&, hi] { call(receiver, middle, hi, most, one_by_one); });
      return;
    }
    const auto token = Names::stop_of(receiver);
    for (std::size_t next; lo < hi && !stops(token); lo = next)
      receiver.execute(lo, next = one_by_one ? lo + 1 : hi);
  }

  static void bulk(std::size_t n, BulkReceiver& r, Storage storage, bool one_by_one) noexcept {
    post(r, storage, [n, &r, one_by_one] {
      const std::size_t parts = num_threads() * (one_by_one ? 1024 : 64);
      call(r, 0, n, n / parts + 1, one_by_one);
      complete(r);
    });
  }

 public:
  void schedule(Receiver& r, Storage storage) noexcept override {
    post(r, storage, [&r] { complete(r); });
  }
  void schedule_bulk_chunked(std::size_t n, BulkReceiver& r, Storage s) noexcept override {
    bulk(n, r, s, false);
  }
  void schedule_bulk_unchunked(std::size_t n, BulkReceiver& r, Storage s) noexcept override {
    bulk(n, r, s, true);
  }
};

/// The backend, the same at each call. Throws std::bad_alloc.
template <class SenderTag>
std::shared_ptr<typename SenderLibrary<SenderTag>::Backend> parallel_scheduler() {
  static const auto backend = std::make_shared<ParallelScheduler<SenderTag>>();
  return backend;
}

}  // namespace furca::plugs
