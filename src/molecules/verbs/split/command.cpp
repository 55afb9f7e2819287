#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "base/page/text_table.h"

namespace molgauge::cli {
namespace {

/// Returns the reasons why records of the input are not in the benchmark, with the number of records for each
/// reason.
std::string left_out(const SplitReport& report) {
  std::string text = fmt::format(
      "{} invalid, {} duplicates with the same SMILES, {} with another SMILES, {} without a label",
      report.failed.size(), report.duplicates, report.respelled, report.unlabelled);
  const auto add = [&](std::size_t count, const char* reason) {
    text += count > 0 ? fmt::format(", {} {}", count, reason) : "";
  };
  add(report.filtered, "filtered out");
  add(report.bondless, "without a bond left out");
  add(report.acyclic, "without a ring left out");
  return text;
}

void run(const SplitRequest& request) {
  const SplitReport report = load_engine().run(request);
  print_failed(report.failed);
  page::TextTable table({"part", "molecules"});
  for (const char* part : {"train", "iid_val", "iid_test", "ood_val", "ood_test"}) {
    table.add_row({part, std::to_string(report.part_sizes.at(part))});
  }
  print_result("{}{}: {}, {} ({})\n", table.to_string(), request.out, counted(report.rows, "record"),
               counted(report.domains, "domain"), left_out(report));
}

}  // namespace

template <>
std::vector<Command> commands<SplitRequest>() {
  return {
      {.name = "split",
       .summary = "Create an out-of-distribution benchmark from labelled molecules or from a GOOD data set",
       .add = runs<SplitRequest>(run)}};
}

}  // namespace molgauge::cli
