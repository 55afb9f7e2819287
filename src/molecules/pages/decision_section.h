#pragma once

#include "base/page/page.h"
#include "molecules/pages/domain_page.h"

namespace molgauge::report {

/// Adds the section that says which predictions to use, to check and to drop, with counts, reasons and
/// assumptions. Its buttons filter the list of candidates (page/domain.js).
void add_decision_section(const DomainPage& content, page::Page& page);

}  // namespace molgauge::report
