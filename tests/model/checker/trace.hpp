// A run, written down for people.
#pragma once

#include <cstddef>
#include <string>

namespace furca::model {

struct Event;

/// One line an access, one column a thread, the source on the right. `!` after a value marks a read
/// of one that was not the newest.
std::string print_trace(const Event* events, std::size_t count);

}  // namespace furca::model
