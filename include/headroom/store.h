#pragma once

#include "headroom/types.h"

namespace headroom {

struct StoreDatabase {
  std::string name, encoder, weights_sha256, options;
  std::size_t width = 0, rows = 0;
  std::uint64_t bytes = 0;
};

struct StoreInfo {
  std::string folder;
  std::vector<StoreDatabase> databases;
  std::uint64_t bytes_used = 0, bytes_on_disk = 0;
};

struct StoreVerification {
  std::size_t rows = 0, damaged = 0;
  std::vector<std::string> findings;  ///< what is damaged, one line each
};

struct WeightsInfo {
  std::string encoder, source, version, sha256, folder;
  std::size_t tensors = 0;
  std::uint64_t numbers = 0;
  std::string problem;  ///< empty when the files are whole
};

struct InstallWeightsRequest {
  std::string encoder = "minimol";
  std::string from;     ///< wheel, .pth, .safetensors or folder; empty: the PyPI wheel, through pip
  std::string weights;  ///< where to; empty: $HEADROOM_HOME/weights
};

}  // namespace headroom
