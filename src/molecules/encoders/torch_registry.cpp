#include "molecules/encoders/torch_registry.h"

#include <map>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/numerics/torch/precision.h"
#include "molecules/encoders/installed_weights.h"
#include "molecules/encoders/minimol/torch_encoder.h"
#include "molecules/encoders/tuned_tensors.h"
#include "molecules/encoders/unimol/descriptor.h"
#include "molecules/encoders/unimol/torch_encoder.h"

namespace molgauge::encoders {
namespace {

using Make = std::unique_ptr<Encoder> (*)(InstalledWeights& installed, const EncoderSettings& settings,
                                          c10::Device device, ops::Precision precision);

std::unique_ptr<Encoder> make_minimol(InstalledWeights& installed, const EncoderSettings& /*settings*/,
                                      c10::Device device, ops::Precision precision) {
  return std::make_unique<minimol::TorchMinimolEncoder>(installed.tensors, device, installed.sha256,
                                                        precision);
}

std::unique_ptr<Encoder> make_unimol(InstalledWeights& installed, const EncoderSettings& settings,
                                     c10::Device device, ops::Precision precision) {
  std::string tuned;
  if (!settings.tuned.empty()) {
    tuned = replace_by_tuned(installed.tensors, settings.tuned);
  }
  return std::make_unique<unimol::TorchUnimolEncoder>(
      installed.tensors, device, unimol::origin_of(installed, std::move(tuned)),
      unimol::choice_of(settings.placement, precision, settings.fine));
}

const std::map<std::string, Make>& makers() {
  static const std::map<std::string, Make> makers = {{"minimol", make_minimol}, {"unimol", make_unimol}};
  return makers;
}

}  // namespace

std::unique_ptr<Encoder> make_torch_encoder(const std::string& name, const EncoderSettings& settings,
                                            c10::Device device) {
  const EncoderDescriptor& encoder = require_encoder(name);
  const auto maker = makers().find(name);
  if (maker == makers().end()) {
    throw UsageError(fmt::format("--device {}: the encoder {} runs only on the CPU. Leave --device out",
                                 device.str(), name));
  }
  const ops::Precision precision = torch::parse_precision(settings.precision);
  InstalledWeights installed = read_installed_weights(encoder, settings.weights);
  return maker->second(installed, settings, device, precision);
}

}  // namespace molgauge::encoders
