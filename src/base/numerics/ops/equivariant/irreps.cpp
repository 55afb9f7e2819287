#include "base/numerics/ops/equivariant/irreps.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::ops {
namespace {

constexpr std::int64_t kMaxNumbers = 1'000'000;

[[noreturn]] void refuse(std::string_view text, std::string_view part, const std::string& reason) {
  throw UsageError(fmt::format(
      "irreps \"{}\": \"{}\" {}. Write blocks like 32x0e + 16x1o, with degrees up to {} and parity e or o",
      text, part, reason, Irreps::kMaxDegree));
}

std::string_view without_blanks_around(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Parses all of `digits` as a number. Returns -1 if it is not a number.
std::int64_t number_of(std::string_view digits) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? number : -1;
}

IrrepBlock parse_block(std::string_view text, std::string_view part) {
  const std::size_t times = part.find('x');
  IrrepBlock block{.multiplicity = 1};
  if (times != std::string_view::npos) {
    block.multiplicity = number_of(part.substr(0, times));
    if (block.multiplicity < 1 || block.multiplicity > kMaxNumbers) {
      refuse(text, part, fmt::format("has no multiplicity from 1 to {}", kMaxNumbers));
    }
  }
  const std::string_view kind = times == std::string_view::npos ? part : part.substr(times + 1);
  if (kind.size() < 2 || (kind.back() != 'e' && kind.back() != 'o')) {
    refuse(text, part, "does not end with a degree and a parity");
  }
  const std::int64_t degree = number_of(kind.substr(0, kind.size() - 1));
  if (degree < 0 || degree > Irreps::kMaxDegree) {
    refuse(text, part, "has no known degree");
  }
  block.degree = static_cast<int>(degree);
  block.parity = kind.back() == 'e' ? Parity::even : Parity::odd;
  return block;
}

}  // namespace

Irreps::Irreps(std::vector<IrrepBlock> blocks) : blocks_(std::move(blocks)) {
  for (const IrrepBlock& block : blocks_) {
    offsets_.push_back(offsets_.back() + block.width());
  }
}

Irreps Irreps::parse(std::string_view text) {
  std::vector<IrrepBlock> blocks;
  std::int64_t width = 0;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find('+', first), text.size());
    const std::string_view part = without_blanks_around(text.substr(first, end - first));
    blocks.push_back(parse_block(text, part));
    width += blocks.back().width();
    if (width > kMaxNumbers) {
      refuse(text, part, fmt::format("makes rows of more than {} numbers", kMaxNumbers));
    }
    first = end + 1;
  }
  return Irreps(std::move(blocks));
}

Irreps Irreps::harmonics(int most) {
  std::vector<IrrepBlock> blocks;
  for (int degree = 0; degree <= most; ++degree) {
    blocks.push_back({1, degree, degree % 2 == 0 ? Parity::even : Parity::odd});
  }
  return Irreps(std::move(blocks));
}

std::int64_t Irreps::channels() const {
  std::int64_t channels = 0;
  for (const IrrepBlock& block : blocks_) {
    channels += block.multiplicity;
  }
  return channels;
}

std::int64_t Irreps::channels_of_kind(const IrrepBlock& block) const {
  std::int64_t channels = 0;
  for (const IrrepBlock& other : blocks_) {
    channels += other.is_same_kind(block) ? other.multiplicity : 0;
  }
  return channels;
}

std::string Irreps::to_string() const {
  std::string text;
  for (const IrrepBlock& block : blocks_) {
    text += fmt::format("{}{}x{}{}", text.empty() ? "" : " + ", block.multiplicity, block.degree,
                        block.parity == Parity::even ? 'e' : 'o');
  }
  return text;
}

}  // namespace molgauge::ops
