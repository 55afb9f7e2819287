#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "base/runtime/failure_log.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molecules/experiments/specification/spec.h"

namespace molgauge::verbs {

/// The benchmarks of a matrix, drawn for every data seed.
class MatrixBenchmarks {
 public:
  /// Makes the benchmarks of recipes in `folder`/benchmarks and reads all benchmarks. A recipe with the same
  /// molecules and settings is made only once. Appends invalid records to `failed` and removes them from
  /// every run. Every Error becomes an InputError with the line of the specification.
  MatrixBenchmarks(const experiment::Spec& spec, const std::filesystem::path& folder,
                   const ComputeOptions& compute, pipeline::FailureLog& failed);

  /// The drawn benchmark. The specification can replace its test molecules with the test molecules of another
  /// benchmark.
  const datasets::OodBenchmark& drawn(const std::string& benchmark, std::uint64_t data_seed) const;
  const std::string& file(const std::string& benchmark) const { return files_.at(benchmark); }
  /// The file with the test molecules of a benchmark.
  const std::string& test_file(const std::string& benchmark) const { return test_files_.at(benchmark); }
  /// A hash of the files of the benchmark.
  const std::string& identity(const std::string& benchmark) const { return identities_.at(benchmark); }

 private:
  void add(const experiment::Spec& spec, const experiment::BenchmarkSpec& benchmark,
           const ComputeOptions& compute, pipeline::FailureLog& failed);

  std::map<std::string, std::string> files_, test_files_, identities_;
  std::map<std::pair<std::string, std::uint64_t>, datasets::OodBenchmark> drawn_;
};

}  // namespace molgauge::verbs
