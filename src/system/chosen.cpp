// The system that is compiled for: a file for each facility, from its own folder, or from that of
// several systems. Which one is asked here, and nowhere else.
#if defined(__linux__) && !defined(FURCA_PORTABLE)
#include "linux/blocks.cpp"
#include "linux/cgroup.cpp"
#include "linux/futex.cpp"
#include "linux/large_memory.cpp"
#include "linux/placement.cpp"
#include "linux/process_facts.cpp"
#include "linux/process_fence.cpp"
#include "linux/processors.cpp"
#include "linux/thread_facts.cpp"
#include "linux/topology.cpp"
#include "posix/process.cpp"
#include "posix/thread.cpp"
#elif defined(_WIN32)
#include "portable/blocks.cpp"
#include "portable/large_memory.cpp"
#include "windows/futex.cpp"
#include "windows/placement.cpp"
#include "windows/process.cpp"
#include "windows/process_fence.cpp"
#include "windows/processors.cpp"
#include "windows/thread.cpp"
#else
#if defined(__EMSCRIPTEN__)
#include "wasm/futex.cpp"
#elif __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__ >= 140400
#include "darwin/futex.cpp"
#else
#include "portable/futex.cpp"
#endif
#if defined(__APPLE__)
#include "darwin/process_facts.cpp"
#include "darwin/thread_facts.cpp"
#else
#include "portable/process_facts.cpp"
#include "portable/thread_facts.cpp"
#endif
#include "portable/blocks.cpp"
#include "portable/large_memory.cpp"
#include "portable/placement.cpp"
#include "portable/process_fence.cpp"
#include "portable/processors.cpp"
#include "posix/process.cpp"
#include "posix/thread.cpp"
#endif
