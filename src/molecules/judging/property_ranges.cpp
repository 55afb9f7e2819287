#include "molecules/judging/property_ranges.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace molgauge::domain {
namespace {

constexpr std::size_t kMinInPropertyTail = 20;
constexpr double kLeastExcess = 1e-3;

/// Mean difference between the `tail` last of the ascending numbers and the number before them.
template <typename Iterator>
double mean_outer_excess(Iterator first, std::size_t tail) {
  double sum = 0;
  for (std::size_t i = 0; i < tail; ++i) {
    sum += std::abs(static_cast<double>(first[static_cast<std::ptrdiff_t>(i)]) -
                    first[static_cast<std::ptrdiff_t>(tail)]);
  }
  return std::max(kLeastExcess, sum / static_cast<double>(tail));
}

std::string share_words(double share) {
  return share > 0 ? fmt::format("{:.2g} % of the training molecules have", 100 * share)
                   : "no training molecule has";
}

}  // namespace

MoleculeProperties properties_of(const chem::Description& molecule) {
  MoleculeProperties properties{{static_cast<float>(molecule.heavy_atoms), static_cast<float>(molecule.log_p),
                                 static_cast<float>(molecule.charge)},
                                {}};
  for (const std::uint8_t element : molecule.elements) {
    properties.elements.set(std::min<std::size_t>(element, MoleculeProperties::kElements - 1));
  }
  return properties;
}

PropertyRanges::PropertyRanges(std::span<const MoleculeProperties> training) : molecules_(training.size()) {
  for (std::size_t i = 0; i < MoleculeProperties::kNumbers; ++i) {
    std::vector<float>& sorted = numbers_[i].sorted;
    for (const MoleculeProperties& molecule : training) {
      sorted.push_back(molecule.numbers[i]);
    }
    std::sort(sorted.begin(), sorted.end());
    const std::size_t tail = std::max(kMinInPropertyTail, sorted.size() / 10);
    if (tail < sorted.size()) {
      numbers_[i].low_excess = mean_outer_excess(sorted.begin(), tail);
      numbers_[i].high_excess = mean_outer_excess(sorted.rbegin(), tail);
    }
  }
  for (const MoleculeProperties& molecule : training) {
    for (std::size_t element = 0; element < MoleculeProperties::kElements; ++element) {
      with_element_[element] += molecule.elements[element] ? 1 : 0;
    }
  }
}

double PropertyRanges::surprise_of(const Numbers& numbers, float value, bool is_member) const {
  const std::vector<float>& sorted = numbers.sorted;
  const auto as_large = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), value);
  const auto as_small = std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  // A left-out molecule is one of both counts.
  const double own = is_member ? 0 : 1, all = static_cast<double>(molecules_) + own;
  const double p = 2 * (static_cast<double>(std::min(as_large, as_small)) + own) / all;
  const double beyond = std::max({0.0, (static_cast<double>(value) - sorted.back()) / numbers.high_excess,
                                  (static_cast<double>(sorted.front()) - value) / numbers.low_excess});
  return -std::log(std::min(1.0, p)) + beyond;
}

PropertySurprise PropertyRanges::surprise(const MoleculeProperties& molecule, bool is_member) const {
  PropertySurprise largest;
  const auto offer = [&](double value, PropertySurprise::Property property, std::size_t element) {
    if (static_cast<float>(value) > largest.value) {
      largest = {static_cast<float>(value), property, static_cast<std::uint8_t>(element)};
    }
  };
  for (std::size_t i = 0; i < MoleculeProperties::kNumbers; ++i) {
    offer(surprise_of(numbers_[i], molecule.numbers[i], is_member),
          static_cast<PropertySurprise::Property>(i), 0);
  }
  const double own = is_member ? 0 : 1, all = static_cast<double>(molecules_) + own;
  for (std::size_t element = 0; element < MoleculeProperties::kElements; ++element) {
    if (molecule.elements[element]) {
      offer(-std::log((with_element_[element] + own) / all), PropertySurprise::Property::element, element);
    }
  }
  return largest;
}

std::string PropertyRanges::words(const MoleculeProperties& molecule,
                                  const PropertySurprise& surprise) const {
  const auto all = static_cast<double>(molecules_);
  if (surprise.property == PropertySurprise::Property::element) {
    return fmt::format("element {} ({} it)", chem::element_symbol(surprise.element),
                       share_words(with_element_[surprise.element] / all));
  }
  const auto index = static_cast<std::size_t>(surprise.property);
  const std::vector<float>& sorted = numbers_[index].sorted;
  const float value = molecule.numbers[index];
  const auto as_large = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), value);
  const auto as_small = std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  const bool is_large = as_large < as_small;
  const std::string share = share_words(static_cast<double>(std::min(as_large, as_small)) / all);
  switch (surprise.property) {
    case PropertySurprise::Property::heavy_atoms:
      return fmt::format("{:.0f} heavy atoms ({} as {})", value, share, is_large ? "many" : "few");
    case PropertySurprise::Property::log_p:
      return fmt::format("log P {:.1f} ({} one as {})", value, share, is_large ? "high" : "low");
    default:
      return fmt::format("charge {:+.0f} ({} one as {})", value, share, is_large ? "high" : "low");
  }
}

}  // namespace molgauge::domain
