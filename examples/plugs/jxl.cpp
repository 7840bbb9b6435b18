// libjxl and furca on one pool: the size of a JPEG XL picture, and its first colour.
#include <furca/plugs/callbacks.hpp>

#include <jxl/decode.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});

  JxlDecoder* const decoder = JxlDecoderCreate(nullptr);
  JxlDecoderSetParallelRunner(decoder, furca::plugs::jxl, nullptr);

  JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_FULL_IMAGE);
  JxlDecoderSetInput(decoder, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const JxlPixelFormat format = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  JxlBasicInfo info{};
  std::vector<std::uint8_t> pixels;
  for (JxlDecoderStatus status; (status = JxlDecoderProcessInput(decoder)) != JXL_DEC_SUCCESS;) {
    if (status == JXL_DEC_BASIC_INFO) {
      JxlDecoderGetBasicInfo(decoder, &info);
    } else if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
      pixels.resize(std::size_t{3} * info.xsize * info.ysize);
      JxlDecoderSetImageOutBuffer(decoder, &format, pixels.data(), pixels.size());
    } else if (status != JXL_DEC_FULL_IMAGE) {
      std::printf("this is no JPEG XL picture\n");
      return 1;
    }
  }
  std::printf("%u x %u, first %d %d %d\n", info.xsize, info.ysize, pixels[0], pixels[1], pixels[2]);
  JxlDecoderDestroy(decoder);
}
