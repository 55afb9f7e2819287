#include "print.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/csv.h"
#include "report/text_table.h"

namespace headroom::cli {
namespace {

constexpr std::size_t kShownFailures = 5;

std::string energy_text(float energy, const char* missing) {
  return std::isnan(energy) ? missing : fmt::format("{:.4f}", energy);
}

}  // namespace

void print_failed(const std::vector<FailedMolecule>& failed) {
  for (std::size_t i = 0; i < std::min(failed.size(), kShownFailures); ++i) {
    const auto& molecule = failed[i];
    fmt::print(stderr, "{}:{}: '{}': {}\n", molecule.file, molecule.line, molecule.text.substr(0, 80),
               molecule.reason);
  }
  if (failed.size() > kShownFailures) {
    fmt::print(stderr, "... and {} more\n", failed.size() - kShownFailures);
  }
}

void print_phases(const std::vector<PhaseReport>& phases) {
  for (const auto& phase : phases) {
    if (phase.peak_host_memory_bytes == 0) {
      continue;  // a step within a phase: `memory report` shows those
    }
    fmt::print(stderr, "{}: {:.1f} s, peak memory {}", phase.phase, phase.seconds,
               format_bytes(phase.peak_host_memory_bytes));
    if (phase.peak_device_memory_bytes > 0) {
      fmt::print(stderr, ", on the device {}", format_bytes(phase.peak_device_memory_bytes));
    }
    fmt::print(stderr, "\n");
  }
}

void print_evaluation(const EvaluateReport& report) {
  report::TextTable table(
      {"AUROC", "AUPR", "FPR95", "ID energy", "OOD energy", "ID molecules", "OOD molecules"});
  table.add_row({fmt::format("{:.4f}", report.auroc), fmt::format("{:.4f}", report.aupr),
                 fmt::format("{:.4f}", report.fpr95), fmt::format("{:.4f}", report.id_mean_energy),
                 fmt::format("{:.4f}", report.ood_mean_energy), std::to_string(report.id_count),
                 std::to_string(report.ood_count)});
  fmt::print("{}", table.to_string());
}

void print_scores(const ScoreReport& report, bool csv) {
  if (csv) {
    fmt::print("row,line,molecule,energy_score\n");
    for (const auto& molecule : report.molecules) {
      fmt::print("{},{},{},{}\n", molecule.row, molecule.line, csv_field(molecule.text),
                 energy_text(molecule.energy, ""));
    }
    return;
  }
  report::TextTable table({"line", "molecule", "energy (higher: further out)"});
  for (const auto& molecule : report.molecules) {
    table.add_row({std::to_string(molecule.line), molecule.text, energy_text(molecule.energy, "failed")});
  }
  fmt::print("{}", table.to_string());
}

}  // namespace headroom::cli
