#pragma once

#include <string>

#include "molgauge/domain.h"

namespace molgauge::verbs {

/// Returns a model card in Markdown: the facts that principles 3 and 4 of the OECD for QSAR models ask for
/// (defined domain of applicability, measures of predictivity), with their assumptions. `domain_json`: the
/// content of domain.json.
std::string model_card(const std::string& domain_json, const DomainRequest& request);

}  // namespace molgauge::verbs
