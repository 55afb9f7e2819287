#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "molecules/experiments/matrix/matrix.h"

/// Functions that read JSON files of run folders. Any field may be missing.
namespace molgauge::report {

/// Reads a JSON file of a run. If it is missing or damaged, returns an empty object and adds a gap.
nlohmann::ordered_json read_json(const std::filesystem::path& path, std::vector<std::string>& gaps);

/// Name and value of every field that is not an object or list.
std::vector<std::pair<std::string, std::string>> fields_of(const nlohmann::ordered_json& object);

std::string text_field(const nlohmann::ordered_json& object, const char* key, const std::string& otherwise);
/// Returns NaN if the field is missing.
double number_field(const nlohmann::ordered_json& object, const char* key);
/// Returns 0 if the field is missing.
std::size_t count_field(const nlohmann::ordered_json& object, const char* key);

/// Reads benchmark, encoder and seeds from the config.json of a run. Method and kind stay empty.
matrix::Cell cell_of_config(const nlohmann::ordered_json& config);

/// Whether AUROC, AUPR and FPR95 are known.
bool has_figures(const matrix::CellResult& result);

}  // namespace molgauge::report
