// Compares the small matrix products of equivariant networks at every level with sums in double precision.

#include <gtest/gtest.h>

#include "arrays.h"
#include "base/numerics/ops/equivariant/whole_vectors.h"
#include "levels.h"

namespace molgauge::ops::cpu {
namespace {

using test::normal_floats;
using test::values_of;

/// Expects the first `columns` numbers of each row of c to be start(i, j) + sum over k of a(i, k) b(k, j).
template <typename Start, typename A, typename B>
void expect_sums(const Floats& c, std::int64_t columns, std::int64_t terms, const Start& start, const A& a,
                 const B& b) {
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      double sum = start(i, j);
      for (std::int64_t k = 0; k < terms; ++k) {
        sum += double{a(i, k)} * double{b(k, j)};
      }
      ASSERT_NEAR(c.data()[i * c.width() + j], sum, 2e-5) << c.rows() << " x " << columns;
    }
  }
}

/// The numbers of an array by row and column.
auto numbers_of(const Floats& array) {
  return
      [&array](std::int64_t row, std::int64_t column) { return array.data()[row * array.width() + column]; };
}

class ProductKernel : public EveryLevel {};

TEST_P(ProductKernel, IsTheSum) {
  for (const std::int64_t rows : {1, 2, 5, 8, 12, 19, 31}) {
    for (const std::int64_t columns : {1, 8, 16, 40, 64, 100}) {
      for (const bool add : {false, true}) {
        const std::int64_t terms = 7, room = padded(columns);
        const Floats a = normal_floats({terms, rows + 3}), b = normal_floats({terms, room});
        Floats c = normal_floats({rows, room});
        const std::vector<float> before = values_of(c);
        kernels().strided_product({.a = a.data(),
                                   .b = b.data(),
                                   .c = c.data(),
                                   .rows = rows,
                                   .terms = terms,
                                   .columns = columns,
                                   .a_row = 1,
                                   .a_term = rows + 3,
                                   .b_term = room,
                                   .c_row = room,
                                   .add = add});
        expect_sums(
            c, columns, terms,
            [&](std::int64_t i, std::int64_t j) {
              return add ? double{before[static_cast<std::size_t>(i * room + j)]} : 0;
            },
            [&](std::int64_t i, std::int64_t k) { return a.data()[k * a.width() + i]; }, numbers_of(b));
      }
    }
  }
}

TEST_P(ProductKernel, BeginsWithNumbersOfColumnsOrRows) {
  const std::int64_t rows = 9, terms = 3, columns = 20, room = padded(columns);
  const Floats a = normal_floats({rows, terms}), b = normal_floats({terms, room});
  const Floats start = normal_floats({room});
  for (const bool of_columns : {true, false}) {
    Floats c = normal_floats({rows, room});
    kernels().strided_product({.a = a.data(),
                               .b = b.data(),
                               .c = c.data(),
                               .rows = rows,
                               .terms = terms,
                               .columns = columns,
                               .a_row = terms,
                               .a_term = 1,
                               .b_term = room,
                               .c_row = room,
                               .column_start = of_columns ? start.data() : nullptr,
                               .row_start = of_columns ? nullptr : start.data()});
    expect_sums(
        c, columns, terms,
        [&](std::int64_t i, std::int64_t j) { return double{start.data()[of_columns ? j : i]}; },
        numbers_of(a), numbers_of(b));
  }
}

TEST_P(ProductKernel, StoresGroupsOfColumnsApart) {
  for (const std::int64_t rows : {1, 6, 14}) {
    for (const std::int64_t group : {8, 16, 24}) {
      const std::int64_t terms = 4, groups = 6, columns = group * groups, apart = group + 5;
      const Floats a = normal_floats({rows, terms}), b = normal_floats({terms, columns});
      Floats c = normal_floats({rows, groups * apart});
      const std::vector<float> before = values_of(c);
      kernels().strided_product({.a = a.data(),
                                 .b = b.data(),
                                 .c = c.data(),
                                 .rows = rows,
                                 .terms = terms,
                                 .columns = columns,
                                 .a_row = terms,
                                 .a_term = 1,
                                 .b_term = columns,
                                 .c_row = c.width(),
                                 .group = group,
                                 .c_group = apart});
      const auto is_between = [&](std::int64_t j) { return j % apart >= group; };
      expect_sums(
          c, c.width(), terms,
          [&](std::int64_t i, std::int64_t j) {
            return is_between(j) ? double{before[static_cast<std::size_t>(i * c.width() + j)]} : 0;
          },
          numbers_of(a),
          [&](std::int64_t k, std::int64_t j) {
            return is_between(j) ? 0 : b.data()[k * columns + j / apart * group + j % apart];
          });
    }
  }
}

TEST_P(ProductKernel, TakesRowsByTheirNumbers) {
  const std::int64_t all = 20, terms = 5;
  for (const std::int64_t rows : {1, 6, 13}) {
    for (const std::int64_t columns : {16, 48, 112}) {
      const Floats a = normal_floats({all, terms}), b = normal_floats({terms, columns});
      const Floats start = normal_floats({columns});
      Floats c = Floats::zeros({all, columns});
      std::vector<std::int64_t> numbers;
      std::vector<bool> is_wanted(all);
      for (std::int64_t i = 0; i < rows; ++i) {
        numbers.push_back((7 * i + 3) % all);
        is_wanted[static_cast<std::size_t>(numbers.back())] = true;
      }
      kernels().strided_product({.a = a.data(),
                                 .b = b.data(),
                                 .c = c.data(),
                                 .rows = rows,
                                 .terms = terms,
                                 .columns = columns,
                                 .a_row = terms,
                                 .a_term = 1,
                                 .b_term = columns,
                                 .c_row = columns,
                                 .column_start = start.data(),
                                 .row_numbers = numbers.data()});
      const auto factor = [&](std::int64_t i) {
        return is_wanted[static_cast<std::size_t>(i)] ? 1.0F : 0.0F;
      };
      expect_sums(
          c, columns, terms,
          [&](std::int64_t i, std::int64_t j) { return double{factor(i) * start.data()[j]}; },
          [&](std::int64_t i, std::int64_t k) { return factor(i) * a.data()[i * terms + k]; }, numbers_of(b));
    }
  }
}

TEST_P(ProductKernel, OfPairsOfTermsIsTheSum) {
  for (const std::int64_t rows : {1, 2, 5, 12, 19, 31}) {
    const std::int64_t terms = 10;
    const Floats a = normal_floats({rows, terms + 3}), b = normal_floats({terms / 2, kPairedColumns, 2});
    Floats c = normal_floats({rows, kPairedColumns + 3});
    const std::vector<float> before = values_of(c);
    kernels().paired_product({.a = a.data(),
                              .b = b.data(),
                              .c = c.data(),
                              .rows = rows,
                              .terms = terms,
                              .a_row = a.width(),
                              .c_row = c.width()});
    expect_sums(
        c, c.width(), terms,
        [&](std::int64_t i, std::int64_t j) {
          return double{before[static_cast<std::size_t>(i * c.width() + j)]};
        },
        numbers_of(a),
        [&](std::int64_t k, std::int64_t j) {
          return j < kPairedColumns ? b.data()[(k / 2 * kPairedColumns + j) * 2 + k % 2] : 0;
        });
  }
}

TEST_P(ProductKernel, OfRowsByRowsIsTheSum) {
  for (const std::int64_t rows : {1, 7, 8, 19}) {
    for (const std::int64_t columns : {0, 1, 3}) {
      const std::int64_t terms = 2 * kProductColumns;
      const Floats a = normal_floats({rows, terms + 3}), b = normal_floats({columns + 1, terms + 1});
      const Floats start = normal_floats({rows});
      Floats c = Floats::zeros({rows, 5});
      kernels().rows_product({.a = a.data(),
                              .b = b.data(),
                              .c = c.data(),
                              .rows = rows,
                              .columns = columns,
                              .terms = terms,
                              .a_row = a.width(),
                              .b_row = b.width(),
                              .c_row = c.width(),
                              .row_start = start.data()});
      expect_sums(
          c, columns, terms, [&](std::int64_t i, std::int64_t) { return double{start.data()[i]}; },
          numbers_of(a), [&](std::int64_t k, std::int64_t j) { return b.data()[j * b.width() + k]; });
      for (std::int64_t i = 0; i < rows; ++i) {
        EXPECT_EQ(c.data()[i * c.width() + columns], 0) << "written beyond the columns";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ProductKernel, ::testing::ValuesIn(tested_levels()), level_name);

}  // namespace
}  // namespace molgauge::ops::cpu
