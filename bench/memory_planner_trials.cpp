// Plans random workloads, runs them with the budget enforced, and prints the table of
// docs/results/memory.md:
//   bench_memory_planner [--count 200] [--seed 1] [--most 8GiB] [--unimol] [--whole-pass] [--rows FILE.csv]

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include "base/core/text/bytes.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "workloads/random_workload.h"

namespace molgauge {
namespace {

using workloads::Trial;

constexpr double kWellUsed = 0.85;

struct Options {
  std::uint64_t count = 200, seed = 1;
  std::string most = "8GiB", rows;
  bool unimol = false, whole_pass = false;
};

double quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return 0;
  }
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

std::string percent(double share) { return fmt::format("{:+.3f} %", 100 * share); }

void print_row(const std::string& name, const std::vector<Trial>& trials) {
  std::vector<double> errors, absolute;
  std::size_t within = 0, well_used = 0, named = 0, nothing = 0;
  for (const Trial& trial : trials) {
    if (!trial.fits) {
      ++nothing;
      continue;
    }
    within += !trial.refused && trial.true_bytes <= trial.budget_bytes ? 1 : 0;
    (trial.used_share >= kWellUsed ? well_used : named) += 1;
    errors.push_back(trial.error());
    absolute.push_back(std::abs(trial.error()));
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, trials.size(), within,
             percent(quantile(absolute, 0.5)), percent(quantile(errors, 0)), percent(quantile(errors, 1)),
             well_used,
             nothing == 0 ? std::to_string(named) : fmt::format("{} ({} do not fit)", named, nothing));
}

std::string band_of(std::uint64_t budget) {
  for (const std::uint64_t edge : {256, 1024, 4096}) {
    if (budget < edge << 20U) {
      return "budget below " + format_bytes(edge << 20U);
    }
  }
  return "budget of 4 GiB and more";
}

void print_table(const std::vector<Trial>& trials) {
  fmt::print(
      "| workloads | number | within the budget | error, median | most under | most over | 85 % used | else, "
      "limit "
      "named |\n|---|---|---|---|---|---|---|---|\n");
  std::map<std::string, std::vector<Trial>> kinds, bands;
  for (const Trial& trial : trials) {
    kinds[trial.kind].push_back(trial);
    bands[band_of(trial.budget_bytes)].push_back(trial);
  }
  for (const auto& groups : {kinds, bands}) {
    for (const auto& [name, group] : groups) {
      print_row(name, group);
    }
  }
  print_row("**all**", trials);
  std::map<std::string, std::size_t> limits;
  for (const Trial& trial : trials) {
    if (trial.fits && trial.used_share < kWellUsed) {
      ++limits[trial.limited_by.substr(0, trial.limited_by.find_first_of(":0123456789"))];
    }
  }
  fmt::print("\nWhat the others are limited by:");
  for (const auto& [limit, count] : limits) {
    fmt::print(" {}({}x)", limit, count);
  }
  fmt::print("\n");
}

void write_rows(const std::string& path, const std::vector<Trial>& trials) {
  std::ofstream file(path);
  file << "kind,settings,budget_bytes,projected_bytes,true_bytes,fits,refused,used_share,limited_by,probes,"
          "exact,"
          "planning_seconds,running_seconds\n";
  for (const Trial& t : trials) {
    file << fmt::format("{},\"{}\",{},{},{},{},{},{:.4f},\"{}\",{},{},{:.3f},{:.3f}\n", t.kind, t.settings,
                        t.budget_bytes, t.projected_bytes, t.true_bytes, t.fits, t.refused, t.used_share,
                        t.limited_by, t.probes, t.is_exact, t.planning_seconds, t.running_seconds);
  }
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void run(const Options& options) {
  at::set_num_threads(1);
  torch::cpu_tensor_memory();
  std::vector<Trial> trials;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const auto draw = options.unimol ? workloads::random_unimol_workload : workloads::random_workload;
    auto workload = draw(options.seed + i, parse_bytes(options.most));
    trials.push_back(try_workload(std::move(workload), options.whole_pass ? workloads::Extent::whole_pass
                                                                          : workloads::Extent::worst_batch));
    fmt::print(stderr, "\r{} of {}", i + 1, options.count);
  }
  fmt::print(stderr, "\n");
  print_table(trials);
  double planning = 0;
  for (const Trial& trial : trials) {
    planning += trial.planning_seconds;
  }
  fmt::print("\n{:.0f} s of processor time, {:.0f} s of them planning.\n", processor_seconds(), planning);
  if (!options.rows.empty()) {
    write_rows(options.rows, trials);
  }
}

}  // namespace
}  // namespace molgauge

int main(int count, char** arguments) {
  molgauge::Options options;
  CLI::App app("Plans random workloads and runs them within their budgets");
  app.add_option("--count", options.count, "Workloads")->capture_default_str();
  app.add_option("--seed", options.seed, "Of the first workload; the others follow")->capture_default_str();
  app.add_flag("--unimol", options.unimol, "Uni-Mol alone, which takes no part otherwise");
  app.add_option("--most", options.most, "Largest budget")->capture_default_str();
  app.add_flag("--whole-pass", options.whole_pass, "Run every batch, not only the worst");
  app.add_option("--rows", options.rows, "CSV to write, one row a workload");
  CLI11_PARSE(app, count, arguments);
  molgauge::run(options);
  return 0;
}
