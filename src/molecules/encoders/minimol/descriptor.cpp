#include "molecules/encoders/minimol/descriptor.h"

#include <utility>

#include "base/core/session/log.h"
#include "molecules/encoders/installed_weights.h"
#include "molecules/encoders/minimol/minimol_encoder.h"
#include "molecules/encoders/minimol/parameters.h"

namespace molgauge::encoders::minimol {
namespace {

std::unique_ptr<Encoder> make(const EncoderSettings& settings, ops::Precision precision) {
  if (precision == ops::Precision::bf16 && !ops::kernels_multiply_bf16()) {
    log_info(
        "--precision bf16: this CPU has no bf16 instructions and multiplies in fp32, which is not faster "
        "than fp32");
  }
  InstalledWeights installed = read_installed_weights(descriptor(), settings.weights);
  return std::make_unique<CpuMinimolEncoder>(std::move(installed.tensors), std::move(installed.sha256),
                                             precision);
}

}  // namespace

EncoderDescriptor descriptor() {
  EncoderDescriptor minimol;
  minimol.name = "minimol";
  minimol.summary = "MiniMol's fingerprints, pretrained on about 6 million molecules";
  minimol.width = kFingerprintWidth;
  minimol.runs_on_gpu = true;
  minimol.precisions = {ops::Precision::fp32, ops::Precision::bf16, ops::Precision::int8};
  minimol.layer_width = kHiddenWidth;
  minimol.weights = {
      .encoder = "minimol",
      .package = "minimol",
      .version = "1.3.5",
      .member = "minimol/ckpts/minimol_v1/state_dict.pth",
      .checkpoint_sha256 = "a3061e1cdbbd5e544168fbf8c1e01836c8c19ac030891d495a2ae9f29cfe97a7",
  };
  minimol.select_weights = select_tensors;
  minimol.make = make;
  return minimol;
}

}  // namespace molgauge::encoders::minimol
