#include "pipeline/row_table.h"

namespace headroom::pipeline {

store::FeatureSpace feature_space(const encoders::Encoder& encoder) {
  const encoders::EncoderIdentity identity = encoder.identity();
  return {identity.encoder, identity.weights_sha256, identity.options, encoder.width()};
}

}  // namespace headroom::pipeline
