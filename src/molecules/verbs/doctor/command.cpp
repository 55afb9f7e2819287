#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/command_line/table_options.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/page/text_table.h"

namespace molgauge::cli {
namespace {

void diagnose() {
  bool missing = false;
  for (const auto& finding : load_engine().run(DiagnoseRequest{})) {
    const char* mark = finding.state == Finding::State::good   ? "ok"
                       : finding.state == Finding::State::note ? "--"
                                                               : "!!";
    print_result("{} {:<18} {}\n", mark, finding.topic, finding.text);
    if (!finding.advice.empty()) {
      print_result("   {:<18} -> {}\n", "", finding.advice);
    }
    missing = missing || finding.state == Finding::State::missing;
  }
  if (missing) {
    throw Error("something is missing. See the lines marked !!");
  }
}

std::string bytes_or_dash(std::uint64_t bytes) { return bytes > 0 ? format_bytes(bytes) : "-"; }

void print_phases_of(const TryReport& report) {
  page::TextTable table({"trial", "phase", "seconds", "molecules/s", "peak", "plan", "unused", "why unused"});
  for (const TriedPhase& phase : report.phases) {
    const std::uint64_t unused =
        phase.budget_bytes > phase.peak_bytes ? phase.budget_bytes - phase.peak_bytes : 0;
    table.add_row({phase.trial, phase.phase, fmt::format("{:.2f}", phase.seconds),
                   fmt::format("{:.1f}", phase.molecules_per_second), format_bytes(phase.peak_bytes),
                   bytes_or_dash(phase.planned_bytes), bytes_or_dash(unused), phase.why_unused});
  }
  print_result("{}\n", table.to_string());
}

/// Prints the result of a check, with the first line of its finding.
void print_check(const TryCheck& check) {
  const std::string first = check.finding.substr(0, check.finding.find('\n'));
  print_result("{} {:<32} {}\n", check.passed ? "passed" : "FAILED", check.name, first);
}

void try_out(const TryRequest& request, bool json) {
  const TryReport report = load_engine().run(request);
  if (json) {
    print_result("{}\n", report.json);
  } else {
    print_failed(report.failed, report.failed_records);
    print_result("{} with {}, {} failed\n\n", counted(report.molecules, "molecule"), report.encoder,
                 report.failed_records);
    print_phases_of(report);
    for (const TryCheck& check : report.checks) {
      print_check(check);
    }
  }
  if (!report.passed()) {
    throw Error("a check of doctor --try has failed. See the lines marked FAILED");
  }
}

void add_doctor(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<TryRequest>();
  auto is_trial = std::make_shared<bool>(false), json = std::make_shared<bool>(false);
  auto* const trial = command.add_flag("--try", *is_trial,
                                       "Encode, train and evaluate a small set of molecules: as usual, with "
                                       "half the memory and with --conservative. Then compare the results");
  put_in(trial, options::Group::input);
  put_in(command.add_flag("--json", *json, "With --try: print JSON instead of tables")->needs(trial),
         options::Group::output);
  add_options(command, *request);
  for (const options::Option& option : options::table<TryRequest>()) {
    const std::string name = (option.is_positional() ? "" : "--") + std::string(option.name);
    command.get_option(name)->needs(trial);
  }
  verbs.push_back({&command, [=] { *is_trial ? try_out(*request, *json) : diagnose(); }});
}

}  // namespace

template <>
std::vector<Command> commands<TryRequest>() {
  return {{.name = "doctor",
           .summary = "Check the installation, hardware and weights",
           .add = add_doctor,
           .has_encoders = true}};
}

}  // namespace molgauge::cli
