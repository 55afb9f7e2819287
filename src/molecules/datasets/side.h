#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace molgauge::datasets {

/// The sides of a benchmark: molecules in and out of distribution, for training, validation and test.
enum class Side : std::uint8_t { train_id, train_ood, val_id, val_ood, test_id, test_ood };

/// All sides, in the order in which the enum declares them.
inline constexpr std::array kSides = {Side::train_id, Side::train_ood, Side::val_id,
                                      Side::val_ood,  Side::test_id,   Side::test_ood};

/// Returns a name such as "train_id", as in files and messages.
constexpr const char* to_string(Side side) {
  switch (side) {
    case Side::train_id:
      return "train_id";
    case Side::train_ood:
      return "train_ood";
    case Side::val_id:
      return "val_id";
    case Side::val_ood:
      return "val_ood";
    case Side::test_id:
      return "test_id";
    case Side::test_ood:
      break;
  }
  return "test_ood";
}

constexpr bool is_test(Side side) { return side == Side::test_id || side == Side::test_ood; }

/// The number that is added to the data seed before a side is drawn. The numbers follow the published
/// program, because the drawn molecules depend on them.
constexpr std::uint64_t seed_offset(Side side) { return static_cast<std::uint64_t>(side); }

/// A value for each side.
template <typename Value>
class BySide {
 public:
  Value& operator[](Side side) { return values_[static_cast<std::size_t>(side)]; }
  const Value& operator[](Side side) const { return values_[static_cast<std::size_t>(side)]; }

 private:
  std::array<Value, kSides.size()> values_ = {};
};

}  // namespace molgauge::datasets
