// OpenCV and furca on one pool.
#include <furca/furca.hpp>
#include <furca/plugs/opencv.hpp>

#include <cstdio>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <vector>

int main() {
  cv::parallel::setParallelForBackend(std::make_shared<furca::plugs::OpenCV>(), false);

  std::vector<cv::Mat> images(8);
  furca::parallel_for(images, [](cv::Mat& image) {  // on the threads that OpenCV has, too
    image = cv::Mat(600, 800, CV_32F, cv::Scalar(1.0));
    cv::exp(image, image);
  });
  std::printf("e is %.5f, by %d threads\n", images[7].at<float>(0, 0), cv::getNumThreads());
}
