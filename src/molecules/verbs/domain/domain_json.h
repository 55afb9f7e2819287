#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/decision.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/predictions/prediction_words.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// The content of domain.json and of the settings on the page.
struct DomainResult {
  const DomainRequest& request;
  const domain::SavedDomain& saved;
  const DomainReport& report;
  domain::Levels levels;
  std::size_t candidates = 0;
  const PredictionCounts* predictions = nullptr;  ///< null if predictions are not judged
  /// The form that the chemprop model predicts. Empty without such a model.
  std::optional<Standardize> predicted_form = {};
  const domain::DecisionRules& rules;
  domain::DecisionCounts decisions = {};
  std::string candidates_sha256;  ///< empty if the candidates are not a file
};

/// Returns the content of domain.json.
std::string domain_json(const DomainResult& result);

/// Returns the settings for the page, as pairs of a name and a text.
std::vector<std::pair<std::string, std::string>> domain_settings(const DomainResult& result);

}  // namespace molgauge::verbs
