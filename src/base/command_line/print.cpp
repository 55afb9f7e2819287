#include "base/command_line/print.h"

#include <fmt/format.h>

#include "base/core/session/standard_streams.h"
#include "base/core/text/bytes.h"
#include "base/core/text/printable.h"
#include "base/core/text/utf8.h"
#include "base/page/text_table.h"

namespace molgauge::cli {
namespace {

constexpr std::size_t kShownFailures = 5, kShownText = 80;

}  // namespace

void print_failed(const std::vector<FailedMolecule>& failed) { print_failed(failed, failed.size()); }

void print_failed(const std::vector<FailedMolecule>& failed, std::size_t all) {
  for (std::size_t i = 0; i < std::min(failed.size(), kShownFailures); ++i) {
    const auto& molecule = failed[i];
    print_error("{}:{}: '{}': {}\n", printable(molecule.file), molecule.line,
                printable(utf8_beginning(molecule.text, kShownText)), printable(molecule.reason));
  }
  if (all > kShownFailures) {
    print_error("... and {} more\n", all - kShownFailures);
  }
}

void print_phases(const std::vector<PhaseReport>& phases) {
  for (const auto& phase : phases) {
    if (phase.peak_host_memory_bytes == 0) {
      continue;  // it is a step within a phase, which only `memory report` shows
    }
    print_info("{}: {:.1f} s, peak memory {}", phase.phase, phase.seconds,
               format_bytes(phase.peak_host_memory_bytes));
    if (phase.peak_device_memory_bytes > 0) {
      print_info(", on the device {}", format_bytes(phase.peak_device_memory_bytes));
    }
    print_info("\n");
  }
}

void print_evaluation(const EvaluateReport& report) {
  page::TextTable table({"AUROC", "validation AUROC", "AUPR", "FPR95", "ID energy", "OOD energy",
                         "ID molecules", "OOD molecules"});
  const auto& gap = report.validation_test_gap;
  table.add_row({fmt::format("{:.4f}", report.auroc),
                 gap ? fmt::format("{:.4f}", gap->validation_auroc) : "unknown",
                 fmt::format("{:.4f}", report.aupr), fmt::format("{:.4f}", report.fpr95),
                 fmt::format("{:.4f}", report.id_mean_energy), fmt::format("{:.4f}", report.ood_mean_energy),
                 std::to_string(report.id_count), std::to_string(report.ood_count)});
  print_result("{}", table.to_string());
  print_info("OOD is the positive class of AUPR and FPR95\n");
}

}  // namespace molgauge::cli
