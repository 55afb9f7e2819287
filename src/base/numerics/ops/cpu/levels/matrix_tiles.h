#pragma once

#include "base/numerics/ops/cpu/levels/vector.h"

#ifndef MOLGAUGE_EMULATED_AVX512
#include <immintrin.h>
#endif

// The tile registers of AMX: matrices of up to 16 rows of 64 bytes. MOLGAUGE_EMULATED_AVX512 emulates them in
// plain C++.
//
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18.

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

inline constexpr std::ptrdiff_t kMatrixRows = 16;                   ///< rows of a tile
inline constexpr std::ptrdiff_t kMatrixColumns = 16;                ///< columns of a tile, each of 32 bits
inline constexpr std::ptrdiff_t kMatrixBytes = kMatrixColumns * 4;  ///< bytes in a row of a tile
inline constexpr int kMaxRowTiles = kBlockRows / kMatrixRows;

// Numbers of the first tile registers for sums, for rows and for weights. Up to three registers hold rows,
// and each of them has a separate register for its sums.
inline constexpr int kFirstSum = 0, kFirstRows = 3, kWeights = 6, kMatrixTiles = 7;

/// The memory layout that LDTILECFG reads.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1, start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileShapes) == 64);

/// Shapes of rows, weights and sums for a step of `groups` groups.
inline TileShapes tile_shapes(std::int64_t groups) {
  TileShapes shapes;
  for (int tile = 0; tile < kMatrixTiles; ++tile) {
    const bool holds_rows = tile >= kFirstRows && tile < kWeights;
    shapes.row_bytes[tile] = static_cast<std::uint16_t>(holds_rows ? 4 * groups : kMatrixBytes);
    shapes.rows[tile] = static_cast<std::uint8_t>(tile == kWeights ? groups : kMatrixRows);
  }
  return shapes;
}

#ifdef MOLGAUGE_EMULATED_AVX512

struct EmulatedTiles {
  TileShapes shapes;
  std::uint32_t numbers[kMatrixTiles][kMatrixRows][kMatrixColumns];
};
inline thread_local EmulatedTiles emulated_tiles;

inline void shape_tiles(const TileShapes& shapes) { emulated_tiles.shapes = shapes; }
inline void release_tiles() { emulated_tiles.shapes = {}; }

template <int kTile>
inline void clear_tile() {
  __builtin_memset(emulated_tiles.numbers[kTile], 0, sizeof(emulated_tiles.numbers[kTile]));
}

template <int kTile>
inline void load_tile(const void* from, std::int64_t stride) {
  for (int row = 0; row < emulated_tiles.shapes.rows[kTile]; ++row) {
    __builtin_memcpy(emulated_tiles.numbers[kTile][row], static_cast<const char*>(from) + row * stride,
                     emulated_tiles.shapes.row_bytes[kTile]);
  }
}

template <int kTile>
inline void store_tile(void* to, std::int64_t stride) {
  for (int row = 0; row < emulated_tiles.shapes.rows[kTile]; ++row) {
    __builtin_memcpy(static_cast<char*>(to) + row * stride, emulated_tiles.numbers[kTile][row],
                     emulated_tiles.shapes.row_bytes[kTile]);
  }
}

/// For all rows, columns and k: sums[row][column] = add(sums[row][column], rows[row][k], weights[k][column]).
template <int kTile, typename Add>
inline void add_tile_products(const Add& add) {
  auto& numbers = emulated_tiles.numbers;
  for (int row = 0; row < kMatrixRows; ++row) {
    for (int k = 0; k < emulated_tiles.shapes.rows[kWeights]; ++k) {
      for (int column = 0; column < kMatrixColumns; ++column) {
        std::uint32_t& sum = numbers[kFirstSum + kTile][row][column];
        sum = add(sum, numbers[kFirstRows + kTile][row][k], numbers[kWeights][k][column]);
      }
    }
  }
}

template <int kTile>
inline void add_byte_products() {
  add_tile_products<kTile>([](std::uint32_t sum, std::uint32_t a, std::uint32_t b) {
    for (int byte = 0; byte < 4; ++byte) {
      sum += ((a >> (8 * byte)) & 0xFFU) *
             static_cast<std::uint32_t>(static_cast<std::int32_t>(b << (24 - 8 * byte)) >> 24);
    }
    return sum;
  });
}

inline float as_float(std::uint32_t bits) {
  float number = 0;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number;
}

template <int kTile>
inline void add_bfloat16_products() {
  add_tile_products<kTile>([](std::uint32_t sum, std::uint32_t a, std::uint32_t b) {
    const float total = as_float(sum) + as_float(a << 16) * as_float(b << 16) +
                        as_float(a & 0xFFFF0000U) * as_float(b & 0xFFFF0000U);
    __builtin_memcpy(&sum, &total, sizeof(sum));
    return sum;
  });
}

#else

// The intrinsics need literal register numbers, so each register has its own code.

/// Makes the compiler complete earlier writes to memory, because it does not know all memory that the tile
/// instructions read.
inline void finish_writing(const void* memory) { __asm__ volatile("" ::"r"(memory) : "memory"); }

inline void shape_tiles(const TileShapes& shapes) {
  finish_writing(&shapes);
  _tile_loadconfig(&shapes);
}
inline void release_tiles() { _tile_release(); }

template <int kTile>
inline void clear_tile() {
  static_assert(kTile < kFirstRows);
  if constexpr (kTile == 0) {
    _tile_zero(0);
  } else if constexpr (kTile == 1) {
    _tile_zero(1);
  } else {
    _tile_zero(2);
  }
}

template <int kTile>
inline void load_tile(const void* from, std::int64_t stride) {
  static_assert(kTile >= kFirstRows && kTile <= kWeights);
  if constexpr (kTile == 3) {
    _tile_loadd(3, from, stride);
  } else if constexpr (kTile == 4) {
    _tile_loadd(4, from, stride);
  } else if constexpr (kTile == 5) {
    _tile_loadd(5, from, stride);
  } else {
    _tile_loadd(6, from, stride);
  }
}

template <int kTile>
inline void store_tile(void* to, std::int64_t stride) {
  static_assert(kTile < kFirstRows);
  if constexpr (kTile == 0) {
    _tile_stored(0, to, stride);
  } else if constexpr (kTile == 1) {
    _tile_stored(1, to, stride);
  } else {
    _tile_stored(2, to, stride);
  }
}

/// sums += rows x weights, with rows of unsigned bytes and weights of signed bytes.
template <int kTile>
inline void add_byte_products() {
  if constexpr (kTile == 0) {
    _tile_dpbusd(0, 3, 6);
  } else if constexpr (kTile == 1) {
    _tile_dpbusd(1, 4, 6);
  } else {
    _tile_dpbusd(2, 5, 6);
  }
}

/// sums += rows x weights, with bfloat16 rows and weights.
template <int kTile>
inline void add_bfloat16_products() {
  if constexpr (kTile == 0) {
    _tile_dpbf16ps(0, 3, 6);
  } else if constexpr (kTile == 1) {
    _tile_dpbf16ps(1, 4, 6);
  } else {
    _tile_dpbf16ps(2, 5, 6);
  }
}

#endif

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
