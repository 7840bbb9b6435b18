// map, tabulate, filter, collect, collect_rows, flatten: algorithms that make new containers.
#pragma once

#include <furca/detail/algorithms/collecting.hpp>
#include <furca/detail/algorithms/rope.hpp>
#include <furca/detail/base/large_memory.hpp>
#include <furca/pack.hpp>  // filter
#include <furca/views.hpp>

FURCA_DECLARES(collect);

namespace furca {

/// An allocator that leaves numbers, and structs of them, without a value where a container would
/// write zeros: std::vector<double, UninitializedAllocator<double>> v(n) does not touch its memory.
/// So a parallel algorithm that writes all elements is the first to, each thread where it works,
/// and the pass that writes zeros, on one thread, falls away. Types with constructors are
/// constructed as ever.
template <class T>
class UninitializedAllocator {
 public:
  using value_type = T;                    ///< as allocators have it
  using is_always_equal = std::true_type;  ///< any of them frees what another has allocated
  using propagate_on_container_move_assignment = std::true_type;  ///< the memory moves along

  UninitializedAllocator() noexcept = default;
  /// From one for another type.
  template <class U>
  UninitializedAllocator(const UninitializedAllocator<U>&) noexcept {}

  /// Memory for n objects, as std::allocator has it; of 4 MiB and more in large pages, where the
  /// system has them.
  T* allocate(std::size_t n) {
    T* const block = std::allocator<T>().allocate(n);
    if (n >= detail::kLargeMemory / sizeof(T)) [[unlikely]]
      detail::prepare_large_memory(block, n * sizeof(T));
    return block;
  }
  /// Frees it.
  void deallocate(T* p, std::size_t n) noexcept { std::allocator<T>().deallocate(p, n); }

  /// Default-initialised: a number has no value yet. Or made of arguments.
  /// @{
  template <class U>
  void construct(U* p) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Arguments>
    requires(sizeof...(Arguments) > 0)
  void construct(U* p, Arguments&&... arguments) noexcept(
      std::is_nothrow_constructible_v<U, Arguments...>) {
    ::new (static_cast<void*>(p)) U(std::forward<Arguments>(arguments)...);
  }
  /// @}

  /// All are equal.
  friend bool operator==(const UninitializedAllocator&, const UninitializedAllocator&) noexcept {
    return true;
  }
};

/// A std::vector whose memory is first written by what fills it: map<furca::Vector>(range, f).
/// v.resize(n) and Vector<double>(n) leave numbers without a value.
template <class T>
using Vector = std::vector<T, UninitializedAllocator<T>>;

/// What map puts into its result: a value of the type that F returns for an argument X. A bit of a
/// std::vector<bool> is a bool there, and an element of a zip or of enumerate that is returned as
/// it is, references to what lies elsewhere, a std::tuple or std::pair of values. Of another range
/// whose elements X stand for values elsewhere, one that is returned as it is gives a Value, which
/// the range says that they are.
template <class F, class X, class Value = X>
using MappedValue =
    typename detail::Stored<std::decay_t<std::invoke_result_t<F&, X>>, X, Value>::type;

/// What a map or tabulate is called with: returns an element of the result, which can be moved.
template <class F, class X>
concept Mapping =
    std::move_constructible<F> && std::invocable<F&, X> &&
    !std::is_void_v<std::invoke_result_t<F&, X>> && std::move_constructible<MappedValue<F, X>>;

/// Appends what an element contributes to a vector: any number of push_back, emplace_back or insert
/// at the end.
template <class F, class X, class T>
concept Appending = std::move_constructible<F> && std::invocable<F&, X, std::vector<T>&>;

/// Rows of different lengths, one behind the other: row i is values[offsets[i]] up to, but not
/// including, values[offsets[i + 1]]. What sparse matrices and graphs are kept in (CSR, compressed
/// sparse rows). A LoopRange over its rows.
template <class T>
struct Rows {
  /// where each row begins, and last of all where they end; empty if it was moved from
  std::vector<std::size_t> offsets = {0};
  std::vector<T> values;  ///< of all rows

  /// how many rows
  std::size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
  /// no row
  bool empty() const noexcept { return size() == 0; }
  /// A row; its number is less than size().
  /// @{
  std::span<T> operator[](std::size_t row) {
    return detail::RowElement<T>{offsets.data(), values.data()}(row);
  }
  std::span<const T> operator[](std::size_t row) const {
    return detail::RowElement<const T>{offsets.data(), values.data()}(row);
  }

  /// @}
  /// Rows in their order; iterators refer to the vectors.
  /// @{
  auto begin() {
    return furca::lazy(size(), detail::RowElement<T>{offsets.data(), values.data()}).begin();
  }
  auto end() { return begin() + static_cast<std::ptrdiff_t>(size()); }
  auto begin() const {
    return furca::lazy(size(), detail::RowElement<const T>{offsets.data(), values.data()}).begin();
  }
  auto end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  /// @}
};

}  // namespace furca

namespace furca::found_by_name {

/// @cond
// Here alone: `using namespace` of furca and of std must not make std::map ambiguous elsewhere.
#define FURCA_MAP                                                                                 \
  "write map(v, [](const auto& element) { return ...; }), or map<Container>(v, f): f makes each " \
  "element of a new std::vector, not void" FURCA_RANGE
FURCA_SAYS_OF_TYPE(map, FURCA_MAP)
template <template <class...> class Container, class T = void>
auto map(FURCA_ANY) {
  static_assert(detail::kFits<T>, "furca: " FURCA_MAP);
  return detail::Anything();
}
template <template <class...> class Container, class T = void>
auto tabulate(FURCA_ANY) {
  static_assert(detail::kFits<T>, "furca: " FURCA_TABULATE);
  return detail::Anything();
}
#undef FURCA_MAP
/// @endcond

/// The container of f(element) for every element of a range, in order.
///
/// A std::vector by default. Elements that are plain memory (numbers, structs, pairs and tuples of
/// them) are written once, by the threads that compute them. With another standard library than
/// libstdc++, and where that checks its containers, a std::vector begins with zeros, a pass over
/// the memory on one thread, which map<furca::Vector>(range, f) leaves out. A std::vector<bool> is
/// written word by word. The result's type may be one that can only be moved. If it cannot be made
/// without arguments, or that might throw, each thread that takes part appends to a vector of its
/// own, and these are joined in the end, as by collect. f is called once for each element, by
/// several threads at a time. What it returns by reference is copied.
/// Exceptions: the one that the serial loop would throw; everything is destroyed then.
/// std::bad_alloc if there is no memory for the result.
/// Complexity: n calls of f; span as parallel_for, and to make n empty elements on one thread,
/// which is nothing where they are written once.
/// Memory: the result, in one allocation.
/// Thread-safety: any thread, at any depth of nesting.
template <template <class...> class Container = std::vector, LoopRange Range,
          Mapping<std::ranges::range_reference_t<Range>> F>
[[nodiscard]] auto map(Range&& range, F f, const SourceLocation where = SourceLocation::current()) {
  using Iterator = std::ranges::iterator_t<Range>;
  const detail::MapElement<Iterator, F> element{std::ranges::begin(range), f};
  return detail::make<
      "map",
      Container<MappedValue<F, std::iter_reference_t<Iterator>, std::iter_value_t<Iterator>>>>(
      detail::size_of(range), element, where);
}

/// The container of f(0), f(1), ... f(n - 1). f is called with a std::size_t. Empty if n is below
/// 0. Everything else as map.
template <template <class...> class Container = std::vector, std::integral Length,
          Mapping<std::size_t> F>
[[nodiscard]] auto tabulate(Length n, F f, const SourceLocation where = SourceLocation::current()) {
  const detail::TabulateElement<F> element{f};
  return detail::make<"tabulate", Container<MappedValue<F, std::size_t>>>(detail::length(n),
                                                                          element, where);
}

/// Everything that f(element, out) appends to `out`, a std::vector<T>, for all elements of a range,
/// in the range's order.
///
/// For each element any number of values, or none: a filter, a flat map, or both at once, written
/// as the loop would be.
///     auto edges = collect<Edge>(vertices, [](const Vertex& v, std::vector<Edge>& out) { for (...)
///     if (...) out.push_back(...); });
/// f only appends to `out`: what is in it before is of elements to the left of its own, but not of
/// all of them. It may be kept by nobody, and f must not wait for other calls.
/// Each thread that takes part appends to a vector of its own for every stretch that it has taken
/// over. If nothing was taken over, that is the result; else their contents are moved into one,
/// once.
/// Exceptions: the one that the serial loop would throw. std::bad_alloc if there is no memory.
/// Complexity: n calls of f; span as parallel_for, and to move the m values, which one thread does.
/// Memory: the result, and while it is made up to twice as much again, since the vectors grow by
/// doubling.
/// Thread-safety: any thread, at any depth of nesting. Several threads call f at once.
template <class T, LoopRange Range, Appending<std::ranges::range_reference_t<Range>, T> F>
  requires std::move_constructible<T>
[[nodiscard]] std::vector<T> collect(Range&& range, F f,
                                     const SourceLocation where = SourceLocation::current()) {
  const detail::CollectElement<std::ranges::iterator_t<Range>, T, F> append{
      std::ranges::begin(range), f};
  return detail::collect_rope<"collect", std::vector<T>>(detail::size_of(range), append, where)
      .joined();
}

/// As collect, but it is known in the end what each element has contributed: row i of the result is
/// what f has appended for element i.
///     auto graph = collect_rows<Edge>(vertices, [](const Vertex& v, std::vector<Edge>& out) { ...
///     });
///     for (const Edge& edge : graph[v]) ...
/// Memory: as collect, and a number for each element.
template <class T, LoopRange Range, Appending<std::ranges::range_reference_t<Range>, T> F>
  requires std::move_constructible<T> && (!std::same_as<T, bool>)
[[nodiscard]] Rows<T> collect_rows(Range&& range, F f,
                                   const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(range);
  // SIZE_MAX + 1 is none; the vector refuses what comes before it
  Rows<T> rows{detail::unwritten<std::vector<std::size_t>>(std::max(n, n + 1)), {}};
  rows.offsets[0] = 0;
  const detail::CollectRow<std::ranges::iterator_t<Range>, T, F> append{std::ranges::begin(range),
                                                                        f, rows.offsets.data()};
  auto rope = detail::collect_rope<"collect_rows", std::vector<T>>(n, append, where);
  // rows have counted from where their piece begins
  rope.each_piece(
      [&](std::size_t first, std::size_t last, std::size_t values_before) {
        if (values_before == 0) return;
        const auto shift = [ends = rows.offsets.data() + 1, values_before](std::size_t row) {
          ends[row] += values_before;
        };
        detail::run_loop<"collect_rows">(detail::IndexRange<std::size_t>(first, last), shift,
                                         LoopOptions(), where);
      },
      n);
  rows.values = std::move(rope).joined();
  return rows;
}

/// The elements of all ranges in a range, one behind the other, in a std::vector.
/// flatten(std::move(lists)) moves them out of the lists, any other call copies.
///
/// Inner ranges of random access and known size are copied to their places at once, in parallel,
/// large ones inside of themselves too; their sizes are asked by the caller's thread. Others, and
/// those that exist only when they are asked for, are copied one after the other, as by collect.
/// Exceptions: as collect.
/// Complexity: span as parallel_for, and to make as many empty elements on one thread, as for map.
/// Memory: the result, and a number for each range.
/// Thread-safety: any thread, at any depth of nesting.
template <LoopRange Ranges>
  requires std::ranges::forward_range<std::ranges::range_reference_t<Ranges>>
[[nodiscard]] auto flatten(Ranges&& ranges,
                           const SourceLocation where = SourceLocation::current()) {
  return detail::flatten<detail::kOwnedTemporary<Ranges>>(ranges, where);
}

}  // namespace furca::found_by_name
