#include "molecules/encoders/frozen_layers.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::encoders {
namespace {

/// The largest layer number that parse_layers() accepts. Encoders have only dozens of layers, and the limit
/// prevents overflow in sums.
constexpr std::int64_t kMaxLayers = 100'000;

[[noreturn]] void refuse_text(const std::string& text) {
  throw UsageError(
      fmt::format("--freeze-layers '{}': is not a list of layers. Give numbers and ranges, such as 0-12 or "
                  "0,3-5, or none",
                  text));
}

std::int64_t number_in(std::string_view digits, const std::string& text) {
  std::int64_t number = -1;
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, number);
  if (problem != std::errc() || stop != end || number < 0 || number > kMaxLayers) {
    refuse_text(text);
  }
  return number;
}

}  // namespace

std::vector<LayerNumbers> parse_layers(const std::string& text) {
  std::vector<LayerNumbers> layers;
  if (text == "none") {
    return layers;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view part = std::string_view(text).substr(begin, comma - begin);
    const std::size_t dash = part.find('-');
    const std::int64_t first = number_in(part.substr(0, dash), text);
    const std::int64_t last = dash == std::string_view::npos ? first : number_in(part.substr(dash + 1), text);
    if (last < first) {
      refuse_text(text);
    }
    layers.push_back({first, last});
    begin = comma + 1;
  }
  return layers;
}

std::vector<bool> frozen_layers(const std::vector<LayerNumbers>& frozen, std::int64_t layers) {
  std::vector<bool> is_frozen(static_cast<std::size_t>(layers), false);
  for (const auto& [first, last] : frozen) {
    if (last >= layers) {
      throw UsageError(fmt::format("--freeze-layers: there is no layer {}. The encoder's layers are 0 to {}",
                                   last, layers - 1));
    }
    std::fill(is_frozen.begin() + first, is_frozen.begin() + last + 1, true);
  }
  if (std::find(is_frozen.begin(), is_frozen.end(), false) == is_frozen.end()) {
    throw UsageError(
        fmt::format("--freeze-layers: all {} layers are frozen, so none can be trained. Freeze fewer, or "
                    "leave out --finetune-encoder",
                    layers));
  }
  return is_frozen;
}

}  // namespace molgauge::encoders
