// The command line: reads options, calls the engine and prints. Help and version do not load the engine.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "base/command_line/engine_loader.h"
#include "base/command_line/help_text.h"
#include "base/command_line/option_values.h"
#include "base/command_line/options_json.h"
#include "base/command_line/spelling.h"
#include "base/command_line/table_options.h"
#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/fatal_signals.h"
#include "base/core/session/internal_failure.h"
#include "base/core/session/log.h"
#include "base/core/session/standard_streams.h"
#include "commands.h"
#include "version_json.h"

namespace {

using molgauge::ExitCode;

/// Converts an exception of std::filesystem to an Error with the text of system_error(). Returns InputError
/// if the path itself is wrong: a circular symbolic link, a missing file, a file in the place of a folder, or
/// a name that is too long.
molgauge::Error filesystem_failure(const std::filesystem::filesystem_error& failure) {
  const int reason = failure.code().value();
  const molgauge::Error described = molgauge::system_error(failure.path1().string(), "use", reason);
  const bool is_name = reason == ELOOP || reason == ENAMETOOLONG || reason == ENOTDIR || reason == ENOENT;
  return is_name ? molgauge::InputError(described.what()) : described;
}

int exit_with(ExitCode code) { return static_cast<int>(code); }

void describe(CLI::App& app) {
  auto* const as_json = app.add_flag("--json");
  as_json->description("With --version: print JSON with the libraries, formats and instruction set");
  auto* const version = app.add_flag_callback(
      "--version",
      [as_json] {
        fmt::print("{}",
                   as_json->count() > 0 ? molgauge::cli::version_json() : "molgauge " MOLGAUGE_VERSION "\n");
        throw CLI::Success();
      },
      "Print the version and exit");
  as_json->needs(version);
  app.set_help_all_flag("--help-all", "Show the help of all commands with all options");
  app.add_flag_callback(
         "--options-json",
         [] {
           fmt::print("{}", molgauge::cli::options_json());
           throw CLI::Success();
         },
         "Print the options of all commands as JSON and exit")
      ->trigger_on_parse();
  app.formatter(std::make_shared<molgauge::cli::HelpText>());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 success, 1 failure, 2 wrong usage, 3 invalid input, 4 over the memory budget, 130 "
      "stopped by Ctrl-C.\nTo try Molgauge on real molecules, run: molgauge demo");
}

/// The options that every verb has.
struct CommonOptions {
  std::string log_level = "info";
  bool is_level_chosen = false, quiet = false;

  void add_to(CLI::App& command) {
    CLI::Option* const help = command.set_help_flag("-h,--help", "Print the common options and exit");
    CLI::Option* const help_all = command.set_help_all_flag("--help-all", "Print all options and exit");
    CLI::Option* const level_option = command.add_option_function<std::string>(
        "--log-level",
        [this](const std::string& level) {
          log_level = level;
          is_level_chosen = true;
        },
        "Level of the log on stderr: trace, debug, info, warn, error or off [info, or error with --quiet]");
    CLI::Option* const quiet_option = command.add_flag("--quiet", quiet, "Print only errors and results");
    for (CLI::Option* const option : {help, help_all, level_option, quiet_option}) {
      molgauge::cli::put_in(option, molgauge::options::Group::logging);
    }
  }

  molgauge::SessionOptions session_options() const {
    return {.log_level = molgauge::parse_log_level(quiet && !is_level_chosen ? "error" : log_level),
            .quiet = quiet};
  }
};

/// Reports that the command line is wrong. If a word is misspelt, suggests a similar word. Otherwise prints
/// the message of CLI11.
int explain_usage(CLI::App& app, const CLI::ParseError& problem, int argc, char** argv) {
  if (problem.get_exit_code() == 0) {  // the user asked for help or for the version
    app.exit(problem);
    if (!std::cout.flush() || std::fflush(stdout) != 0) {
      molgauge::print_error("molgauge: the help cannot be written to standard output: {}\n",
                            std::strerror(errno));
      return exit_with(ExitCode::failed);
    }
    return exit_with(ExitCode::done);
  }
  const std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
  const auto misspelt = molgauge::cli::misspelt_word(app, words);
  molgauge::print_error("molgauge: {}\n", misspelt.value_or(molgauge::cli::usage_problem(app, problem)));
  return exit_with(ExitCode::wrong_usage);
}

int run(const molgauge::cli::Verbs& verbs) {
  for (const auto& verb : verbs) {
    if (verb.command->parsed()) {
      verb.run();
    }
  }
  return exit_with(ExitCode::done);
}

constexpr const char* kOutOfMemory =
    "molgauge: out of memory. Finished work is kept. Stop other programs, or raise the limits of this "
    "process (ulimit -v, ulimit -d)\n";

/// The terminate handler. Memory can run out where no caller can catch the exception, for example in a
/// starting thread or in a destructor. The command then ends with its usual message and exit code.
void end_without_memory() {
  try {
    if (const auto failure = std::current_exception()) {
      std::rethrow_exception(failure);
    }
  } catch (const std::bad_alloc&) {
    molgauge::print_error(kOutOfMemory);
    std::_Exit(exit_with(ExitCode::over_budget));
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  molgauge::open_standard_streams();
  CLI::App app("Molgauge: molecular deep learning within a memory budget", "molgauge");
  describe(app);
  CommonOptions common;
  molgauge::cli::Verbs verbs;
  molgauge::cli::add_commands(app, verbs);
  for (const auto& verb : verbs) {
    common.add_to(*verb.command);
    molgauge::cli::check_option_values(*verb.command);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& outcome) {
    return explain_usage(app, outcome, argc, argv);
  }
  try {
    // Line buffering keeps results and progress in order if stdout and stderr go to the same file.
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    molgauge::install_cancellation();
    std::set_terminate(end_without_memory);
    molgauge::handle_file_signals();
    molgauge::SessionOptions options = common.session_options();
    for (const auto& verb : verbs) {
      if (verb.command->parsed() && verb.prepare) {
        verb.prepare(options);
      }
    }
    molgauge::cli::open_session(std::move(options));
    return run(verbs);
  } catch (const molgauge::Error& failure) {
    molgauge::print_error("molgauge: {}\n", failure.what());
    return exit_with(failure.code());
  } catch (const std::bad_alloc&) {
    molgauge::print_error(kOutOfMemory);
    return exit_with(ExitCode::over_budget);
  } catch (const std::filesystem::filesystem_error& failure) {
    const molgauge::Error told = filesystem_failure(failure);
    molgauge::print_error("molgauge: {}\n", told.what());
    return exit_with(told.code());
  } catch (const std::logic_error& failure) {
    molgauge::print_error("molgauge: {}\n", molgauge::internal_failure(failure.what()));
    return exit_with(ExitCode::failed);
  } catch (const std::exception& failure) {
    molgauge::print_error("molgauge: {}\n", failure.what());
    return exit_with(ExitCode::failed);
  }
}
