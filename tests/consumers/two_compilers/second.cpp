#include "calls.hpp"

long second_object() {
  furca::parallel_for(0L, 1000L, Double{});
  return call_furca<2>();
}
