#include "molecules/encoding/pipeline/row_table.h"

#include "molecules/chem/conformers/made_conformer.h"

namespace molgauge::pipeline {

store::FeatureSpace feature_space(const encoders::Encoder& encoder) {
  encoders::EncoderIdentity identity = encoder.identity();
  if (encoder.perception().coordinates != chem::Coordinates::none) {
    identity.options += ";conformers=" + chem::conformer_recipe(encoder.conformer_engine());
  }
  return {identity.encoder, identity.weights_sha256, identity.options, encoder.width()};
}

}  // namespace molgauge::pipeline
