#include "base/command_line/command.h"

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"

namespace molgauge::cli {
namespace {

void run(const CountRequest& request) { print_result("{}\n", load_engine().run(request).records); }

}  // namespace

template <>
std::vector<Command> commands<CountRequest>() {
  return {{.name = "count", .summary = "Count the records of a file", .add = runs<CountRequest>(run)}};
}

}  // namespace molgauge::cli
