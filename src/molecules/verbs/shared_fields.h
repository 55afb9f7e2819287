#pragma once

#include "base/options/report_fields.h"
#include "molgauge/store.h"
#include "molgauge/validation_test_gap.h"

/// Fields of reports that several verbs share.
namespace molgauge {

MOLGAUGE_REPORT_FIELDS(StoreRows, rows)
MOLGAUGE_REPORT_FIELDS(ValidationTestGap, validation_auroc, test_auroc, difference_low, difference_high,
                       is_large)

}  // namespace molgauge
