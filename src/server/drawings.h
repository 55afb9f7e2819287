#pragma once

#include "molgauge/engine.h"
#include "server/exchange.h"

/// Answers to /api/v1/depict.
namespace molgauge::serve {

/// Reads the parameters, or the JSON in the body. Throws UsageError and InputError.
DepictRequest depict_request(const Request& request);

/// Returns the drawing as an SVG file, or as JSON if the request accepts JSON. The JSON is {"svg", "reason"},
/// for pages on which users type SMILES. If the SMILES is valid, the reason is empty. Otherwise the drawing
/// is null.
Answer drawing_answer(Engine& engine, const DepictRequest& drawing, bool as_json);

}  // namespace molgauge::serve
