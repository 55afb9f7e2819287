#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/options/option.h"
#include "molecules/experiments/specification/method_kinds.h"
#include "molecules/experiments/specification/spec.h"
#include "molecules/experiments/specification/toml_reader.h"

/// Functions that read the sections of a specification. Each function throws InputError with the file, the
/// line and a remedy.
namespace molgauge::experiment {

/// Sets the options of `request` that belong to `section` and are in the table.
void read_section(TomlTable& table, const options::MutableView& request, options::Section section);

/// Reads encoders, seeds and the rules for drawing molecules.
void read_matrix(TomlTable& table, Spec& spec);

/// Reads the section of a benchmark. The section names either a finished file, or a table of molecules and
/// the options of `molgauge split` that make the file. Relative paths are relative to the folder `data`.
BenchmarkSpec read_benchmark(TomlTable& table, const std::filesystem::path& data);

MethodSpec read_method(TomlTable& table);

/// Reads every remaining key of the table as an option. If `kind` is the name of `of`, the options apply to
/// all methods of `of`. Otherwise they apply to the methods whose key `kind` has this value.
std::vector<OptionRange> read_options(TomlTable& table, const MethodKind& of, const std::string& kind);

HardPairSpec read_hard_pairs(TomlTable& table);

/// Reads a `name`, and checks that it can be the name of a folder and a cell of a table. `what`: noun for the
/// message, for example "benchmark".
std::string read_name(TomlTable& table, const char* what);

}  // namespace molgauge::experiment
