#pragma once

#include "pages/study/study.h"

/// The kinds of result folders: how each is recognised and read.
namespace headroom::report {

/// A folder of `headroom train` and `headroom evaluate`, as a study of one run.
bool is_run_folder(const std::filesystem::path& folder);
Study read_run_folder(const std::filesystem::path& folder);

/// A folder of `headroom baseline`, as a study of its finished methods. It is recognised by the options in
/// its config.json, or by the results of a method if config.json is missing or damaged.
bool is_baseline_folder(const std::filesystem::path& folder);
Study read_baseline_folder(const std::filesystem::path& folder);

/// A folder of `headroom experiment`: the runs that plan.csv (else cells.csv) lists, with what their
/// cell.json says. Results that are not of the identity that the plan names count as missing.
bool is_matrix_folder(const std::filesystem::path& folder);
Study read_matrix_folder(const std::filesystem::path& folder);

}  // namespace headroom::report
