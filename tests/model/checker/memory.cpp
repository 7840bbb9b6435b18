#include "memory.hpp"

#include "search.hpp"

#include <algorithm>

namespace furca::model {

namespace {

bool acquires(std::memory_order order) noexcept {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

constexpr std::size_t index_of(int at) noexcept { return static_cast<std::size_t>(at); }

}  // namespace

void Memory::begin() noexcept {
  ++stamp_;
  if (stamp_ == 0) ++stamp_;
  location_count_ = 0;
  write_count_ = 0;
  fenced_ = View{};
  threads_[0] = Thread{};
}

void Memory::fork(std::size_t parent, std::size_t child) noexcept {
  threads_[child] = Thread{};
  threads_[child].current = threads_[child].acquired = threads_[parent].current;
}

void Memory::join(std::size_t parent, std::size_t child) noexcept {
  threads_[parent].current.join(threads_[child].current, location_count_);
  threads_[parent].acquired.join(threads_[child].current, location_count_);
}

/// Each access has a time of its own, so that what was published before it cannot be mistaken for
/// what comes after.
Time Memory::tick(std::size_t self) {
  Thread& me = threads_[self];
  const auto now = static_cast<Time>(me.current.clock.of[self] + 1);
  if (now == INT16_MAX) fail("model: too many accesses in one thread");
  me.current.clock.of[self] = me.acquired.clock.of[self] = now;
  return now;
}

// --- lifetime ------------------------------------------------------------------------------------

void Memory::make(std::size_t self, Handle& object, bool committed) noexcept {
  object = {stamp_, Handle::kNowhere, static_cast<std::int8_t>(self), tick(self), committed};
}

void Memory::check_alive(std::size_t self, const Handle& object) {
  if (object.stamp != stamp_)
    fail("use of an object that is not alive: never constructed, or destroyed before");
  if (!threads_[self].current.clock.covers(static_cast<std::size_t>(object.maker), object.made))
    fail("use of an object whose construction did not happen before");
}

void Memory::destroy(std::size_t self, Handle& object) noexcept {
  check_alive(self, object);
  object.stamp = 0;
  if (object.location == Handle::kNowhere) return;
  const Clock& accessed = locations_[index_of(object.location)].accessed;
  for (std::size_t other = 0; other < kMaxThreads; ++other)
    if (!threads_[self].current.clock.covers(other, accessed.of[other]))
      fail("destroyed while another thread may still use it");
}

int Memory::locate(std::size_t self, Handle& object, std::uint64_t initial) {
  check_alive(self, object);
  if (object.location == Handle::kNowhere) {
    if (location_count_ == kMaxLocations) fail("model: too many locations");
    object.location = static_cast<std::int16_t>(location_count_++);
    Location& fresh = locations_[index_of(object.location)];
    fresh.writes = 0;
    fresh.accessed = Clock{};
    fresh.woken = 0;
    fresh.committed = object.committed;
    fresh.commits = 0;
    fresh.order[0] = static_cast<std::uint16_t>(write_count_);
    if (write_count_ == kMaxWrites) fail("model: too many writes");
    writes_[write_count_++] = Write{initial, View{}, Clock{}};
    fresh.writes = 1;
  }
  return object.location;
}

// --- atomic accesses -----------------------------------------------------------------------------

/// `self` reads write `index`, and cannot miss it any more.
void Memory::read(std::size_t self, int at, int index, std::memory_order order) noexcept {
  Thread& me = threads_[self];
  const Write& write = write_at(at, index);
  const auto seen = static_cast<Time>(index);
  me.current.seen[index_of(at)] = seen;
  me.acquired.seen[index_of(at)] = std::max(me.acquired.seen[index_of(at)], seen);
  me.acquired.join(write.published, location_count_);
  if (acquires(order)) me.current.join(write.published, location_count_);
}

std::uint64_t Memory::load(std::size_t self, int at, std::memory_order order) {
  Location& x = locations_[index_of(at)];
  const Time now = tick(self);
  x.accessed.of[self] = now;
  const int back = choose_value(x.writes - threads_[self].current.seen[index_of(at)]);
  const int index = x.writes - 1 - back;
  read(self, at, index, order);
  stale_ = back > 0;
  if (x.committed) {
    threads_[self].speculative = at;
    threads_[self].speculative_when = now;
    threads_[self].speculative_write = index;
  }
  return write_at(at, index).value;
}

Memory::Write& Memory::append(std::size_t self, int at, std::uint64_t value,
                              std::memory_order order) {
  Location& x = locations_[index_of(at)];
  if (x.writes == kMaxWritesToOne || write_count_ == kMaxWrites) fail("model: too many writes");
  Thread& me = threads_[self];
  const auto index = static_cast<Time>(x.writes);
  x.order[index_of(x.writes++)] = static_cast<std::uint16_t>(write_count_);
  me.current.seen[index_of(at)] = me.acquired.seen[index_of(at)] = index;
  Write& write = writes_[write_count_++];
  write.value = value;
  write.published = releases(order) ? me.current : me.released;
  write.published.seen[index_of(at)] = index;
  write.before = me.current.clock;
  for (std::size_t i = 0; i < x.commits; ++i)
    if (!me.current.clock.covers(x.commit[i].reader, x.commit[i].when))
      fail("overwritten without happening after the read that was earned by a CAS");
  stale_ = false;
  return write;
}

/// A write goes to the end of the modification order. That misses nothing as long as no two plain
/// stores to a location are concurrent, and no plain store is concurrent with a read-modify-write;
/// a program that has such is refused.
void Memory::store(std::size_t self, int at, std::uint64_t value, std::memory_order order) {
  Location& x = locations_[index_of(at)];
  x.accessed.of[self] = tick(self);
  if (threads_[self].current.seen[index_of(at)] != x.writes - 1)
    fail("model: a store that is concurrent with another write to its location");
  append(self, at, value, order);
}

std::uint64_t Memory::newest(int at) const noexcept {
  return write_at(at, locations_[index_of(at)].writes - 1).value;
}

/// C++20: a release sequence is continued by read-modify-writes, whoever makes them, and by nothing
/// else.
void Memory::update(std::size_t self, int at, std::uint64_t value, std::memory_order order) {
  Location& x = locations_[index_of(at)];
  x.accessed.of[self] = tick(self);
  const int last = x.writes - 1;
  read(self, at, last, order);
  Write& write = append(self, at, value, order);
  write.published.join(write_at(at, last).published, location_count_);
  commit(self);
}

/// Succeeds on the newest value only; fails on any value that may be read and is another one.
bool Memory::compare_exchange(std::size_t self, int at, std::uint64_t& expected,
                              std::uint64_t desired, std::memory_order success,
                              std::memory_order failure) {
  Location& x = locations_[index_of(at)];
  const int oldest = threads_[self].current.seen[index_of(at)];
  const int last = x.writes - 1;
  std::array<int, kMaxWritesToOne> readable;  // NOLINT: filled as far as it is used
  std::size_t count = 0;
  readable[count++] = last;
  for (int index = last - 1; index >= oldest; --index)
    if (write_at(at, index).value != expected) readable[count++] = index;
  const int index = readable[static_cast<std::size_t>(choose_value(static_cast<int>(count)))];
  if (index == last && newest(at) == expected) {
    update(self, at, desired, success);
    return true;
  }
  x.accessed.of[self] = tick(self);
  read(self, at, index, failure);
  threads_[self].speculative = -1;
  expected = write_at(at, index).value;
  stale_ = index != last;
  return false;
}

/// A read of a slot is made good by the CAS that follows it. No later write to the slot may come
/// from a thread that does not know of the read: with load buffering, which is not modelled
/// otherwise, the read could return that write.
void Memory::commit(std::size_t self) {
  Thread& me = threads_[self];
  if (me.speculative < 0) return;
  Location& slot = locations_[index_of(me.speculative)];
  for (int later = me.speculative_write + 1; later < slot.writes; ++later)
    if (!write_at(me.speculative, later).before.covers(self, me.speculative_when))
      fail("overwritten without happening after the read that was earned by a CAS");
  if (slot.commits == kMaxCommits) fail("model: too many commits");
  slot.commit[slot.commits++] = {self, me.speculative_when};
  me.speculative = -1;
}

void Memory::fence(std::size_t self, std::memory_order order) noexcept {
  Thread& me = threads_[self];
  if (acquires(order)) me.current.join(me.acquired, location_count_);
  if (order == std::memory_order_seq_cst) {
    me.current.join_seen(fenced_, location_count_);
    fenced_.join_seen(me.current, location_count_);
    me.acquired.join_seen(me.current, location_count_);
  }
  if (releases(order)) me.released = me.current;
  stale_ = false;
}

void Memory::strike(std::size_t thread, bool ended) noexcept {
  if (ended) {
    fenced_.join_seen(threads_[thread].current, location_count_);
  } else {
    fence(thread, std::memory_order_seq_cst);
  }
}

bool Memory::futex_holds(std::size_t self, int at, std::uint64_t expected) {
  Location& x = locations_[index_of(at)];
  x.accessed.of[self] = tick(self);
  Time& seen = threads_[self].current.seen[index_of(at)];
  seen = std::max(seen, x.woken);
  const int back = choose_value(x.writes - seen);
  const int index = x.writes - 1 - back;
  read(self, at, index, std::memory_order_relaxed);
  stale_ = back > 0;
  return write_at(at, index).value == expected;
}

void Memory::futex_wake(std::size_t self, int at) noexcept {
  Location& x = locations_[index_of(at)];
  x.accessed.of[self] = tick(self);
  x.woken = std::max(x.woken, threads_[self].current.seen[index_of(at)]);
  stale_ = false;
}

// --- plain accesses ------------------------------------------------------------------------------

void Memory::plain_make(std::size_t self, PlainState& cell) noexcept {
  make(self, cell.handle, false);
  cell.writer = static_cast<std::int8_t>(self);
  cell.written = cell.handle.made;
  cell.read = Clock{};
}

void Memory::plain_read(std::size_t self, PlainState& cell) {
  check_alive(self, cell.handle);
  cell.read.of[self] = tick(self);
  if (!threads_[self].current.clock.covers(static_cast<std::size_t>(cell.writer), cell.written))
    fail("data race: a read, and a write that did not happen before it");
}

void Memory::plain_write(std::size_t self, PlainState& cell) {
  check_alive(self, cell.handle);
  const Time now = tick(self);
  const Clock& known = threads_[self].current.clock;
  if (!known.covers(static_cast<std::size_t>(cell.writer), cell.written))
    fail("data race: two writes");
  for (std::size_t other = 0; other < kMaxThreads; ++other)
    if (!known.covers(other, cell.read.of[other]))
      fail("data race: a write, and a read that did not happen before it");
  cell.writer = static_cast<std::int8_t>(self);
  cell.written = now;
}

void Memory::plain_destroy(std::size_t self, PlainState& cell) {
  plain_write(self, cell);
  cell.handle.stamp = 0;
}

}  // namespace furca::model
