#include "help_text.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "spelling.h"
#include "table_options.h"

namespace headroom::cli {

std::string HelpText::make_groups(const CLI::App* command, CLI::AppFormatMode mode) const {
  const auto options_of = [&](bool more) {
    return command->get_options([more](const CLI::Option* option) {
      return option->nonpositional() && (option->get_group() == kMoreOptions) == more;
    });
  };
  const std::size_t more = options_of(true).size();
  if (mode != CLI::AppFormatMode::Normal || more == 0) {
    return Formatter::make_groups(command, mode);
  }
  return make_group(get_label("Options"), false, options_of(false)) +
         fmt::format("\n{} more: {} --help-all\n", counted(more, "option"), full_name(*command));
}

}  // namespace headroom::cli
