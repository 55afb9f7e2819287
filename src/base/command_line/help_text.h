#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace molgauge::cli {

/// Formats the output of --help and --help-all. Options are listed by group. --help leaves out
/// hidden_options() and says how to see them.
class HelpText : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override;
  /// Like the base class, without the dots for several values. An option with a name takes one value each
  /// time.
  std::string make_option_opts(const CLI::Option* option) const override;
  /// Breaks the help of an option into lines that fit in a terminal of 100 columns.
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace molgauge::cli
