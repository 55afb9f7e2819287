#include "migration/script_commands.h"

#include <algorithm>
#include <cctype>

#include "migration/call_words.h"
#include "migration/shell_words.h"

namespace headroom::migration {
namespace {

bool is_number(const std::string& word) {
  return std::ranges::all_of(word, [](unsigned char character) { return std::isdigit(character) != 0; });
}

struct Word {
  std::string text;
  std::size_t begin = 0, end = 0;  ///< bytes of the script
};

/// Reads words as a shell splits them; a command ends at a line's end or at ; & | ( ).
class ShellReader {
 public:
  /// Reads the bytes from `begin` to `end` of the script's text, the first of which is in this line.
  ShellReader(Script& script, std::size_t begin, std::size_t end, std::size_t line, int depth = 0)
      : script_(script),
        text_(std::string_view(script.text).substr(0, end)),
        position_(begin),
        line_(line),
        start_(line),
        depth_(depth) {}

  void read() {
    while (position_ < text_.size()) {
      step();
    }
    end_word();
    end_command();
  }

 private:
  static constexpr int kDeepest = 32;  ///< nested substitutions that are looked into

  void step() {
    const char next = text_[position_];
    if (next == '\\' && position_ + 1 < text_.size()) {
      read_escaped();
    } else if (next == '\'' || next == '"') {
      read_quoted(next);
    } else if (next == '#' && !in_word_) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (is_substitution_at(position_)) {
      begin_word();
      read_substitution();
    } else if (std::string_view("\n;&|()<>").find(next) != std::string_view::npos) {
      read_operator(next);
    } else if (std::isspace(static_cast<unsigned char>(next)) != 0) {
      end_word();
      ++position_;
    } else {
      add(is_alive_at(position_) ? next : as_text(next));
      ++position_;
    }
  }

  void read_escaped() {
    if (text_[position_ + 1] == '\n') {
      ++line_;
    } else {
      close_variable();
      add(as_text(text_[position_ + 1]));
    }
    position_ += 2;
  }

  void read_operator(char next) {
    const bool is_redirection = next == '<' || next == '>';
    if (next == '(' && in_word_ && word_.ends_with('=')) {  // A=(b c)
      array_ = word_.substr(0, word_.find_first_of("+="));
      in_word_ = false;
      word_.clear();
    } else if (is_redirection) {
      in_word_ = in_word_ && !is_number(word_);  // the 2 of 2> is not an argument
      end_word();
      redirected_ = true;  // a file follows, not an argument
    } else if (next == '\n' && !array_.empty()) {
      end_word();
      ++line_;
    } else {
      end_word();
      end_command();
      line_ += next == '\n' ? 1 : 0;
    }
    ++position_;
  }

  bool is_substitution_at(std::size_t place) const {
    const char next = place + 1 < text_.size() ? text_[place + 1] : '\0';
    return text_[place] == '`' || (text_[place] == '$' && (next == '{' || next == '('));
  }

  /// Whether the shell substitutes the text that begins here: a `$` alone is text.
  bool is_alive_at(std::size_t place) const {
    const char next = place + 1 < text_.size() ? text_[place + 1] : '\0';
    return text_[place] == '$' &&
           (is_of_name(next) || std::string_view("@*#?$!-").find(next) != std::string_view::npos);
  }

  void begin_word() {
    if (!in_word_) {
      word_begin_ = position_;
    }
    in_word_ = true;
  }

  void add(char character) {
    begin_word();
    word_ += character;
  }

  /// "$A"b is two parts of one word: a variable at the end of the first needs braces, ${A}b.
  void close_variable() {
    std::size_t begin = word_.size();
    while (begin > 0 && is_of_name(word_[begin - 1])) {
      --begin;
    }
    if (begin > 0 && begin < word_.size() && word_[begin - 1] == '$') {
      word_.insert(begin, "{");
      word_ += '}';
    }
  }

  void read_quoted(char quote) {
    if (in_word_) {
      close_variable();
    }
    begin_word();
    ++position_;
    while (position_ < text_.size() && text_[position_] != quote) {
      if (quote == '"' && is_substitution_at(position_)) {
        read_substitution();
      } else {
        line_ += text_[position_] == '\n' ? 1 : 0;
        quote == '\'' ? void(word_ += as_text(text_[position_])) : read_double_quoted();
        ++position_;
      }
    }
    position_ = std::min(position_ + 1, text_.size());
    if (position_ < text_.size() &&
        (is_of_name(text_[position_]) ||
         std::string_view("\"'\\").find(text_[position_]) != std::string_view::npos)) {
      close_variable();
    }
  }

  void read_double_quoted() {
    const char here = text_[position_];
    const char next = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
    if (here == '\\' && std::string_view("$`\"\\\n").find(next) != std::string_view::npos) {
      ++position_;
      line_ += next == '\n' ? 1 : 0;
      word_ += next == '\n' ? std::string() : std::string(1, as_text(next));
    } else {
      word_ += is_alive_at(position_) ? here : as_text(here);
    }
  }

  /// ${...}, $(...) and `...` stay as they stand; calls in the latter two are found.
  void read_substitution() {
    const bool is_old = text_[position_] == '`';
    const std::size_t begin = position_ + (is_old ? 1 : 2);
    const std::size_t end = end_of_substitution(text_, position_);
    const std::size_t inner_end = std::max(begin, end - 1);
    const std::string_view inner = text_.substr(begin, inner_end - begin);
    word_ += is_old ? "$(" : std::string(text_.substr(position_, 2));
    word_ += inner;
    word_ += is_old ? ')' : text_[position_ + 1] == '{' ? '}' : ')';
    if (text_[position_ + (is_old ? 0 : 1)] != '{' && depth_ < kDeepest) {
      ShellReader(script_, begin, inner_end, line_, depth_ + 1).read();
    }
    line_ += static_cast<std::size_t>(std::ranges::count(inner, '\n'));
    position_ = end;
  }

  void end_word() {
    if (in_word_ && !redirected_) {
      if (words_.empty()) {
        start_ = line_;
      }
      has_inner_redirection_ = has_inner_redirection_ || has_redirection_;
      words_.push_back({word_, word_begin_, position_});
    }
    has_redirection_ = has_redirection_ || (in_word_ && redirected_);
    redirected_ = redirected_ && !in_word_;
    word_.clear();
    in_word_ = false;
  }

  void end_command() {
    std::vector<std::string> texts;
    for (const Word& word : words_) {
      texts.push_back(word.text);
    }
    const CallWords call = find_call(texts);
    if (call.program < texts.size()) {
      add_call(call, std::move(texts));
    } else {
      learn(texts);
    }
    words_.clear();
    array_.clear();
    redirected_ = has_redirection_ = has_inner_redirection_ = false;
  }

  void learn(const std::vector<std::string>& texts) {
    array_.empty() ? script_.values.learn(texts) : script_.values.learn_array(array_, texts);
    for (const Word& word : words_) {
      if (word.text.find_first_of(" \t\n") != std::string::npos) {
        find_mentions(script_.text, word.begin, word.end, script_.mentions);
      }
    }
  }

  void add_call(const CallWords& call, std::vector<std::string> texts) {
    ScriptCommand command;
    command.line = start_;
    command.begin = words_[call.begin].begin;
    command.arguments = words_[call.program].end;
    command.end = words_.back().end;
    const auto own = texts.begin() + static_cast<std::ptrdiff_t>(call.begin);
    const bool is_statement = std::all_of(texts.begin(), own, is_shell_keyword);
    command.place = !array_.empty() || has_inner_redirection_ ? Place::data
                    : is_statement                            ? Place::statement
                                                              : Place::argument;
    command.words.assign(texts.begin() + static_cast<std::ptrdiff_t>(call.program), texts.end());
    command.words.front() = without_folders(command.words.front());
    script_.commands.push_back(std::move(command));
  }

  Script& script_;
  std::string_view text_;
  std::size_t position_, line_, start_;
  int depth_;
  bool in_word_ = false, redirected_ = false, has_redirection_ = false, has_inner_redirection_ = false;
  std::size_t word_begin_ = 0;
  std::string word_;
  std::string array_;  ///< name of the array whose items are read
  std::vector<Word> words_;
};

/// Whether this is a Python script: it says so in its first line, or it has an import.
bool is_python(std::string_view text) {
  const bool says_so =
      text.starts_with("#!") && text.substr(0, text.find('\n')).find("python") != std::string_view::npos;
  if (says_so || text.starts_with("import ")) {
    return true;
  }
  return text.find("\nimport ") != std::string_view::npos && !text.starts_with("#!");
}

}  // namespace

Script read_script(std::string_view text) {
  Script script;
  script.text = text;
  std::erase(script.text, kTextDollar);
  script.is_python = is_python(script.text);
  if (script.is_python) {
    read_python(script);
  } else {
    ShellReader(script, 0, script.text.size(), 1).read();
  }
  return script;
}

std::vector<ScriptCommand> find_script_commands(std::string_view text) { return read_script(text).commands; }

}  // namespace headroom::migration
