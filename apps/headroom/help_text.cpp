#include "help_text.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "table_options.h"

namespace headroom::cli {

std::string HelpText::make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const {
  const auto options_of = [&](bool more) {
    return command->get_options([more](const CLI::Option* option) {
      const std::string& group = option->get_group();
      return option->nonpositional() && !group.empty() && (group == kMoreOptions) == more;
    });
  };
  const std::size_t more = options_of(true).size();
  if (mode != CLI::AppFormatMode::Normal || more == 0) {
    return Formatter::make_help(command, name, mode);
  }
  return make_description(command) + make_usage(command, name) + make_positionals(command) +
         make_group(get_label("Options"), false, options_of(false)) +
         fmt::format("\n{}: {} --help-all\n", counted(more, "more option"), name) +
         make_subcommands(command, mode) + "\n" + make_footer(command);
}

}  // namespace headroom::cli
