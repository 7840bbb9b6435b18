// Bulk algorithms on a pool's own scheduler.
#pragma once

#include <furca/plugs/jobs.hpp>
#include <furca/plugs/senders.hpp>

#include <exception>

namespace furca::plugs {

/// Completion signatures, and further ones that are not there.
template <class Signatures, class... New>
struct Plus : std::type_identity<Signatures> {};
template <template <class...> class List, class... Old, class New, class... More>
struct Plus<List<Old...>, New, More...>
    : Plus<std::conditional_t<(std::is_same_v<Old, New> || ...), List<Old...>, List<Old..., New>>,
           More...> {};

/// A bulk algorithm whose child completes on a thread of a pool: that thread calls, and the others
/// help it. Nothing is allocated. A stop that is requested meanwhile ends it with set_stopped; an
/// exception, which is that of serial execution, with set_error.
template <class SenderTag, bool chunked, bool parallel, class Shape, class F, class Child>
struct Bulk {
  using Names = SenderLibrary<SenderTag>;
  using sender_concept = SenderTag;

  template <class Receiver>
  struct ChildReceiver {
    using receiver_concept = typename Names::ReceiverTag;

    template <class... T>
    void set_value(T&&... values) noexcept {
      const auto token = Names::stop_token(receiver);
      const auto call = [&](Shape lo, Shape hi) {
        for (Shape next; lo < hi && !token.stop_requested(); lo = next) {
          next = chunked ? hi : static_cast<Shape>(lo + 1);
          if constexpr (chunked)
            f(Shape(lo), Shape(next), values...);
          else
            f(Shape(lo), values...);
        }
      };
      std::exception_ptr thrown;
      try {
        parallel ? for_bulk(shape, chunked, call) : call(Shape{}, shape);
      } catch (...) {
        thrown = std::current_exception();
      }
      if (thrown != nullptr) return Names::set_error(std::move(receiver), std::move(thrown));
      if (token.stop_requested()) return Names::set_stopped(std::move(receiver));
      Names::set_value(std::move(receiver), std::forward<T>(values)...);
    }
    template <class E>
    void set_error(E&& e) noexcept {
      Names::set_error(std::move(receiver), std::forward<E>(e));
    }
    void set_stopped() noexcept { Names::set_stopped(std::move(receiver)); }
    auto get_env() const noexcept { return Names::get_env(receiver); }

    Shape shape;
    F f;
    Receiver receiver;
  };

  template <class, class... Env>
  static consteval auto get_completion_signatures() {
    using Old = typename Names::template Signatures<Child, Env...>;
    return typename Plus<Old, typename Names::Error, typename Names::Stopped>::type();
  }
  template <class Receiver>
  auto connect(Receiver receiver) && {
    return Names::connect(std::move(child),
                          ChildReceiver<Receiver>{shape, std::move(f), std::move(receiver)});
  }
  auto get_env() const noexcept { return Names::get_env(child); }

  Shape shape;
  F f;
  Child child;
};

/// The domain of a pool's own scheduler: how its bulk algorithms run.
template <class SenderTag>
struct BulkDomain {
  using Names = SenderLibrary<SenderTag>;

  template <class Sender, class Env>
    requires(Names::template is_bulk<Sender>)
  static auto transform_sender(typename Names::SetValue, Sender&& sender, const Env&) {
    auto [tag, data, child] = std::forward<Sender>(sender);
    auto [policy, shape, f] = std::move(data);
    return Bulk<SenderTag, Names::template is_chunked<Sender>,
                Names::template is_parallel<decltype(policy)>, decltype(shape), decltype(f),
                decltype(child)>{shape, std::move(f), std::move(child)};
  }
};

}  // namespace furca::plugs
