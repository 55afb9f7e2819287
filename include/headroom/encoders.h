#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom {

struct EncoderInfo;

/// `headroom encoders`, without options.
struct ListEncodersRequest {
  using Report = std::vector<EncoderInfo>;
};

/// An encoder that `--encoder` can name.
struct EncoderInfo {
  std::string name;     ///< "minimol"
  std::string summary;  ///< one line
  std::size_t width = 0;
  bool runs_on_gpu = false;
  std::vector<std::string> precisions;  ///< for --precision; empty: it has none
  bool needs_weights = false;           ///< its weights are installed by `headroom weights install NAME`
  bool needs_weights_file = false;      ///< no package has them: they are installed with `--from FILE`
};

}  // namespace headroom
