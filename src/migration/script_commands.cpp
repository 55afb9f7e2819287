#include "migration/script_commands.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace headroom::migration {
namespace {

constexpr std::array<std::string_view, 11> kPrograms = {"main.py",
                                                        "main_generalization.py",
                                                        "prediction.py",
                                                        "baselines.py",
                                                        "run_ablation_study.py",
                                                        "run_experiments.sh",
                                                        "run_ablation.sh",
                                                        "run_baselines.sh",
                                                        "run_good_experiments.sh",
                                                        "run_cross_dataset_experiments.sh",
                                                        "run_finetune_comparison.sh"};

std::string without_folders(const std::string& word) {
  const auto slash = word.rfind('/');
  return slash == std::string::npos ? word : word.substr(slash + 1);
}

bool is_program(const std::string& word) {
  return std::ranges::find(kPrograms, without_folders(word)) != kPrograms.end();
}

bool is_number(const std::string& word) {
  return std::ranges::all_of(word, [](unsigned char character) { return std::isdigit(character) != 0; });
}

/// The program of a command: its first word, or what an interpreter is called with.
std::vector<std::string>::iterator find_program(std::vector<std::string>& words) {
  const auto program = std::ranges::find_if(words, is_program);
  const bool called = program == words.begin() || std::any_of(words.begin(), program, [](const auto& word) {
                        const std::string name = without_folders(word);
                        return name.starts_with("python") || name.ends_with("sh");
                      });
  return called ? program : words.end();
}

/// Reads words as a shell splits them; a command ends at a line's end or at ; & | ( ).
class ShellReader {
 public:
  explicit ShellReader(std::string_view text) : text_(text) {}

  std::vector<ScriptCommand> commands() {
    while (position_ < text_.size()) {
      step();
    }
    end_word();
    end_command();
    return std::move(found_);
  }

 private:
  void step() {
    const char next = text_[position_];
    if (next == '\\' && position_ + 1 < text_.size()) {
      line_ += text_[position_ + 1] == '\n' ? 1 : 0;
      if (text_[position_ + 1] != '\n') {
        add(text_[position_ + 1]);
      }
      position_ += 2;
    } else if (next == '\'' || next == '"') {
      read_quoted(next);
    } else if (next == '#' && !in_word_) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (next == '$' && position_ + 1 < text_.size() && text_[position_ + 1] == '{') {
      read_variable();
    } else if (std::string_view("\n;&|()<>`").find(next) != std::string_view::npos) {
      const bool numbered = (next == '<' || next == '>') && is_number(word_);
      in_word_ = in_word_ && !numbered;  // the 2 of 2> is no argument
      end_word();
      ++position_;
      if (next == '<' || next == '>') {
        redirected_ = true;  // what follows is a file, not an argument
      } else {
        end_command();
        line_ += next == '\n' ? 1 : 0;
      }
    } else if (std::isspace(static_cast<unsigned char>(next)) != 0) {
      end_word();
      ++position_;
    } else {
      add(next);
      ++position_;
    }
  }

  void add(char character) {
    word_ += character;
    in_word_ = true;
  }

  void read_quoted(char quote) {
    in_word_ = true;
    for (++position_; position_ < text_.size() && text_[position_] != quote; ++position_) {
      if (quote == '"' && text_[position_] == '\\' && position_ + 1 < text_.size()) {
        ++position_;
      }
      line_ += text_[position_] == '\n' ? 1 : 0;
      word_ += text_[position_];
    }
    position_ = std::min(position_ + 1, text_.size());
  }

  void read_variable() {
    const std::size_t end = std::min(text_.find('}', position_), text_.size() - 1) + 1;
    for (; position_ < end; ++position_) {
      add(text_[position_]);
    }
  }

  void end_word() {
    if (in_word_ && !redirected_) {
      if (words_.empty()) {
        start_ = line_;
      }
      words_.push_back(word_);
    }
    redirected_ = redirected_ && !in_word_;
    word_.clear();
    in_word_ = false;
  }

  void end_command() {
    const auto program = find_program(words_);
    if (program != words_.end()) {
      ScriptCommand command{start_, {program, words_.end()}};
      command.words.front() = without_folders(command.words.front());
      found_.push_back(std::move(command));
    }
    words_.clear();
    redirected_ = false;
  }

  std::string_view text_;
  std::size_t position_ = 0, line_ = 1, start_ = 1;
  bool in_word_ = false, redirected_ = false;
  std::string word_;
  std::vector<std::string> words_;
  std::vector<ScriptCommand> found_;
};

/// Reads the items of Python lists: texts are words, anything else a variable of that name.
class PythonReader {
 public:
  explicit PythonReader(std::string_view text) : text_(text) {}

  std::vector<ScriptCommand> commands() {
    std::vector<ScriptCommand> found;
    for (position_ = text_.find('['); position_ < text_.size(); position_ = text_.find('[', position_)) {
      const auto line =
          static_cast<std::size_t>(1 + std::count(text_.begin(), text_.begin() + position_, '\n'));
      ++position_;
      std::vector<std::string> words = read_list();
      const auto program = std::ranges::find_if(words, is_program);
      if (program != words.end()) {
        found.push_back({line, {program, words.end()}});
      }
    }
    return found;
  }

 private:
  /// Up to the bracket that closes the list.
  std::vector<std::string> read_list() {
    std::vector<std::string> words;
    std::string item;
    int depth = 0;
    for (; position_ < text_.size(); ++position_) {
      const char next = text_[position_];
      if (next == '"' || next == '\'') {
        item += read_text(next);
      } else if (next == '#') {
        position_ = std::min(text_.find('\n', position_), text_.size()) - 1;
      } else if (depth == 0 && (next == ',' || next == ']')) {
        take(item, words);
        if (next == ']') {
          return words;
        }
      } else {
        depth += (next == '(' || next == '[') ? 1 : (next == ')' || next == ']') ? -1 : 0;
        item += next;
      }
    }
    return {};
  }

  /// The text with a mark in front, by which it is told from a name.
  std::string read_text(char quote) {
    std::string read(1, quote);
    for (++position_; position_ < text_.size() && text_[position_] != quote; ++position_) {
      read += text_[position_];
    }
    return read;
  }

  static void take(std::string& item, std::vector<std::string>& words) {
    std::string trimmed;
    std::ranges::copy_if(item, std::back_inserter(trimmed),
                         [](unsigned char character) { return std::isspace(character) == 0; });
    item.clear();
    if (trimmed.empty()) {
      return;
    }
    if (trimmed.front() == '"' || trimmed.front() == '\'') {
      words.push_back(trimmed.substr(1));
      return;
    }
    if (trimmed.starts_with("str(") && trimmed.ends_with(")")) {
      trimmed = trimmed.substr(4, trimmed.size() - 5);
    }
    std::ranges::replace(trimmed, '.', '_');
    words.push_back("${" + trimmed + "}");
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

bool is_python(std::string_view text) {
  return text.starts_with("#!") && text.substr(0, text.find('\n')).find("python") != std::string_view::npos;
}

}  // namespace

std::vector<ScriptCommand> find_script_commands(std::string_view text) {
  return is_python(text) ? PythonReader(text).commands() : ShellReader(text).commands();
}

std::string shell_quoted(const std::string& word) {
  if (word.find('$') != std::string::npos) {
    return '"' + word + '"';
  }
  const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char character) {
    return std::isalnum(character) != 0 ||
           std::string_view("-_./:=,+@%").find(static_cast<char>(character)) != std::string_view::npos;
  });
  if (plain) {
    return word;
  }
  std::string quoted = "'";
  for (const char character : word) {
    quoted += character == '\'' ? "'\\''" : std::string(1, character);
  }
  return quoted + "'";
}

}  // namespace headroom::migration
