#pragma once

#include "report/study.h"

namespace headroom::report {

bool is_run_folder(const std::filesystem::path& folder);

/// A folder of `headroom train` and `headroom evaluate`, as a study of one run.
Study read_run_folder(const std::filesystem::path& folder);

}  // namespace headroom::report
