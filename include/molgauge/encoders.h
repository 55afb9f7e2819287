#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge {

struct EncoderInfo;

/// `molgauge encoders`: lists the encoders. It does not take options.
struct ListEncodersRequest {
  using Report = std::vector<EncoderInfo>;
};

/// An encoder that the option `--encoder` accepts.
struct EncoderInfo {
  std::string name;     ///< "minimol"
  std::string summary;  ///< one line about the encoder
  std::size_t width = 0;
  bool runs_on_gpu = false;
  std::vector<std::string> precisions;  ///< values for --precision; empty if this option has no effect
  bool needs_weights = false;           ///< the encoder works only after `molgauge weights install NAME`
  /// No package contains the weights, so `molgauge weights install` needs `--from FILE`.
  bool needs_weights_file = false;
};

}  // namespace molgauge
