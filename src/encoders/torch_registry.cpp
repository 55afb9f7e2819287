#include "encoders/torch_registry.h"

#include <fmt/format.h>

#include "core/error.h"
#include "encoders/minimol/installed_weights.h"
#include "encoders/minimol/torch_encoder.h"
#include "torch/precision.h"

namespace headroom::encoders {

std::unique_ptr<Encoder> make_torch_encoder(const std::string& name, const EncoderSettings& settings,
                                            c10::Device device) {
  require_encoder_name(name);
  if (!runs_on_gpu(name)) {
    throw UsageError(fmt::format("--device {}: the encoder {} runs on the CPU alone; leave --device out",
                                 device.str(), name));
  }
  const ops::Precision precision = torch::parse_precision(settings.precision);
  const minimol::InstalledWeights installed = minimol::read_installed_weights(settings.weights);
  return std::make_unique<minimol::TorchMinimolEncoder>(installed.tensors, device, installed.sha256,
                                                        precision);
}

}  // namespace headroom::encoders
