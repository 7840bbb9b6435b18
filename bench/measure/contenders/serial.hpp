#pragma once

#include "../registry.hpp"

namespace bench {

/// The reference: Workload::serial(), the plain loop or recursion as one writes it without any
/// library.
struct Serial {
  inline static const Contender kContender{"serial", "serial", true,
                                           [](unsigned, const std::function<void()>& f) { f(); }};
  static constexpr Operations kOffers = ~Operations{0};
};

}  // namespace bench
