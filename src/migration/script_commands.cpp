#include "migration/script_commands.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "migration/shell_words.h"

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

/// The program of a command: its first word, or the script that an interpreter runs.
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
        add(as_text(text_[position_ + 1]));
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
      in_word_ = in_word_ && !numbered;  // the 2 of 2> is not an argument
      end_word();
      ++position_;
      if (next == '<' || next == '>') {
        redirected_ = true;  // a file follows, not an argument
      } else {
        end_command();
        line_ += next == '\n' ? 1 : 0;
      }
    } else if (std::isspace(static_cast<unsigned char>(next)) != 0) {
      end_word();
      ++position_;
    } else {
      add(is_alive_at(position_) ? next : as_text(next));
      ++position_;
    }
  }

  /// Whether the shell substitutes the text that begins here: a `$` alone is text.
  bool is_alive_at(std::size_t place) const {
    const char next = place + 1 < text_.size() ? text_[place + 1] : '\0';
    return text_[place] == '$' &&
           (is_of_name(next) || std::string_view("{(@*#?$!-").find(next) != std::string_view::npos);
  }

  void add(char character) {
    word_ += character;
    in_word_ = true;
  }

  void read_quoted(char quote) {
    in_word_ = true;
    in_backquotes_ = false;
    for (++position_; position_ < text_.size() && text_[position_] != quote; ++position_) {
      line_ += text_[position_] == '\n' ? 1 : 0;
      if (quote == '\'') {
        word_ += as_text(text_[position_]);
      } else {
        read_double_quoted();
      }
    }
    position_ = std::min(position_ + 1, text_.size());
  }

  void read_double_quoted() {
    const char here = text_[position_];
    const char next = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
    if (here == '\\' && std::string_view("$`\"\\\n").find(next) != std::string_view::npos) {
      ++position_;
      line_ += next == '\n' ? 1 : 0;
      word_ += next == '\n' ? std::string() : std::string(1, as_text(next));
    } else if (here == '`') {
      word_ += in_backquotes_ ? ")" : "$(";
      in_backquotes_ = !in_backquotes_;
    } else {
      word_ += is_alive_at(position_) ? here : as_text(here);
    }
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
  bool in_word_ = false, redirected_ = false, in_backquotes_ = false;
  std::string word_;
  std::vector<std::string> words_;
  std::vector<ScriptCommand> found_;
};

/// Reads the items of Python lists: texts become words, other items a variable of that name.
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
  struct Item {
    std::string text;
    bool is_string = false, is_expression = false;  ///< both: an expression with a string in it
  };

  /// Reads up to the bracket that closes the list.
  std::vector<std::string> read_list() {
    std::vector<std::string> words;
    Item item;
    int depth = 0;
    for (; position_ < text_.size(); ++position_) {
      const char next = text_[position_];
      if (next == '"' || next == '\'') {
        item.text += read_text(next);
        item.is_string = true;
      } else if (next == '#') {
        position_ = std::min(text_.find('\n', position_), text_.size()) - 1;
      } else if (depth == 0 && (next == ',' || next == ']')) {
        take(item, words);
        if (next == ']') {
          return words;
        }
      } else if (std::isspace(static_cast<unsigned char>(next)) == 0) {
        depth += (next == '(' || next == '[') ? 1 : (next == ')' || next == ']') ? -1 : 0;
        item.text += next;
        item.is_expression = true;
      }
    }
    return {};
  }

  std::string read_text(char quote) {
    std::string read;
    for (++position_; position_ < text_.size() && text_[position_] != quote; ++position_) {
      read += as_text(text_[position_]);
    }
    return read;
  }

  static void take(Item& item, std::vector<std::string>& words) {
    if (item.is_expression) {
      words.push_back("${" + variable_of(item.text) + "}");
    } else if (item.is_string) {
      words.push_back(item.text);
    }
    item = {};
  }

  /// A name that is valid in a shell, for any expression.
  static std::string variable_of(std::string expression) {
    if (expression.starts_with("str(") && expression.ends_with(")")) {
      expression = expression.substr(4, expression.size() - 5);
    }
    std::ranges::replace_if(
        expression, [](char character) { return !is_of_name(character); }, '_');
    return expression;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

bool is_python(std::string_view text) {
  return text.starts_with("#!") && text.substr(0, text.find('\n')).find("python") != std::string_view::npos;
}

}  // namespace

std::vector<ScriptCommand> find_script_commands(std::string_view text) {
  std::string script(text);
  std::erase(script, kTextDollar);
  return is_python(script) ? PythonReader(script).commands() : ShellReader(script).commands();
}

}  // namespace headroom::migration
