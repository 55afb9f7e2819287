#pragma once

#include <filesystem>

#include "core/csv.h"
#include "runtime/failure_log.h"

namespace headroom::pipeline {

/// The columns of a CSV of failed molecules: line, input, reason; preceded by file where the molecules may
/// come from several files.
enum class FailureColumns { of_one_file, of_several_files };

/// Writes such a CSV, in the order of the records.
void write_failures(const std::filesystem::path& path, const FailureLog& failed,
                    CsvTexts texts = CsvTexts::exact, FailureColumns columns = FailureColumns::of_one_file);

}  // namespace headroom::pipeline
