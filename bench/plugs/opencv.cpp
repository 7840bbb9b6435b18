// OpenCV on its own threads and on furca's: what core and imgproc do, and short loops.
#include "timing.hpp"

#include <furca/plugs/opencv.hpp>

#include <memory>
#include <opencv2/imgproc.hpp>

int main(int, char** argv) {
  if (on_furca(argv))
    cv::parallel::setParallelForBackend(std::make_shared<furca::plugs::OpenCV>(), false);
  else
    cv::setNumThreads(2);
  cv::Mat image(1080, 1920, CV_8UC3);
  cv::randu(image, 0, 255);
  cv::Mat out;
  cv::Mat grey;
  cv::cvtColor(image, grey, cv::COLOR_BGR2GRAY);
  time_of("resize", [&] { cv::resize(image, out, {}, 0.6, 0.6, cv::INTER_CUBIC); });
  time_of("to grey", [&] { cv::cvtColor(image, out, cv::COLOR_BGR2GRAY); });
  time_of("to Lab", [&] { cv::cvtColor(image, out, cv::COLOR_BGR2Lab); });
  time_of("blur", [&] { cv::GaussianBlur(image, out, {9, 9}, 2); });
  time_of("filter", [&] { cv::bilateralFilter(grey, out, 5, 30, 2); });
  float sums[64] = {};
  time_of("64 x 1 us", [&] {
    cv::parallel_for_(cv::Range(0, 64), [&](const cv::Range& range) {
      for (int i = range.start; i < range.end; ++i) {
        float sum = 1;
        for (int k = 0; k < 250; ++k) sum = sum * 0.99F + 1;
        sums[i] = sum;
      }
    });
  });
}
