#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "migration/script_commands.h"

/// How a call of the Python project's programs is known among words; for the readers of scripts.
namespace headroom::migration {

std::string without_folders(const std::string& word);

/// main.py, ./src/baselines.py, run_ablation.sh and the like.
bool is_program(const std::string& word);

/// python3, /usr/bin/python, "$PYTHON", {sys.executable}, bash.
bool is_interpreter(const std::string& word);

/// The words of a call among those of a command.
struct CallWords {
  std::size_t begin = 0;    ///< its interpreter, or the program itself
  std::size_t program = 0;  ///< as many as there are words: there is no call
};
CallWords find_call(const std::vector<std::string>& words);

/// Appends the calls that stand between two bytes of a text: an interpreter, perhaps with options, and the
/// program.
void find_mentions(std::string_view text, std::size_t begin, std::size_t end, std::vector<Mention>& mentions);

/// Fills in the calls of the script, whose text is in Python.
void read_python(Script& script);

}  // namespace headroom::migration
