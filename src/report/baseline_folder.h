#pragma once

#include "report/study.h"

namespace headroom::report {

/// By the options in its config.json, or the results of a method: also where config.json is missing or
/// damaged.
bool is_baseline_folder(const std::filesystem::path& folder);

/// A folder of `headroom baseline`, as a study of the methods that are finished.
Study read_baseline_folder(const std::filesystem::path& folder);

}  // namespace headroom::report
