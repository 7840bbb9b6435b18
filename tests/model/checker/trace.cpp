#include "trace.hpp"

#include "explorer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace furca::model {

namespace {

constexpr std::size_t kColumn = 32;

std::string value(std::int64_t number) {
  if (number > -100'000'000 && number < 100'000'000) return std::to_string(number);
  char text[24];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(number));
  return text;
}

/// What the access is to, as far as the source line tells: `top_` of "top_.load(...)".
std::string target(const Event& event) {
  const std::string source = event.site.text();
  const char* call = nullptr;
  switch (event.access) {
    case Access::load:
      call = ".load(";
      break;
    case Access::store:
      call = ".store(";
      break;
    case Access::cas:
      call = ".compare_exchange";
      break;
    case Access::rmw:
      call = source.find(".exchange(") != std::string::npos ? ".exchange(" : ".fetch_";
      break;
    case Access::plain_read:
      call = ".get(";
      break;
    case Access::plain_write:
      call = ".set(";
      break;
    case Access::wait:
      call = "(wait)";
      break;
    case Access::wake:
      call = "(wake)";
      break;
    case Access::fence:
    case Access::heavy_fence:
      return {};
  }
  const std::string name =
      event.location >= 0 ? std::string("#").append(std::to_string(event.location)) : std::string();
  const std::size_t end = source.find(call);
  // none, or which of them?
  if (end == std::string::npos || source.find(call, end + 1) != std::string::npos) return name;
  std::size_t begin = end;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(source[begin - 1])) != 0 ||
                       source[begin - 1] == '_'))
    --begin;
  return source.substr(begin, end - begin) + name;
}

std::string describe(const Event& event) {
  const std::string stale = event.stale ? "!" : "";
  const std::string order = std::string(" ") + name_of(event.order);
  switch (event.access) {
    case Access::load:
      return target(event) + " is " + value(event.read) + stale + order;
    case Access::store:
      return target(event) + " = " + value(event.written) + order;
    case Access::rmw:
      return target(event) + " " + value(event.read) + " -> " + value(event.written) + order;
    case Access::cas:
      if (event.failed)
        return target(event) + " is " + value(event.read) + stale + ", CAS fails" + order;
      return target(event) + " " + value(event.read) + " -> " + value(event.written) + " CAS" +
             order;
    case Access::fence:
      return "fence" + order;
    case Access::heavy_fence:
      return event.written != 0 ? "strikes thread " + std::to_string(event.read)
                                : "heavy fence, own part";
    case Access::wait:
      return target(event) + (event.failed ? " not " : " is ") + value(event.read) + stale +
             (event.failed ? ", no wait" : ", sleeps");
    case Access::wake:
      return target(event) + " wake " + value(event.read);
    case Access::plain_read:
      return "reads " + target(event);
    case Access::plain_write:
      return "writes " + target(event);
  }
  return {};
}

}  // namespace

std::string print_trace(const Event* events, std::size_t count) {
  std::size_t threads = 0;
  for (std::size_t i = 0; i < count; ++i)
    threads = std::max<std::size_t>(threads, events[i].thread + 1U);
  std::string text;
  for (std::size_t i = 0; i < threads; ++i) {
    const std::string head = "thread " + std::to_string(i);
    text += head + std::string(kColumn - head.size(), ' ');
  }
  text += "\n";
  for (std::size_t i = 0; i < count; ++i) {
    std::string line(events[i].thread * kColumn, ' ');
    line += describe(events[i]) + "  ";
    if (line.size() < threads * kColumn) line.resize(threads * kColumn, ' ');
    text += line + events[i].site.name() + "\n";
  }
  return text;
}

}  // namespace furca::model
