#pragma once

#include <filesystem>

#include "base/core/text/csv.h"
#include "base/runtime/failure_log.h"

namespace molgauge::pipeline {

/// The columns in a CSV file of failed molecules: line, input, reason. If the molecules may come from several
/// files, the column `file` comes first.
enum class FailureColumns { of_one_file, of_several_files };

/// Writes a CSV file with these columns. The rows are in the order of the records.
void write_failures(const std::filesystem::path& path, const FailureLog& failed,
                    CsvTexts texts = CsvTexts::exact, FailureColumns columns = FailureColumns::of_one_file);

}  // namespace molgauge::pipeline
