#include "trace_file.hpp"

#include "../system/environment.hpp"
#include "../system/process.hpp"
#include "site.hpp"

#include <furca/version.hpp>

#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstring>

namespace furca::detail {

namespace {

const char* name_of(const Slice& slice) noexcept {
  switch (slice.event) {
    case TraceEvent::call:
      return slice.site->call;
    case TraceEvent::stolen:
      return "part of";
    case TraceEvent::task:
      return "task";
    case TraceEvent::asleep:
      return "asleep";
  }
  return "";
}

/// The number of bytes of the character of UTF-8 that begins here; 0: none does, as where a name
/// was cut.
std::size_t length_of_character(const char* text) noexcept {
  const auto lead = static_cast<unsigned char>(*text);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80) return 0;
  return length;
}

/// A string of JSON, with its quotes.
void print_string(std::FILE* file, const char* text) noexcept {
  std::fputc('"', file);
  for (; *text != '\0'; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (byte >= 0x80) {
      const std::size_t length = length_of_character(text);
      if (length == 0) {
        std::fputc('?', file);
        continue;
      }
      std::fwrite(text, 1, length, file);
      text += length - 1;
    } else if (byte == '"' || byte == '\\') {
      std::fprintf(file, "\\%c", byte);
    } else if (byte < 0x20) {
      std::fprintf(file, "\\u%04x", byte);
    } else {
      std::fputc(byte, file);
    }
  }
  std::fputc('"', file);
}

/// Microseconds with three decimals and a point, whatever the program's locale has.
void print_microseconds(std::FILE* file, const char* key, double microseconds) noexcept {
  const auto ns = static_cast<std::uint64_t>(std::llround(std::abs(microseconds) * 1000));
  std::fprintf(file, ",\"%s\":%s%" PRIu64 ".%03u", key, microseconds < 0 ? "-" : "", ns / 1000,
               static_cast<unsigned>(ns % 1000));
}

}  // namespace

bool TraceFile::open(const char* pattern) noexcept {
  char number[24];
  std::snprintf(number, sizeof number, "%ld", process_id());
  std::size_t length = 0;
  while (*pattern != '\0') {
    const bool is_number = pattern[0] == '%' && pattern[1] == 'p';
    const std::size_t more = is_number ? std::strlen(number) : 1;
    if (length + more >= sizeof name_) {
      warn("FURCA_TRACE ignored: the file's name is too long");
      return false;
    }
    std::memcpy(name_ + length, is_number ? number : pattern, more);
    length += more;
    pattern += is_number ? 2 : 1;
  }
  file_ = create_file(name_);
  if (file_ == nullptr) {
    std::fprintf(stderr, "furca: FURCA_TRACE=%s ignored: %s\n", name_, std::strerror(errno));
    return false;
  }
  began_ticks_ = ticks();
  began_ns_ = steady_ticks();
  return true;
}

void TraceFile::begin() noexcept {
  const std::uint64_t ns = steady_ticks() - began_ns_;
  if (ns != 0)
    per_microsecond_ = static_cast<double>(ticks() - began_ticks_) * 1000 / static_cast<double>(ns);
  std::fprintf(file_,
               "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":%ld,\"tid\":0,"
               "\"name\":\"process_name\",\"args\":{\"name\":\"furca\"}}",
               process_id());
}

void TraceFile::write(const ThreadEvents& thread) noexcept {
  const long pid = process_id();
  char unnamed[32];
  std::snprintf(unnamed, sizeof unnamed, "thread %zu", thread.number);
  std::fprintf(
      file_,
      ",\n{\"ph\":\"M\",\"pid\":%ld,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{\"name\":", pid,
      thread.number);
  print_string(file_, *thread.name != '\0' ? thread.name : unnamed);
  std::fprintf(file_, "}}");
  for (const Slice& slice : thread.slices) print_slice(slice, thread.number);
  for (const TracedSteal& steal : thread.steals) {
    std::fprintf(file_, ",\n{\"ph\":\"i\",\"s\":\"t\",\"pid\":%ld,\"tid\":%zu", pid, thread.number);
    print_microseconds(file_, "ts", microseconds(steal.at));
    std::fprintf(file_, ",\"cat\":\"furca\",\"name\":\"steal\",\"args\":{\"from\":%" PRIu64 "}}",
                 steal.victim);
  }
  events_ += thread.slices.size() + thread.steals.size();
  forgotten_ += thread.forgotten;
}

void TraceFile::end() noexcept {
  std::fprintf(file_,
               "\n],\"otherData\":{\"furca\":\"" FURCA_VERSION_STRING "\",\"forgotten\":\"%" PRIu64
               "\"}}\n",
               forgotten_);
  const bool failed = std::ferror(file_) != 0;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (failed || !closed) return warn("FURCA_TRACE: could not write all of the trace", name_);
  std::fprintf(stderr,
               "furca: %s has the trace: %zu events%s; open it in https://ui.perfetto.dev or "
               "chrome://tracing\n",
               name_, events_, forgotten_ != 0 ? ", the shortest left out" : "");
}

void TraceFile::print_slice(const Slice& slice, std::size_t thread) noexcept {
  const Site* const site = slice.site != nullptr && slice.site->line != 0 ? slice.site : nullptr;
  char name[160];
  if (site != nullptr) {
    std::snprintf(name, sizeof name, "%s %s:%" PRIu32, name_of(slice), site->file_name(),
                  site->line);
  } else {
    std::snprintf(name, sizeof name, "%s", name_of(slice));
  }
  std::fprintf(file_, ",\n{\"ph\":\"X\",\"pid\":%ld,\"tid\":%zu", process_id(), thread);
  print_microseconds(file_, "ts", microseconds(slice.began));
  print_microseconds(file_, "dur", static_cast<double>(slice.length) / per_microsecond_);
  std::fprintf(file_, ",\"cat\":\"furca\",\"name\":");
  print_string(file_, name);
  if (site != nullptr) {
    std::fprintf(file_, ",\"args\":{\"file\":");
    print_string(file_, site->file);
    std::fprintf(file_, ",\"line\":%" PRIu32 ",\"function\":", site->line);
    print_string(file_, site->function);
    if (slice.decision.choice != Choice::none) {
      char decision[96];
      slice.decision.print(decision, sizeof decision);
      std::fprintf(file_, ",\"decision\":");
      print_string(file_, decision);
    }
    std::fputc('}', file_);
  }
  std::fputc('}', file_);
}

/// Since the file was opened; below zero where the counters of two processors differ.
double TraceFile::microseconds(std::uint64_t at) const noexcept {
  return static_cast<double>(static_cast<std::int64_t>(at - began_ticks_)) / per_microsecond_;
}

}  // namespace furca::detail
