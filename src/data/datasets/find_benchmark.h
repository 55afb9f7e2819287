#pragma once

#include <string>

namespace headroom::datasets {

/// The file of a benchmark that is named as the Python project names it: a path, or the name of a data set
/// such as "lbap_general_ec50_scaffold" (also with "drugood_" in front) in `data_path`, where DATA/NAME.json,
/// DATA/raw/NAME.json, DATA/drugood/NAME.json and DATA/DrugOOD/NAME.json are looked for, in this order. An
/// empty `data_path`: only paths. Throws InputError with the searched places; for a GOOD data set
/// with the commands that make a benchmark of it.
std::string find_benchmark(const std::string& name, const std::string& data_path);

}  // namespace headroom::datasets
