#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "headroom/benchmark_draw.h"
#include "headroom/split.h"
#include "options/value.h"

/// The specification of `headroom experiment`: a matrix of benchmarks, encoders, methods and seeds, as TOML
/// (docs/reference/formats.md).
namespace headroom::experiment {

/// An option and the values it takes; more than one span a grid.
struct OptionRange {
  std::string name;
  std::vector<options::Value> values;
};

struct BenchmarkSpec {
  std::string name;
  std::string file;                    ///< DrugOOD JSON; empty where there is a recipe
  std::optional<SplitRequest> recipe;  ///< makes the file; `out` is empty
  /// Another benchmark, all of whose test molecules replace those of this one; empty: its own.
  std::string test;
  /// Test molecules of `test` that are in the training, in any spelling, are left out; otherwise they are
  /// refused.
  bool drop_trained = false;
  /// Accepts molecules in parts that must not share any, of the file and of `test`.
  bool allow_overlap = false;
  /// Molecules that are then drawn from each side of `test`, by the data seed; 0: all.
  std::size_t test_sample = 0;
  std::size_t line = 0;  ///< line in the specification
};

struct MethodSpec {
  std::string name;
  std::string kind = "energy-head";  ///< as for method_kind(): "energy-head", or the name of a baseline
  std::vector<OptionRange> options;
  std::size_t line = 0;
  std::vector<std::string> encoders = {};  ///< those of the specification's that it is for; empty: all

  bool is_for(const std::string& encoder) const;
};

/// The validation of hard pairs (models/ood/losses/hard_pairs.h), done after the runs.
struct HardPairSpec {
  std::size_t pairs = 10000;  ///< sampled pairs of each run
  std::size_t line = 0;
};

struct Spec {
  std::string file;   ///< for messages
  std::string title;  ///< title of the report
  std::vector<std::string> encoders;
  std::size_t encoders_line = 0;                 ///< line in the specification
  std::vector<std::uint64_t> seeds = {38};       ///< seeds of weights, dropout and pairs
  std::vector<std::uint64_t> data_seeds = {42};  ///< seeds of the drawing of molecules
  BenchmarkDraw draw;                            ///< for every benchmark; its data seed is not used
  /// Options of all methods of a kind, by its section ("training"); a method's own value has priority.
  std::map<std::string, std::vector<OptionRange>> shared;
  std::vector<BenchmarkSpec> benchmarks;
  std::vector<MethodSpec> methods;
  std::optional<HardPairSpec> hard_pairs;  ///< none: not requested
};

/// Reads a specification. Files it names are looked up in `data`, or if that is empty in the folder of the
/// specification. Throws InputError naming file, line and fix on unknown content, on an unknown key, a
/// missing file, a name, table or value that occurs twice, and an empty matrix. Options are checked by name
/// and kind; the training checks whether they go together.
Spec read_spec(const std::filesystem::path& path, const std::filesystem::path& data = {});

}  // namespace headroom::experiment
