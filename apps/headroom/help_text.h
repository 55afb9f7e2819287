#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// Formats --help and --help-all. --help leaves out the options in the group kMoreOptions and says that
/// --help-all shows them.
class HelpText : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace headroom::cli
