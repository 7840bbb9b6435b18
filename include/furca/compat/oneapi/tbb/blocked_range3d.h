// tbb::blocked_range3d: pages, rows and columns.
#pragma once

#include "blocked_range.h"

namespace tbb {

/// As oneTBB's: divided along the side that has most grains.
template <class PageValue, class RowValue = PageValue, class ColValue = RowValue>
class blocked_range3d {
 public:
  using page_range_type = blocked_range<PageValue>;
  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  blocked_range3d(PageValue page_begin, PageValue page_end,
                  typename page_range_type::size_type page_grainsize, RowValue row_begin,
                  RowValue row_end, typename row_range_type::size_type row_grainsize,
                  ColValue col_begin, ColValue col_end,
                  typename col_range_type::size_type col_grainsize)
      : pages_(page_begin, page_end, page_grainsize),
        rows_(row_begin, row_end, row_grainsize),
        cols_(col_begin, col_end, col_grainsize) {}
  blocked_range3d(PageValue page_begin, PageValue page_end, RowValue row_begin, RowValue row_end,
                  ColValue col_begin, ColValue col_end)
      : pages_(page_begin, page_end), rows_(row_begin, row_end), cols_(col_begin, col_end) {}

  blocked_range3d(blocked_range3d& r, split tag) : blocked_range3d(r) { divide(r, tag); }
  blocked_range3d(blocked_range3d& r, const proportional_split& parts) : blocked_range3d(r) {
    divide(r, parts);
  }

  bool empty() const { return pages_.empty() || rows_.empty() || cols_.empty(); }
  bool is_divisible() const {
    return pages_.is_divisible() || rows_.is_divisible() || cols_.is_divisible();
  }
  const page_range_type& pages() const { return pages_; }
  const row_range_type& rows() const { return rows_; }
  const col_range_type& cols() const { return cols_; }

 private:
  template <class How>
  void divide(blocked_range3d& r, const How& how) {
    const double pages = detail::grains(pages_);
    const double rows = detail::grains(rows_);
    const double cols = detail::grains(cols_);
    if (pages < rows ? rows < cols : pages < cols) {
      cols_ = col_range_type(r.cols_, how);
    } else if (pages < rows) {
      rows_ = row_range_type(r.rows_, how);
    } else {
      pages_ = page_range_type(r.pages_, how);
    }
  }

  page_range_type pages_;
  row_range_type rows_;
  col_range_type cols_;
};

}  // namespace tbb
