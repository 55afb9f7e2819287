#include <fmt/format.h>

#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void run() {
  bool missing = false;
  for (const auto& finding : load_engine().diagnose()) {
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
    throw Error("something is missing; see the lines marked !!");
  }
}

}  // namespace

void add_doctor(CLI::App& app, Verbs& verbs) {
  auto* const command =
      app.add_subcommand("doctor", "Tell what this machine has, and what to do about what it lacks");
  verbs.push_back({command, run});
}

}  // namespace headroom::cli
