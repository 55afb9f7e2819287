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

/// What `headroom experiment` is told: a matrix of benchmarks, encoders, methods and seeds, as TOML
/// (docs/formats.md).
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
  /// Another benchmark, all of whose test molecules take the place of this one's; empty: its own.
  std::string test;
  /// Test molecules of `test` that training has seen, in any spelling, are left out; otherwise they are
  /// refused.
  bool drop_trained = false;
  /// Molecules in parts that must not share any are accepted, of the file and of `test`.
  bool allow_overlap = false;
  /// Molecules drawn of each side of `test`, after that, by the data seed; 0: all.
  std::size_t test_sample = 0;
  std::size_t line = 0;  ///< of the specification
};

struct MethodSpec {
  std::string name;
  std::string kind = "energy-head";  ///< as method_kind() takes it: "energy-head", or the name of a baseline
  std::vector<OptionRange> options;
  std::size_t line = 0;
};

/// Which pairs of test molecules move an energy head (ood/hard_pairs.h), looked at after the runs.
struct HardPairSpec {
  std::size_t pairs = 10000;  ///< sampled a run
  std::size_t line = 0;
};

struct Spec {
  std::string file;   ///< for messages
  std::string title;  ///< of the report
  std::vector<std::string> encoders;
  std::size_t encoders_line = 0;                 ///< of the specification
  std::vector<std::uint64_t> seeds = {38};       ///< of weights, dropout and pairs
  std::vector<std::uint64_t> data_seeds = {42};  ///< of the drawing of molecules
  BenchmarkDraw draw;                            ///< for every benchmark; its data seed counts for none
  /// Of every method of a kind, by the kind's section ("training"); a method's own value goes before it.
  std::map<std::string, std::vector<OptionRange>> shared;
  std::vector<BenchmarkSpec> benchmarks;
  std::vector<MethodSpec> methods;
  std::optional<HardPairSpec> hard_pairs;  ///< none: not asked for
};

/// Reads a specification. Files it names are looked for in `data`, or where that is empty in the folder of
/// the specification. Throws InputError naming file, line and fix on anything that is not understood, on an
/// unknown key, a file that is not there, a name, table or value that stands twice, and an empty matrix.
/// Options are checked by name and kind; whether they go together is for training to say.
Spec read_spec(const std::filesystem::path& path, const std::filesystem::path& data = {});

}  // namespace headroom::experiment
