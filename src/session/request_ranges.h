#pragma once

#include "headroom/engine.h"

namespace headroom::session {

// The numbers of a request against the ranges of the options that they are (core/option_range.h), before
// anything else is done. What a training or a classifier takes is checked where its options are made
// (ood::training_options, baselines::classifier_options), which a specification of a matrix passes through as
// well. Throw UsageError naming the option, the value and the range.

void require_ranges(const EncodeRequest& request);
void require_ranges(const ConformersRequest& request);
void require_ranges(const SplitRequest& request);
void require_ranges(const TrainRequest& request);
void require_ranges(const EvaluateRequest& request);
void require_ranges(const ScoreRequest& request);
void require_ranges(const DomainRequest& request);
void require_ranges(const BaselineRequest& request);
void require_ranges(const ReportRequest& request);
void require_ranges(const ExperimentRequest& request);
void require_ranges(const PlanMemoryRequest& request);
void require_ranges(const ImportFeaturesRequest& request);

}  // namespace headroom::session
