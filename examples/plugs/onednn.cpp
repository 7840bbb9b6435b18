// oneDNN and furca on one pool. It needs a oneDNN that was built with DNNL_CPU_RUNTIME=THREADPOOL.
#include <furca/plugs/onednn.hpp>

#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>
#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_THREADPOOL
#include <oneapi/dnnl/dnnl_threadpool.hpp>
#endif

int main() {
#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_THREADPOOL
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  furca::plugs::OneDnnPool threads;
  dnnl::stream stream = dnnl::threadpool_interop::make_stream(engine, &threads);
  stream.wait();
  std::printf("oneDNN on %d threads\n", threads.get_num_threads());
#else
  std::printf("this oneDNN has threads of its own\n");
#endif
}
