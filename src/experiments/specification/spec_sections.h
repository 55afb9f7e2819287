#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/specification/method_kinds.h"
#include "experiments/specification/spec.h"
#include "experiments/specification/toml_reader.h"
#include "options/option.h"

/// The sections of a specification, each read from its table. Every function throws InputError naming file,
/// line and fix.
namespace headroom::experiment {

/// Sets the options of a request that may be in the section, as far as the section has them.
void read_section(TomlTable& table, const options::MutableView& request, options::Section section);

/// Reads encoders, seeds and the draw of every benchmark.
void read_matrix(TomlTable& table, Spec& spec);

/// Reads a file or a recipe for one. Files are looked up in `data`.
BenchmarkSpec read_benchmark(TomlTable& table, const std::filesystem::path& data);

MethodSpec read_method(TomlTable& table);

/// Every remaining key is an option of the methods `of` a kind: of the one with this `kind`, or of all if
/// `kind` is the kind's own name.
std::vector<OptionRange> read_options(TomlTable& table, const MethodKind& of, const std::string& kind);

HardPairSpec read_hard_pairs(TomlTable& table);

/// Reads a `name` that can be a folder and a cell of a table. `what`: "benchmark", say, for the message.
std::string read_name(TomlTable& table, const char* what);

}  // namespace headroom::experiment
