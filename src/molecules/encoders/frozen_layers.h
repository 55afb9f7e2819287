#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace molgauge::encoders {

/// An inclusive range of layers, counted from 0.
struct LayerNumbers {
  std::int64_t first = 0, last = 0;
};

/// Parses `--freeze-layers`: numbers and ranges separated by commas ("0-12", "0,3-5"), or "none". Ranges are
/// inclusive: 0-12 has 13 layers. Throws UsageError for other text.
std::vector<LayerNumbers> parse_layers(const std::string& text);

/// A mask of frozen layers: element i is layer i. Throws UsageError that names `--freeze-layers` if a layer
/// does not exist, or if no layer remains to train.
std::vector<bool> frozen_layers(const std::vector<LayerNumbers>& frozen, std::int64_t layers);

}  // namespace molgauge::encoders
