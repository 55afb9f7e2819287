#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// What --help and --help-all print. --help leaves out the group kMoreOptions of a command and says how to
/// see it.
class HelpText : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace headroom::cli
