// libjxl on furca's threads.
#include "everywhere.hpp"

#include "../support/allocations.hpp"

#include <furca/plugs/callbacks.hpp>

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/parallel_runner.h>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {

constexpr std::size_t kSide = 600;
const JxlPixelFormat kFormat = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

std::vector<std::uint8_t> picture() {
  std::vector<std::uint8_t> pixels(kSide * kSide * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint8_t>((i / 3 % kSide) ^ (i / 3 / kSide));
  return pixels;
}
const std::vector<std::uint8_t> original = picture();

std::vector<std::uint8_t> encode(furca::ThreadPool* pool) {
  JxlEncoder* const encoder = JxlEncoderCreate(nullptr);
  JxlEncoderSetParallelRunner(encoder, furca::plugs::jxl, pool);
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = info.ysize = kSide;
  info.bits_per_sample = 8;
  info.uses_original_profile = JXL_TRUE;
  JxlEncoderSetBasicInfo(encoder, &info);
  JxlColorEncoding color;
  JxlColorEncodingSetToSRGB(&color, JXL_FALSE);
  JxlEncoderSetColorEncoding(encoder, &color);
  JxlEncoderFrameSettings* const settings = JxlEncoderFrameSettingsCreate(encoder, nullptr);
  JxlEncoderSetFrameLossless(settings, JXL_TRUE);
  JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, 1);
  JxlEncoderAddImageFrame(settings, &kFormat, original.data(), original.size());
  JxlEncoderCloseInput(encoder);
  std::vector<std::uint8_t> bytes(original.size() + 4096);
  std::uint8_t* next = bytes.data();
  std::size_t left = bytes.size();
  const bool done = JxlEncoderProcessOutput(encoder, &next, &left) == JXL_ENC_SUCCESS;
  JxlEncoderDestroy(encoder);
  bytes.resize(done ? bytes.size() - left : 0);
  return bytes;
}

std::vector<std::uint8_t> decode(const std::vector<std::uint8_t>& bytes, furca::ThreadPool* pool) {
  JxlDecoder* const decoder = JxlDecoderCreate(nullptr);
  JxlDecoderSetParallelRunner(decoder, furca::plugs::jxl, pool);
  JxlDecoderSubscribeEvents(decoder, JXL_DEC_FULL_IMAGE);
  JxlDecoderSetInput(decoder, bytes.data(), bytes.size());
  std::vector<std::uint8_t> pixels;
  for (JxlDecoderStatus status; (status = JxlDecoderProcessInput(decoder)) != JXL_DEC_SUCCESS;) {
    if (status != JXL_DEC_NEED_IMAGE_OUT_BUFFER && status != JXL_DEC_FULL_IMAGE) {
      pixels.clear();
      break;
    }
    if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
      pixels.resize(original.size());
      JxlDecoderSetImageOutBuffer(decoder, &kFormat, pixels.data(), pixels.size());
    }
  }
  JxlDecoderDestroy(decoder);
  return pixels;
}

const std::vector<std::uint8_t> encoded = encode(nullptr);

TEST_CASE("a picture is written for the example, where PICTURE names a file") {
  const char* const path = std::getenv("PICTURE");
  if (path == nullptr) return;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(encoded.data()),
             static_cast<std::streamsize>(encoded.size()));
}

TEST_CASE("a picture is encoded and decoded everywhere") {
  CHECK(!encoded.empty());
  CHECK(decode(encoded, nullptr) == original);
  everywhere::call_everywhere(
      [](furca::ThreadPool* pool) { return decode(encoded, pool) == original; });
  furca::ThreadPool pool({.threads = 3});
  CHECK(encode(&pool) == encoded);
}

/// What a runner has to keep, whatever library calls it.
struct Contract {
  std::size_t told = 0;
  everywhere::Numbers numbers{64};
  std::array<std::atomic<int>, 1000> seen{};

  static int init(void* self, std::size_t threads) {
    static_cast<Contract*>(self)->told = threads;
    return 0;
  }
  static void count(void* data, std::uint32_t value, std::size_t) {
    ++static_cast<Contract*>(data)->seen[value];
  }
  static void run(void* data, std::uint32_t value, std::size_t thread) {
    auto& self = *static_cast<Contract*>(data);
    ++self.seen[value];
    self.numbers.visit(thread < self.told ? thread : 64);  // 64 is too high
  }
};

TEST_CASE("thread numbers are below what libjxl was told, and differ at a time") {
  for (const auto wait : {furca::WaitPolicy::own_subtree, furca::WaitPolicy::greedy}) {
    for (const std::size_t size : {1, 2, 64}) {
      furca::ThreadPool pool({.threads = size, .wait = wait});
      for (const std::uint32_t last : {0U, 1U, 2U, 100U, 1000U}) {
        const auto loop = [&](furca::ThreadPool* on) {
          Contract contract;
          CHECK(furca::plugs::jxl(on, &contract, &Contract::init, &Contract::run, last / 3, last) ==
                0);
          CHECK(contract.told <= size);
          int right = 0;
          for (std::uint32_t i = 0; i < 1000; ++i)
            right += contract.seen[i].load() == (i >= last / 3 && i < last ? 1 : 0);
          CHECK(right == 1000);
          CHECK(contract.numbers.right());
        };
        loop(&pool);
        std::thread other([&] { loop(&pool); });
        pool.install([&] { loop(nullptr); });
        other.join();
      }
    }
  }
}

TEST_CASE("a thread without memory to come into a pool runs all itself") {
  furca::ThreadPool pool({.threads = 3});
  Contract contract;
  int failed = 0;
  long refused = 0;
  {
    using furca::test::FailingAllocations;
    const FailingAllocations none(0, FailingAllocations::kAllThatFollow,
                                  FailingAllocations::Where::this_thread);
    failed = furca::plugs::jxl(&pool, &contract, &Contract::init, &Contract::count, 0, 1000);
    refused = FailingAllocations::refused();
  }
  CHECK(failed == 0);
  CHECK(refused > 0);
  int right = 0;
  for (const auto& count : contract.seen) right += count.load() == 1;
  CHECK(right == 1000);
}

TEST_CASE("what a job throws ends the program") {
  CHECK(everywhere::ends_program([](furca::ThreadPool& pool) {
    furca::plugs::jxl(
        &pool, nullptr, [](void*, std::size_t) { return 0; },
        [](void*, std::uint32_t, std::size_t) { throw 1; }, 0, 8);
  }));
}

TEST_CASE("an init that fails, and a range that is upside down") {
  Contract contract;
  const auto fails = [](void*, std::size_t) { return 7; };
  CHECK(furca::plugs::jxl(nullptr, &contract, fails, &Contract::run, 0, 5) == 7);
  CHECK(furca::plugs::jxl(nullptr, &contract, &Contract::init, &Contract::run, 5, 0) == -1);
  CHECK(contract.seen[0].load() == 0);
}

const everywhere::AtExit after_main([] { return decode(encoded, nullptr) == original; });

}  // namespace
