#pragma once

#include "molgauge/pocket_train.h"
#include "pockets/training/options.h"

namespace molgauge::pocket {

/// The shape of an encoder whose rows have `output` numbers. Throws UsageError with the option that is
/// invalid or has no effect with the other options.
EncoderShape encoder_shape(const PocketEncoderOptions& options, std::int64_t output);

/// The options of a request. Throws UsageError as encoder_shape() does.
TrainingOptions training_options(const PocketTrainRequest& request, std::int64_t output);

}  // namespace molgauge::pocket
