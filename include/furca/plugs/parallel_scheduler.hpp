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
#include <furca/plugs/jobs.hpp>
#include <furca/plugs/senders.hpp>
#include <furca/plugs/work_task.hpp>

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

  static void complete(Receiver& receiver) noexcept {
    Names::stop_of(receiver).stop_requested() ? receiver.set_stopped() : receiver.set_value();
  }

  template <bool chunked>
  static void bulk(std::size_t n, BulkReceiver& receiver, Storage storage) noexcept {
    post(receiver, storage, [n, &receiver] {
      for_bulk(n, chunked, [&r = receiver](std::size_t lo, std::size_t hi) {
        const auto token = Names::stop_of(r);
        // execute(i, i + 1) alone where it is not chunked: more than the first stdexec passes over
        for (std::size_t next; lo < hi && !token.stop_requested(); lo = next)
          r.execute(lo, next = chunked ? hi : lo + 1);
      });
      complete(receiver);
    });
  }

 public:
  void schedule(Receiver& r, Storage storage) noexcept override {
    post(r, storage, [&r] { complete(r); });
  }
  void schedule_bulk_chunked(std::size_t n, BulkReceiver& r, Storage s) noexcept override {
    bulk<true>(n, r, s);
  }
  void schedule_bulk_unchunked(std::size_t n, BulkReceiver& r, Storage s) noexcept override {
    bulk<false>(n, r, s);
  }
};

/// The backend, the same at each call. It is there after static destructors, too.
template <class SenderTag>
std::shared_ptr<typename SenderLibrary<SenderTag>::Backend> parallel_scheduler() noexcept {
  using Backend = ParallelScheduler<SenderTag>;
  alignas(Backend) static std::byte place[sizeof(Backend)];
  static Backend* const backend = ::new (place) Backend;
  return {std::shared_ptr<void>(), backend};
}

}  // namespace furca::plugs
