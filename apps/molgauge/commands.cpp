#include "commands.h"

#include <map>
#include <string>
#include <vector>

namespace molgauge::cli {
namespace {

/// A command that only contains subcommands. Outer commands come first.
struct Parent {
  const char* name;  ///< full name, such as "memory plan"
  const char* summary;
};

constexpr Parent kParents[] = {
    {"weights", "Install and check the weights of pretrained encoders"},
    {"shards", "Check and join the shards of a large encoding"},
    {"store", "Inspect, fill, export, check and clean the feature store"},
    {"pocket", "Build graphs of RNA pockets, train an encoder and search ligands"},
    {"memory", "Plan, measure and explain memory use"},
    {"memory plan", "Project the peak memory of a command and show the chosen execution strategy"},
};

std::vector<Command> all_commands() {
  std::vector<Command> all = {demo_command()};
  const auto append = [&](const std::vector<Command>& commands) {
    all.insert(all.end(), commands.begin(), commands.end());
  };
#define MOLGAUGE_REQUEST(Request) append(commands<Request>());
#include "base/options/requests.def"
#undef MOLGAUGE_REQUEST
  all.push_back(migrate_command());
  return all;
}

}  // namespace

void add_commands(CLI::App& app, Verbs& verbs) {
  std::map<std::string, CLI::App*> added = {{"", &app}};
  const auto add = [&](const std::string& name, const char* summary) -> CLI::App& {
    const std::size_t space = name.rfind(' ');
    CLI::App* const parent = added.at(space == std::string::npos ? "" : name.substr(0, space));
    return *(added[name] = parent->add_subcommand(name.substr(space + 1), summary));
  };
  for (const Command& row : all_commands()) {
    const std::string name = row.name;
    for (const Parent& parent : kParents) {
      if (name.starts_with(std::string(parent.name) + " ") && !added.contains(parent.name)) {
        add(parent.name, parent.summary).require_subcommand(1);
      }
    }
    CLI::App& command = add(name, row.summary);
    row.add(command, verbs);
    if (row.has_encoders) {
      end_with_encoders(command, row.ending);
    } else if (row.ending[0] != '\0') {
      command.footer(row.ending);
    }
  }
}

}  // namespace molgauge::cli
