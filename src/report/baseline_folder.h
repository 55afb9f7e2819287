#pragma once

#include "report/study.h"

namespace headroom::report {

/// Recognised by the options in its config.json, or by the results of a method if config.json is missing or
/// damaged.
bool is_baseline_folder(const std::filesystem::path& folder);

/// A folder of `headroom baseline`, as a study of its finished methods.
Study read_baseline_folder(const std::filesystem::path& folder);

}  // namespace headroom::report
