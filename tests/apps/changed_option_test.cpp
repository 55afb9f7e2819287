// Another program changes an input while a command reads it, for each option of each verb that names an
// input. The options come from the option tables, so no new option is forgotten. The command ends with exit
// code 3, or gives the answer for the old or the new content. It never gives another answer.
//
// MOLGAUGE_CHANGED_OPTIONS=some changes one input of each option in one way, which takes minutes.
// MOLGAUGE_CHANGED_OPTIONS=all changes all inputs of each option, all files of folders, and in all ways.
// MOLGAUGE_CHANGED_VERB=domain tests only this verb.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "every_verb.h"
#include "support/fixtures.h"
#include "support/instrumented.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using options::FileUse;
using options::FolderKind;
using options::Option;
using Words = std::vector<std::string>;

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

bool tests_all() { return variable("MOLGAUGE_CHANGED_OPTIONS") == "all"; }

bool reads(const Option& option) {
  return option.files.does == FileUse::Does::reads && option.files.folder != FolderKind::shared;
}

/// The exit code of a call, its output, and the content of the files that it writes.
struct Answer {
  int exit_code = -1;
  int signal = 0;
  std::map<std::string, std::string> parts;
  std::string err;

  /// Returns whether two calls gave the same. Errors are compared by their exit codes. `stable`: names of
  /// parts that do not contain times.
  bool equals(const Answer& other, const std::set<std::string>& stable) const {
    return exit_code == other.exit_code &&
           (exit_code != 0 || std::all_of(stable.begin(), stable.end(), [&](const std::string& part) {
              const auto own = parts.find(part), others = other.parts.find(part);
              return own != parts.end() && others != other.parts.end() && own->second == others->second;
            }));
  }
};

std::string reversed(const std::string& text, bool has_header) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  if (lines.size() > 1) {
    std::reverse(lines.begin() + (has_header ? 1 : 0), lines.end());
  }
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

/// Other contents of a file: another order or another number, a missing end, and more at the end.
std::vector<std::string> changed(const fs::path& file, const std::string& content) {
  const std::string extension = file.extension().string();
  const bool is_list = extension == ".csv" || extension == ".smi";
  std::string other = content;
  if (is_list) {
    other = reversed(content, extension == ".csv");
  } else if (const auto digit = content.find_last_of("12345678"); digit != std::string::npos) {
    ++other[digit];
  }
  const std::size_t last_line = is_list ? content.rfind('\n', content.size() - 2) + 1 : content.size() / 2;
  return {other, content.substr(0, last_line), content + (is_list ? content.substr(last_line) : "xxxx")};
}

class ChangedOption : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (variable("MOLGAUGE_CHANGED_OPTIONS").empty()) {
      return;
    }
    template_ = std::make_unique<TemporaryFolder>();
    make_inputs_of_every_verb(template_->path());
  }
  static void TearDownTestSuite() { template_.reset(); }

  std::string at(const std::string& name) const { return (work_ / name).string(); }

  bool is_input(const std::string& word) const {
    return word == "t.smi" || (word.find('.') != std::string::npos && fs::exists(template_->path() / word));
  }

  /// A call with `value` for the option, and with the first known inputs of the other options it needs.
  Words call(const VerbOfFiles& verb, const Option& tested, const std::string& value) const {
    Words words;
    for (const Words& given : {verb.words, verb.more}) {
      for (const std::string& word : given) {
        words.push_back(is_input(word) ? at(word) : word);
      }
    }
    for (const Option& option : verb.options) {
      const std::string name(option.name);
      const auto known = verb.inputs.find(name);
      const bool is_tested = &option == &tested;
      if (name == "store") {
        words.insert(words.end(), {"--store", at(verb.words.front() == "store" ? "store" : "new-store")});
      } else if (name == "weights") {
        if (verb.words.front() == "weights" || value == kInstalled) {
          words.insert(words.end(), {"--weights", at("weights")});
        }
      } else if (is_given(verb, name)) {
        continue;
      } else if (reads(option) && known != verb.inputs.end() &&
                 (is_tested || option.is_required || name == verb.always ||
                  (option.is_positional() && name != "OTHER-RANKS"))) {
        const std::string& file = is_tested ? value : known->second.front();
        if (!option.is_positional()) {
          words.push_back("--" + name);
        }
        words.push_back(file == kInstalled ? file : at(file));
      } else if (option.files.does == FileUse::Does::writes && (option.is_required || name == "out")) {
        const auto ending = verb.endings.find(name);
        words.insert(
            words.end(),
            {"--" + name, at(ending == verb.endings.end() ? "new" : "new" + ending->second.front())});
      }
    }
    return words;
  }

  static bool is_given(const VerbOfFiles& verb, const std::string& name) {
    return std::find(verb.more.begin(), verb.more.end(), "--" + name) != verb.more.end();
  }

  /// Runs a call on fresh copies of all inputs. `content`: the content of the file `changed`.
  Answer run(const Words& words, const fs::path& changed, const std::string& content,
             std::map<std::string, std::string> environment = {}) const {
    fs::remove_all(work_);
    fs::copy(template_->path(), work_, fs::copy_options::recursive);
    replace_file(changed, content);
    CommandOptions options;
    options.environment = std::move(environment);
    options.environment.insert({{"MOLGAUGE_HOME", at("home")}, {"PIP_NO_INDEX", "1"}});
    const Outcome outcome = molgauge(words, options);
    Answer answer{outcome.exit_code, outcome.signal, {{"standard output", outcome.out}}, outcome.err};
    for (const auto& entry : fs::recursive_directory_iterator(work_)) {
      const std::string name = fs::relative(entry.path(), work_).string();
      const fs::path before = template_->path() / name;
      if (entry.is_regular_file() && entry.path() != changed && entry.path().extension() != ".mdb") {
        std::string written = read_file(entry.path());
        if (!fs::exists(before) || written != read_file(before)) {
          answer.parts[name] = std::move(written);
        }
      }
    }
    return answer;
  }

  /// Changes a file before each of its openings.
  void expect_error_or_answer(const Words& words, const fs::path& file, bool is_required) {
    const std::string content = read_file(template_->path() / fs::relative(file, work_));
    const Answer before = run(words, file, content), again = run(words, file, content);
    std::set<std::string> stable;
    for (const auto& [name, text] : before.parts) {
      const auto other = again.parts.find(name);
      if (other != again.parts.end() && other->second == text) {
        stable.insert(name);
      }
    }
    EXPECT_EQ(before.exit_code, 0) << before.err;
    const std::vector<std::string> contents = changed(file, content);
    const std::string to = (place_.path() / "changed-to").string(), done = to + ".done";
    for (std::size_t way = 0; way < (tests_all() ? contents.size() : 1); ++way) {
      const Answer after = run(words, file, contents[way]);
      replace_file(to, contents[way]);
      for (int open = 1; open < 50; ++open) {
        fs::remove(done);
        const Answer found = run(words, file, content,
                                 {{"LD_PRELOAD", MOLGAUGE_CHANGING_FILE},
                                  {"MOLGAUGE_CHANGED_FILE", file.string()},
                                  {"MOLGAUGE_CHANGED_TO", to},
                                  {"MOLGAUGE_CHANGE_AT", std::to_string(open)}});
        if (!fs::exists(done)) {
          EXPECT_TRUE(open > 1 || !is_required) << "the command does not open " << file;
          break;
        }
        ++changes_;
        EXPECT_EQ(found.signal, 0) << found.err;
        EXPECT_TRUE(found.exit_code == 3 || found.equals(before, stable) || found.equals(after, stable))
            << file << " changed in way " << way << " at opening " << open << ": exit code "
            << found.exit_code << ", before " << before.exit_code << ", after " << after.exit_code << "\n"
            << found.err;
      }
    }
  }

  /// Changes the inputs of an option.
  void change_inputs(const VerbOfFiles& verb, const Option& option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      const Words words = call(verb, option, value);
      SCOPED_TRACE(fmt::format("molgauge {}", fmt::join(words, " ")));
      const fs::path file = work_ / (value == kInstalled ? "weights/admet-ai" : value);
      std::vector<fs::path> files;
      const fs::path original = template_->path() / fs::relative(file, work_);
      if (fs::is_regular_file(original)) {
        expect_error_or_answer(words, file, /*is_required=*/true);
      } else {
        for (const auto& entry : fs::recursive_directory_iterator(original)) {
          if (entry.is_regular_file() && entry.file_size() > 0 && entry.path().filename() != ".lock") {
            files.push_back(file / fs::relative(entry.path(), original));
          }
        }
        std::sort(files.begin(), files.end());
        for (std::size_t i = 0; i < files.size(); i += tests_all() ? 1 : (files.size() + 1) / 2) {
          expect_error_or_answer(words, files[i], /*is_required=*/false);
        }
      }
      if (!tests_all()) {
        break;
      }
    }
  }

  static std::unique_ptr<TemporaryFolder> template_;
  TemporaryFolder place_;
  fs::path work_ = fs::canonical(place_.path()) / "work";
  std::size_t changes_ = 0;
};

std::unique_ptr<TemporaryFolder> ChangedOption::template_;

/// Options that the test does not change, with the reason.
const std::map<std::string, std::string> kNotChanged = {
    {"serve model", "answers need requests: tests/server"},
    {"serve token-file", "answers need requests: tests/server"},
    {"doctor MOLECULES", "its answer is a measured speed"},
    {"train splits-cache", "the inputs lack a split cache"},
    {"weights install from", "the inputs lack published weights"},
};

/// The name of an option in this test, for example "pocket search GRAPHS".
std::string name_of(const VerbOfFiles& verb, const Option& option) {
  const bool has_part = verb.words.size() > 1 && !verb.words[1].starts_with('-');
  return fmt::format("{} {}", has_part ? verb.words[0] + " " + verb.words[1] : verb.words[0], option.name);
}

/// The known inputs of an option.
Words inputs_of(const VerbOfFiles& verb, const Option& option) {
  const std::string name(option.name);
  if (const auto known = verb.inputs.find(name); known != verb.inputs.end()) {
    return known->second;
  }
  const auto given = std::find(verb.more.begin(), verb.more.end(), "--" + name);
  return given == verb.more.end() ? Words{} : Words{*(given + 1)};
}

/// AnyFiles.CoverEveryVerb checks that verbs_of_files() contains every verb.
TEST_F(ChangedOption, EveryOptionThatReadsHasAnInput) {
  std::map<std::string, bool> has_input;
  for (const VerbOfFiles& verb : verbs_of_files()) {
    for (const Option& option : verb.options) {
      if (reads(option)) {
        bool& found = has_input[name_of(verb, option)];
        found = found || !inputs_of(verb, option).empty();
      }
    }
  }
  EXPECT_GT(has_input.size(), 30U);
  for (const auto& [name, found] : has_input) {
    EXPECT_TRUE(found || kNotChanged.contains(name))
        << name << ": add an input of this option to every_verb.cpp";
  }
}

TEST_F(ChangedOption, OfEveryVerb) {
  if (is_instrumented() || template_ == nullptr) {
    GTEST_SKIP() << "set MOLGAUGE_CHANGED_OPTIONS. A sanitizer has to be loaded first, so it skips";
  }
  const std::string chosen = variable("MOLGAUGE_CHANGED_VERB");
  std::set<std::string> tested;
  for (const VerbOfFiles& verb : verbs_of_files()) {
    for (const Option& option : verb.options) {
      const std::string name = name_of(verb, option);
      const Words inputs = reads(option) ? inputs_of(verb, option) : Words{};
      if (inputs.empty() || kNotChanged.contains(name) || (!tests_all() && tested.contains(name)) ||
          (!chosen.empty() && chosen != verb.words.front())) {
        continue;
      }
      tested.insert(name);
      const std::size_t changes = changes_;
      change_inputs(verb, option, inputs);
      fmt::print("{}: {} changes\n", name, changes_ - changes);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace molgauge::test
