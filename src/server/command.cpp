#include "base/command_line/command.h"

#include "base/command_line/engine_loader.h"
#include "base/command_line/table_options.h"
#include "base/core/session/standard_streams.h"
#include "molgauge/serve.h"
#include "server/server.h"

namespace molgauge::cli {
namespace {

void serve_requests(const ServeRequest& request) {
  serve::serve(load_engine(), opened_session(), request, [](const std::string& address) {
    print_result("{}\n", address);
    print_info("Press Ctrl-C to stop the server. It finishes the running computation first.\n");
  });
}

void add_serve(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<ServeRequest>();
  add_options(command, *request);
  verbs.push_back({&command, [request] { serve_requests(*request); },
                   [](SessionOptions& options) { options.progress = serve::report_progress; }});
}

}  // namespace

template <>
std::vector<Command> commands<ServeRequest>() {
  return {{.name = "serve", .summary = "Serve results as a local web page and HTTP API", .add = add_serve}};
}

}  // namespace molgauge::cli
