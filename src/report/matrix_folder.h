#pragma once

#include "report/study.h"

namespace headroom::report {

bool is_matrix_folder(const std::filesystem::path& folder);

/// The runs that plan.csv (else cells.csv) lists, with what their cell.json says. Results that are not of the
/// identity that the plan names count as missing.
Study read_matrix_folder(const std::filesystem::path& folder);

}  // namespace headroom::report
