#pragma once

#include <string>

namespace molgauge::datasets {

/// Finds the file of a benchmark. `name` is a path, or a data set name of the Python project such as
/// "lbap_general_ec50_scaffold", also with the prefix "drugood_". In `data_path` it tries DATA/NAME.json,
/// DATA/raw/NAME.json, DATA/drugood/NAME.json and DATA/DrugOOD/NAME.json, in this order. If `data_path` is
/// empty, only paths are allowed. If no file is found, throws InputError, which lists the tried paths. If
/// `name` is a GOOD data set, the message shows the commands that create a benchmark from it.
std::string find_benchmark(const std::string& name, const std::string& data_path);

}  // namespace molgauge::datasets
