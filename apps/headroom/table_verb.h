#pragma once

#include <memory>

#include "table_options.h"
#include "verb.h"

namespace headroom::cli {

/// Adds a subcommand whose options are the rows of its request; `run` takes the request once it is read.
template <typename Request>
void add_subcommand(CLI::App& parent, Verbs& verbs, const char* name, const char* what,
                    void (*run)(const Request&)) {
  auto* const command = parent.add_subcommand(name, what);
  auto request = std::make_shared<Request>();
  add_options(*command, *request);
  verbs.push_back({command, [request, run] { run(*request); }});
}

}  // namespace headroom::cli
