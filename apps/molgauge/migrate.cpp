// `molgauge migrate`: starts the Python program molgauge.migrate in share/molgauge/python.

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "base/command_line/command.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "commands.h"

namespace molgauge::cli {
namespace {

/// Python code that starts the module molgauge.migrate. The first argument is the folder of the package.
constexpr const char* kStart =
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module('molgauge.migrate', run_name='__main__', alter_sys=True)";

std::filesystem::path find_package(const std::filesystem::path& program) {
  const std::filesystem::path folder = program.parent_path().parent_path() / "share/molgauge/python";
  if (!std::filesystem::exists(folder / "molgauge/migrate/__main__.py")) {
    throw Error(
        fmt::format("migrate: the Python program that translates commands is missing in {}. Install "
                    "Molgauge's Debian package again, or install Molgauge's Python package (pip install .) "
                    "and run: python3 -m molgauge.migrate",
                    folder.string()));
  }
  return folder;
}

/// Replaces this process by Python. Throws Error if Python cannot be started, and otherwise does not return.
[[noreturn]] void start_python(std::vector<std::string> words) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  words.insert(words.begin(), {"python3", "-I", "-B", "-c", kStart, find_package(program).string()});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  // The Python program runs the molgauge program at this path to read the option tables and, with --run, to
  // execute the translated command.
  setenv("MOLGAUGE_PROGRAM", program.c_str(), 1);
  execvp("python3", arguments.data());
  throw Error(fmt::format(
      "migrate: python3 could not be started: {}. The verb migrate needs Python 3.9 or newer. Install it",
      std::strerror(errno)));
}

void add_migrate(CLI::App& command, Verbs& verbs) {
  const auto add = [&](const char* name, const std::string& help) { return command.add_flag(name, help); };
  const std::vector<CLI::Option*> flags = {
      add("--options", "List every option of the Python project and its counterpart"),
      add("--run", "Translate a call and execute it: molgauge migrate --run main.py --mode train ..."),
      add("--summaries",
          "Write the summaries of a finished matrix in the form of the Python project: "
          "molgauge migrate --summaries FOLDER")};
  command.prefix_command();
  verbs.push_back({&command, [=, &command] {
                     std::vector<std::string> words;
                     for (const CLI::Option* const flag : flags) {
                       if (flag->count() > 0) {
                         words.push_back(flag->get_name());
                       }
                     }
                     if (is_information_silenced()) {
                       words.emplace_back("--quiet");
                     }
                     const std::vector<std::string> rest = command.remaining();
                     words.insert(words.end(), rest.begin(), rest.end());
                     start_python(std::move(words));
                   }});
}

}  // namespace

Command migrate_command() {
  return {"migrate", "Translate commands of Mole-PAIR, the Python project that Molgauge replaces",
          add_migrate, "Examples: molgauge migrate SCRIPT, molgauge migrate python main.py --mode train ..."};
}

}  // namespace molgauge::cli
