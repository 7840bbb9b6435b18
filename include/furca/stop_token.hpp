// StopToken: what asks a loop, a reduction or a scope to stop.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>

#include <concepts>
#include <new>

namespace furca {

class StopToken;

namespace detail {

/// Can be asked as a std::stop_token can.
template <class T>
concept Asked = !std::same_as<T, StopToken> && requires(const T& token) {
  token.stop_requested();
  token.stop_possible();
};

/// Asks what is elsewhere. `token` may be null: nothing asks to stop.
template <class T>
struct AskedThere {
  const T* token;

  auto stop_requested() const noexcept(noexcept(token->stop_requested())) {
    return token->stop_requested();
  }
  auto stop_possible() const noexcept(noexcept(token->stop_possible())) {
    return token != nullptr && token->stop_possible();
  }
};

}  // namespace detail

/// What a StopToken is made of: std::stop_token, and other tokens that are as small as a pointer,
/// can be asked the same, and are copied and asked without an exception.
template <class T>
concept StopSource = detail::Asked<T> && std::is_nothrow_copy_constructible_v<T> &&
                     std::is_nothrow_move_constructible_v<T> && sizeof(T) <= sizeof(void*) &&
                     alignof(T) <= alignof(void*) && requires(const T& token) {
                       { token.stop_requested() } noexcept -> std::same_as<bool>;
                       { token.stop_possible() } noexcept -> std::same_as<bool>;
                     };

/// A copy of a std::stop_token, or of one of another library's. Options have it in place of a
/// std::stop_token, so write {.stop = token}.
/// A program includes the header of std::stop_source itself. It does not become a std::stop_token
/// again: keep that where something else needs it.
///
/// Rejected: std::stop_token itself. With g++ 12 its header brings threads, semaphores, clocks and
/// streams, and takes as long to compile as all of furca's loops.
/// Thread-safety: any number of threads may ask one token.
class StopToken {
 public:
  /// Nothing ever asks to stop.
  constexpr StopToken() noexcept = default;

  /// Stops when `token` does. One that cannot be stopped now (stop_possible() is false) is not
  /// asked again.
  template <detail::Asked Token>
  StopToken(Token token) noexcept {
    constexpr bool kSource = StopSource<Token>;  // by itself: clang would explain the concept
    static_assert(kSource,
                  "furca: a token that stops is no larger than a pointer, is copied and asked with "
                  "noexcept functions, and answers with bool: give the address of a larger one, "
                  "{.stop = &token}");
    if constexpr (kSource) {
      if (!token.stop_possible()) return;
      ::new (static_cast<void*>(token_)) Token(std::move(token));
      functions_ = &kFunctionsOf<Token>;
    }
  }

  /// Stops when `*token` does: a std::stop_source, any token, or what else can be asked the same,
  /// of any size. It is asked where it is, and must live as long as this and its copies: an
  /// option's until the call has returned. Null: nothing ever asks to stop.
  ///
  /// Nothing is counted. A std::stop_token counts its owners in one word, to which each get_token()
  /// and each copy writes twice, whichever thread does: in the nodes of a parallel search that took
  /// half as long as the search. There write {.stop = &source}.
  template <class Token>
    requires(detail::Asked<Token> || std::same_as<Token, StopToken>)
  StopToken(const Token* token) noexcept : StopToken(detail::AskedThere<Token>{token}) {}

  /// Of the same source.
  /// @{
  StopToken(const StopToken& other) noexcept : functions_(other.functions_) {
    if (functions_ != nullptr) functions_->copy(token_, other.token_);
  }

  StopToken& operator=(const StopToken& other) noexcept {
    if (this == &other) return *this;
    this->~StopToken();
    return *::new (static_cast<void*>(this)) StopToken(other);
  }
  /// @}

  ~StopToken() {
    if (functions_ != nullptr) functions_->destroy(token_);
  }

  /// Has somebody asked to stop?
  bool stop_requested() const noexcept {
    return functions_ != nullptr && functions_->requested(token_);
  }

  /// May somebody ask, as it was when this was made of a token?
  bool stop_possible() const noexcept { return functions_ != nullptr; }

 private:
  struct Functions {
    bool (*requested)(const void* token) noexcept;
    void (*copy)(void* to, const void* token) noexcept;
    void (*destroy)(void* token) noexcept;
  };

  template <class Token>
  static constexpr Functions kFunctionsOf{
      [](const void* token) noexcept {
        return std::launder(static_cast<const Token*>(token))->stop_requested();
      },
      [](void* to, const void* token) noexcept {
        ::new (to) Token(*std::launder(static_cast<const Token*>(token)));
      },
      [](void* token) noexcept { std::launder(static_cast<Token*>(token))->~Token(); },
  };

  const Functions* functions_ = nullptr;  // null: it cannot be stopped
  alignas(void*) std::byte token_[sizeof(void*)] = {};
};

}  // namespace furca
