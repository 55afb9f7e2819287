#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/study.h"

namespace headroom::report {

bool is_run_folder(const std::filesystem::path& folder);

/// A folder of `headroom train` and `headroom evaluate`, as a study of one run.
Study read_run_folder(const std::filesystem::path& folder);

/// A JSON file of a run; an empty object where it is missing or damaged, which becomes a gap.
nlohmann::ordered_json read_json(const std::filesystem::path& path, std::vector<std::string>& gaps);

/// Name and value of every plain field.
std::vector<std::pair<std::string, std::string>> fields_of(const nlohmann::ordered_json& object);

}  // namespace headroom::report
