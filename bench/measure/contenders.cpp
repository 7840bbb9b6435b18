#include "contenders.hpp"

#ifdef FURCA_BENCH_TBB
#include <oneapi/tbb/version.h>
#endif

namespace bench {

std::vector<std::string> runtimes() {
#ifdef FURCA_BENCH_TBB
  return {"furca " FURCA_BENCH_VERSION, std::string("oneTBB ") + TBB_runtime_version()};
#else
  return {"furca " FURCA_BENCH_VERSION, "no oneTBB"};
#endif
}

}  // namespace bench
