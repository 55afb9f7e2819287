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
  std::string summary;  ///< one line about the encoder
  std::size_t width = 0;
  bool runs_on_gpu = false;
  std::vector<std::string> precisions;  ///< values for --precision; empty if there are none
  bool needs_weights = false;           ///< the weights are installed by `headroom weights install NAME`
  bool needs_weights_file = false;      ///< no package has the weights, so they are installed with `--from
                                        ///< FILE`
};

}  // namespace headroom
