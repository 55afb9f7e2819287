#pragma once

#include "molecules/pages/study.h"

/// The kinds of result folders, and functions that recognise and read them.
namespace molgauge::report {

/// Functions for a folder of `molgauge train` and `molgauge evaluate`. The folder is read as a study with one
/// run.
bool is_run_folder(const std::filesystem::path& folder);
Study read_run_folder(const std::filesystem::path& folder);

/// Functions for a folder of `molgauge baseline`. The folder is read as a study of its finished methods. It
/// is recognised by the options in config.json or, if this file is missing or damaged, by the results of a
/// method.
bool is_baseline_folder(const std::filesystem::path& folder);
Study read_baseline_folder(const std::filesystem::path& folder);

/// Functions for a folder of `molgauge experiment`. They read the runs in plan.csv and their
/// cell.json. A result whose identity differs from the plan counts as missing.
bool is_matrix_folder(const std::filesystem::path& folder);
Study read_matrix_folder(const std::filesystem::path& folder);

}  // namespace molgauge::report
