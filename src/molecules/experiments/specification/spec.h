#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/options/value.h"
#include "molgauge/benchmark_draw.h"
#include "molgauge/split.h"

/// The specification of `molgauge experiment`: a matrix of benchmarks, encoders, methods and seeds, as TOML
/// (docs/reference/formats.md).
namespace molgauge::experiment {

/// An option and its values. Several values span a grid.
struct OptionRange {
  std::string name;
  std::vector<options::Value> values;
};

struct BenchmarkSpec {
  std::string name;
  std::string file;                    ///< DrugOOD JSON. Empty if there is a recipe
  std::optional<SplitRequest> recipe;  ///< the request that makes the file. Its field `out` is empty
  /// The file of another benchmark, whose test molecules replace the test molecules of this benchmark. If
  /// empty, they are not replaced.
  std::string test;
  /// Whether to leave out molecules of `test` that were used in training, in any spelling. If false, such
  /// molecules are an error.
  bool drop_trained = false;
  /// Whether to accept molecules that are in several parts of the file and of `test` although these parts
  /// must not overlap.
  bool allow_overlap = false;
  /// Number of ID molecules and of OOD molecules to draw from `test` with the data seed. 0 means all.
  std::size_t test_sample = 0;
  std::size_t line = 0;  ///< line of this section in the specification
};

struct MethodSpec {
  std::string name;
  std::string kind = "energy-head";  ///< kind as in method_kind(): "energy-head", or the name of a baseline
  std::vector<OptionRange> options;
  std::size_t line = 0;
  /// Encoders to which the method applies. If empty, the method applies to all encoders.
  std::vector<std::string> encoders = {};

  bool is_for(const std::string& encoder) const;
};

/// The validation of hard pairs after the runs (molecules/ood/losses/hard_pairs.h).
struct HardPairSpec {
  std::size_t pairs = 10000;  ///< sampled pairs of each run
  std::size_t line = 0;
};

struct Spec {
  std::string file;   ///< name of the file, for messages
  std::string text;   ///< content of the file
  std::string title;  ///< title of the report
  std::vector<std::string> encoders;
  std::size_t encoders_line = 0;                 ///< line of the encoders in the specification
  std::vector<std::uint64_t> seeds = {38};       ///< seeds of weights, dropout and pairs
  std::vector<std::uint64_t> data_seeds = {42};  ///< seeds for drawing molecules
  /// How to draw molecules from every benchmark. draw.data_seed has no effect, because `data_seeds` is used.
  BenchmarkDraw draw;
  /// Options of all methods of a kind, by the section of the kind ("training"). The value that a method sets
  /// itself has priority.
  std::map<std::string, std::vector<OptionRange>> shared;
  std::vector<BenchmarkSpec> benchmarks;
  std::vector<MethodSpec> methods;
  std::optional<HardPairSpec> hard_pairs;  ///< empty if not requested
};

/// Reads a specification. Relative paths start at `data`, or at the folder of the specification if `data` is
/// empty. Throws InputError with file, line and remedy for invalid TOML, an unknown key, a missing file, a
/// duplicate name, table or value, and an empty matrix. Checks only the names and types of options. The
/// training checks combinations of options.
Spec read_spec(const std::filesystem::path& path, const std::filesystem::path& data = {});

}  // namespace molgauge::experiment
