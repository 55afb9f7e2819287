#include "molecules/encoders/ecfp/descriptor.h"

#include "molecules/encoders/ecfp/ecfp_encoder.h"

namespace molgauge::encoders::ecfp {
namespace {

std::unique_ptr<Encoder> make(const EncoderSettings& /*settings*/, ops::Precision /*precision*/) {
  return std::make_unique<EcfpEncoder>();
}

}  // namespace

EncoderDescriptor descriptor() {
  EncoderDescriptor ecfp;
  ecfp.name = "ecfp";
  ecfp.summary = "Folded Morgan counts of radius 2, without weights";
  ecfp.width = EcfpEncoder::kWidth;
  ecfp.make = make;
  return ecfp;
}

}  // namespace molgauge::encoders::ecfp
