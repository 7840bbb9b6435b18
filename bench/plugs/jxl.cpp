// libjxl on libjxl_threads and on furca's threads.
#include "timing.hpp"

#include <furca/plugs/callbacks.hpp>

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <cstdint>
#include <vector>

int main(int, char** argv) {
  const bool furca = on_furca(argv);
  void* const own = furca ? nullptr : JxlThreadParallelRunnerCreate(nullptr, 2);
  const JxlParallelRunner runner = furca ? furca::plugs::jxl : &JxlThreadParallelRunner;
  constexpr std::size_t side = 640;
  const JxlPixelFormat format = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  std::vector<std::uint8_t> pixels(side * side * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint8_t>((i / 3 % side) ^ (i / 3 / side));
  std::vector<std::uint8_t> bytes;
  time_of("encode", [&] {
    JxlEncoder* const encoder = JxlEncoderCreate(nullptr);
    JxlEncoderSetParallelRunner(encoder, runner, own);
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = info.ysize = side;
    info.bits_per_sample = 8;
    JxlEncoderSetBasicInfo(encoder, &info);
    JxlColorEncoding color;
    JxlColorEncodingSetToSRGB(&color, JXL_FALSE);
    JxlEncoderSetColorEncoding(encoder, &color);
    JxlEncoderFrameSettings* const settings = JxlEncoderFrameSettingsCreate(encoder, nullptr);
    JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, 3);
    JxlEncoderAddImageFrame(settings, &format, pixels.data(), pixels.size());
    JxlEncoderCloseInput(encoder);
    bytes.resize(pixels.size());
    std::uint8_t* next = bytes.data();
    std::size_t left = bytes.size();
    JxlEncoderProcessOutput(encoder, &next, &left);
    bytes.resize(bytes.size() - left);
    JxlEncoderDestroy(encoder);
  });
  time_of("decode", [&] {
    JxlDecoder* const decoder = JxlDecoderCreate(nullptr);
    JxlDecoderSetParallelRunner(decoder, runner, own);
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_FULL_IMAGE);
    JxlDecoderSetInput(decoder, bytes.data(), bytes.size());
    for (JxlDecoderStatus status; (status = JxlDecoderProcessInput(decoder)) != JXL_DEC_SUCCESS;) {
      if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER)
        JxlDecoderSetImageOutBuffer(decoder, &format, pixels.data(), pixels.size());
      else if (status != JXL_DEC_FULL_IMAGE)
        return;
    }
    JxlDecoderDestroy(decoder);
  });
  if (own != nullptr) JxlThreadParallelRunnerDestroy(own);
}
