#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "experiments/matrix/matrix.h"

/// Readers of the JSON files of run folders, in which any field may be missing.
namespace headroom::report {

/// A JSON file of a run; an empty object where it is missing or damaged, which becomes a gap.
nlohmann::ordered_json read_json(const std::filesystem::path& path, std::vector<std::string>& gaps);

/// Name and value of every plain field.
std::vector<std::pair<std::string, std::string>> fields_of(const nlohmann::ordered_json& object);

std::string text_field(const nlohmann::ordered_json& object, const char* key, const std::string& otherwise);
/// NaN where the field is missing.
double number_field(const nlohmann::ordered_json& object, const char* key);
/// 0 where the field is missing.
std::size_t count_field(const nlohmann::ordered_json& object, const char* key);

/// Benchmark, encoder and seeds as a run's config.json names them; method and kind are left empty.
matrix::Cell cell_of_config(const nlohmann::ordered_json& config);

/// Whether AUROC, AUPR and FPR95 are known.
bool has_figures(const matrix::CellResult& result);

}  // namespace headroom::report
