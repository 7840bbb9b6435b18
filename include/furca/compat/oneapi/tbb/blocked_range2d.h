// tbb::blocked_range2d: rows and columns.
#pragma once

#include "blocked_range.h"

namespace tbb {

/// As oneTBB's: divided along the side that has more grains.
template <class RowValue, class ColValue = RowValue>
class blocked_range2d {
 public:
  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  blocked_range2d(RowValue row_begin, RowValue row_end,
                  typename row_range_type::size_type row_grainsize, ColValue col_begin,
                  ColValue col_end, typename col_range_type::size_type col_grainsize)
      : rows_(row_begin, row_end, row_grainsize), cols_(col_begin, col_end, col_grainsize) {}
  blocked_range2d(RowValue row_begin, RowValue row_end, ColValue col_begin, ColValue col_end)
      : rows_(row_begin, row_end), cols_(col_begin, col_end) {}

  blocked_range2d(blocked_range2d& r, split tag) : blocked_range2d(r) { divide(r, tag); }
  blocked_range2d(blocked_range2d& r, const proportional_split& parts) : blocked_range2d(r) {
    divide(r, parts);
  }

  bool empty() const { return rows_.empty() || cols_.empty(); }
  bool is_divisible() const { return rows_.is_divisible() || cols_.is_divisible(); }
  const row_range_type& rows() const { return rows_; }
  const col_range_type& cols() const { return cols_; }

 private:
  template <class How>
  void divide(blocked_range2d& r, const How& how) {
    if (detail::grains(rows_) < detail::grains(cols_)) {
      cols_ = col_range_type(r.cols_, how);
    } else {
      rows_ = row_range_type(r.rows_, how);
    }
  }

  row_range_type rows_;
  col_range_type cols_;
};

}  // namespace tbb
