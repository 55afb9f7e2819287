#include "migration/migrate.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "migration/call_words.h"
#include "migration/new_command.h"
#include "migration/shell_words.h"

namespace headroom::migration {
namespace {

constexpr std::string_view kRunNow = "headroom migrate --run ";

/// A part of the script, and what takes its place.
struct Replacement {
  std::size_t begin = 0, end = 0;
  std::string text;
};

/// The call with its arguments as they stand, to be translated when it is executed.
std::string run_now(const Script& script, const ScriptCommand& command) {
  return std::string(kRunNow) + command.words.front() +
         script.text.substr(command.arguments, command.end - command.arguments);
}

std::string why_run_now(const std::string& question) {
  return fmt::format("what takes its place depends on {}, so it is translated when it is executed", question);
}

/// Whether the translated lines can stand where the call stood.
bool can_stand(const NewCommands& made, Place place) {
  const bool is_one = made.lines.size() == 1 && made.lines.front().find_first_of("|\n") == std::string::npos;
  const bool has_document = std::ranges::any_of(
      made.lines, [](const std::string& line) { return line.find('\n') != std::string::npos; });
  return made.open_question.empty() && !made.lines.empty() &&
         (is_one || (place == Place::statement && !has_document));
}

std::string in_place(const NewCommands& made) {
  return made.lines.size() == 1 ? made.lines.front()
                                : fmt::format("{{ {}; }}", fmt::join(made.lines, " && "));
}

class ScriptMigration {
 public:
  explicit ScriptMigration(std::string_view text) : script_(read_script(text)) {}

  std::string migrated() {
    for (const ScriptCommand& command : script_.commands) {
      replace(command);
    }
    for (const Mention& mention : script_.mentions) {
      replacements_.push_back({mention.begin, mention.end, std::string(kRunNow) + mention.program});
      remark(line_of(mention.begin), mention.program,
             "it stands in a text, and is translated when it is executed");
    }
    return replacements_.empty() ? "" : with_remarks(with_replacements());
  }

 private:
  std::size_t line_of(std::size_t place) const {
    return 1 + static_cast<std::size_t>(std::count(
                   script_.text.begin(), script_.text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
  }

  void remark(std::size_t line, const std::string& program, const std::string& text) {
    remarks_.emplace(line, fmt::format("#   line {}, {}: {}\n", line, program, text));
  }

  void replace(const ScriptCommand& command) {
    const NewCommands made = translate(understand(command), script_.values);
    const std::string& program = command.words.front();
    const bool is_open = !made.open_question.empty() && command.place != Place::data;
    for (const std::string& warning : made.warnings) {
      if (!is_open) {  // an open question is answered, with its remarks, when the call is executed
        remark(command.line, program, warning);
      }
    }
    if (script_.is_python) {
      replacements_.push_back({command.begin, command.arguments,
                               fmt::format(R"("headroom", "migrate", "--run", "{}")", program)});
      remark(command.line, program, "it is a list of Python, and is translated when it is executed");
    } else if (command.place == Place::data) {
      replacements_.push_back({command.begin, command.arguments, std::string(kRunNow) + program});
      remark(command.line, program, "it is translated when it is executed");
    } else if (can_stand(made, command.place)) {
      replacements_.push_back({command.begin, command.end, in_place(made)});
    } else {
      replacements_.push_back({command.begin, command.end, run_now(script_, command)});
      remark(command.line, program,
             made.open_question.empty() ? "it becomes several commands, and is translated when it is executed"
                                        : why_run_now(made.open_question));
    }
  }

  std::string with_replacements() {
    std::ranges::stable_sort(replacements_, {}, &Replacement::begin);
    std::string text;
    std::size_t done = 0;
    for (const Replacement& replacement : replacements_) {
      if (replacement.begin >= done) {  // a call in the arguments of another one stays
        text += script_.text.substr(done, replacement.begin - done) + replacement.text;
        done = replacement.end;
      }
    }
    return text + script_.text.substr(done);
  }

  /// The remarks go behind the line that names the interpreter.
  std::string with_remarks(const std::string& text) const {
    const std::size_t first = text.starts_with("#!") ? std::min(text.find('\n'), text.size() - 1) + 1 : 0;
    std::string remarks =
        "# Made by headroom migrate from a script of the Python project. Lines are those of that script.\n";
    for (const auto& [line, remark] : remarks_) {
      remarks += remark;
    }
    return text.substr(0, first) + remarks + text.substr(first);
  }

  Script script_;
  std::vector<Replacement> replacements_;
  std::set<std::pair<std::size_t, std::string>> remarks_;  ///< by line
};

}  // namespace

std::vector<MigratedCall> migrate(std::string_view script_or_command) {
  const Script script = read_script(script_or_command);
  std::vector<MigratedCall> calls;
  for (const ScriptCommand& command : script.commands) {
    NewCommands made = translate(understand(command), script.values);
    if (!made.open_question.empty() && command.place != Place::data) {
      made.lines = {run_now(script, command)};
      made.warnings = {why_run_now(made.open_question)};
    }
    calls.push_back({command.line, command.words.front(), std::move(made.lines), std::move(made.warnings)});
  }
  return calls;
}

std::string migrated_script(std::string_view script) { return ScriptMigration(script).migrated(); }

bool is_script(std::string_view text) {
  return text.starts_with("#!") || text.find('\n') != std::string_view::npos;
}

MigratedCall migrate_words(const std::vector<std::string>& words) {
  ScriptCommand command;
  for (const std::string& word : words) {
    std::string text;
    std::ranges::transform(word, std::back_inserter(text), as_text);
    command.words.push_back(std::move(text));
  }
  const CallWords call = find_call(command.words);
  if (call.program >= command.words.size()) {
    throw UsageError(
        fmt::format("{}: no program of the Python project; headroom migrate --run main.py --mode train ... "
                    "translates and "
                    "executes a call",
                    words.empty() ? "migrate --run" : words.front()));
  }
  command.words.erase(command.words.begin(),
                      command.words.begin() + static_cast<std::ptrdiff_t>(call.program));
  command.words.front() = without_folders(command.words.front());
  NewCommands made = translate(understand(command));
  return {1, command.words.front(), std::move(made.lines), std::move(made.warnings)};
}

}  // namespace headroom::migration
