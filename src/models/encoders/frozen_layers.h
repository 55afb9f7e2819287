#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::encoders {

/// Layers by their numbers from 0 on, both included.
struct LayerNumbers {
  std::int64_t first = 0, last = 0;
};

/// Reads `--freeze-layers`: numbers and ranges with commas between them ("0-12", "0,3-5"), or "none" for an
/// empty list. A range holds both of its ends: 0-12 are 13 layers. Throws UsageError on any other text.
std::vector<LayerNumbers> parse_layers(const std::string& text);

/// Which of an encoder's layers these are: element i is layer i. Throws UsageError naming `--freeze-layers`
/// when one is not among the layers, or when they are all of them, so that none is left to train.
std::vector<bool> frozen_layers(const std::vector<LayerNumbers>& frozen, std::int64_t layers);

}  // namespace headroom::encoders
