#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "migration/known_values.h"

namespace headroom::migration {

/// Where a call stands in a script, which decides what may take its place.
enum class Place {
  statement,  ///< by itself: several commands in braces may take its place
  argument,   ///< behind words of another command or assignment (nohup, A=1): one command may take its place
  data,  ///< in an array, a list, or with a redirection among its arguments: its arguments stay as they are
};

/// A call of one of the Python project's programs, found in a text.
struct ScriptCommand {
  std::size_t line = 0;  ///< 1-based line of the text at which it starts
  /// The program's name without folders, then its arguments (shell_words.h).
  std::vector<std::string> words;
  Place place = Place::statement;
  std::size_t begin = 0;      ///< byte of the text at which the call begins, with its interpreter
  std::size_t arguments = 0;  ///< byte behind the name of the program
  std::size_t end = 0;        ///< byte behind the last argument
};

/// A call inside a text of a script ("python main.py $ARGS", which the script executes later or prints), from
/// its interpreter up to the name of the program.
struct Mention {
  std::size_t begin = 0, end = 0;
  std::string program;
};

/// What a script says about calls. Positions are those in `text`.
struct Script {
  std::string text;  ///< the script without NUL characters
  bool is_python = false;
  std::vector<ScriptCommand> commands;
  std::vector<Mention> mentions;
  KnownValues values;  ///< of the variables of a shell script
};

/// Finds calls in a command line or a shell script (quotes, continued lines, comments; variables and "$(...)"
/// stay as they stand: "$SEED"), and in a Python script that keeps them as lists:
/// [sys.executable, "main.py", "--seed", str(seed)] gives "${seed}". Nothing is run or expanded.
Script read_script(std::string_view text);

/// The calls alone.
std::vector<ScriptCommand> find_script_commands(std::string_view text);

}  // namespace headroom::migration
