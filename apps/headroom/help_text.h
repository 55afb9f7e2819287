#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// Prints --help and --help-all. Options are listed by group. --help leaves out hidden_options() and says how
/// to see them.
class HelpText : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override;
  /// The help of an option, in lines that fit in a terminal of 100 columns.
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace headroom::cli
