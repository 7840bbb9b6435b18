// libopencv_core_parallel_furca.so: programs with OpenCV work on furca's threads as they are. The
// environment chooses it: examples/guide/one_pool.md has the commands.
//
// OpenCV does not install the header of this interface, so its two structures are here, as
// they are in version 0 of it.
#include <furca/plugs/opencv.hpp>

#include <opencv2/core/version.hpp>

#include <cstddef>
#include <new>

namespace {

struct Api {
  std::size_t valid_size;
  unsigned min_api_version, api_version;
  unsigned opencv_major, opencv_minor, opencv_patch;
  const char* opencv_status;
  const char* description;
  int (*get_instance)(cv::parallel::ParallelForAPI** instance) noexcept;
};

// It is never destroyed: loops may run until the process ends, and OpenCV keeps the plugin loaded.
int get_instance(cv::parallel::ParallelForAPI** instance) noexcept {
  static auto* const threads = new (std::nothrow) furca::plugs::OpenCV;
  *instance = threads;
  return threads != nullptr ? 0 : -1;
}

constexpr Api kApi = {.valid_size = sizeof(Api),
                      .min_api_version = 0,
                      .api_version = 0,
                      .opencv_major = CV_VERSION_MAJOR,
                      .opencv_minor = CV_VERSION_MINOR,
                      .opencv_patch = CV_VERSION_REVISION,
                      .opencv_status = CV_VERSION_STATUS,
                      .description = "furca",
                      .get_instance = &get_instance};

}  // namespace

/// What OpenCV looks for. Null: another version of the interface was asked for.
extern "C" __attribute__((visibility("default"))) const void* opencv_core_parallel_plugin_init_v0(
    int abi_version, int api_version, void* /*reserved*/) noexcept {
  return abi_version == 0 && api_version == 0 ? &kApi : nullptr;
}
