// Calls in a Python script, which keeps them as lists or as texts.

#include <algorithm>
#include <cctype>

#include "migration/call_words.h"
#include "migration/shell_words.h"

namespace headroom::migration {
namespace {

/// Reads the items of Python lists: texts become words, other items a variable of that name.
class PythonReader {
 public:
  explicit PythonReader(Script& script) : script_(script), text_(script.text) {}

  void read() {
    while (position_ < text_.size()) {
      step();
    }
  }

 private:
  struct Item {
    std::string text;
    std::string last_string;
    bool is_string = false, is_expression = false;  ///< both: an expression with a string in it
    std::size_t begin = 0, end = 0;
  };
  /// What stands between brackets that are still open.
  struct Frame {
    bool is_list = false;
    std::size_t line = 0;
    std::vector<Item> items;
    Item item;
  };
  static constexpr std::size_t kLongestName = 256;  ///< bytes of an expression that a name is made of

  void step() {
    const char next = text_[position_];
    if (next == '"' || next == '\'') {
      read_string(next);
      return;
    }
    if (next == '#') {
      position_ = std::min(text_.find('\n', position_), text_.size());
      return;
    }
    line_ += next == '\n' ? 1 : 0;
    if (next == '[' || next == '(' || next == '{') {
      frames_.push_back({next == '[', line_, {}, {}});
    } else if (next == ']' || next == ')' || next == '}') {
      close(next);
    } else if (!frames_.empty() && next == ',') {
      take(frames_.back());
    } else if (!frames_.empty() && std::isspace(static_cast<unsigned char>(next)) == 0) {
      add(frames_.back().item, std::string(1, next), position_, position_ + 1);
    }
    ++position_;
  }

  static void add(Item& item, const std::string& text, std::size_t begin, std::size_t end) {
    item.begin = item.is_string || item.is_expression ? item.begin : begin;
    item.end = end;
    item.text += text;
    item.is_expression = true;
  }

  /// Position behind the quotes that close the string whose content begins at `begin`.
  std::size_t end_of_string(std::size_t begin, const std::string& quotes) const {
    for (std::size_t at = begin; at < text_.size(); ++at) {
      if (text_[at] == '\\') {
        ++at;
      } else if (text_.substr(at, quotes.size()) == quotes) {
        return at + quotes.size();
      }
    }
    return text_.size();
  }

  void read_string(char quote) {
    const std::string triple(3, quote);
    const std::string quotes = text_.substr(position_, 3) == triple ? triple : std::string(1, quote);
    const std::size_t begin = position_, inside = begin + quotes.size();
    position_ = end_of_string(inside, quotes);
    const std::size_t inside_end =
        text_.substr(0, position_).ends_with(quotes) && position_ >= inside + quotes.size()
            ? position_ - quotes.size()
            : position_;
    const std::string_view content = text_.substr(inside, inside_end - inside);
    line_ += static_cast<std::size_t>(std::ranges::count(content, '\n'));
    find_mentions(text_, inside, inside_end, script_.mentions);
    if (frames_.empty()) {
      return;
    }
    Item& item = frames_.back().item;
    item.begin = item.is_string || item.is_expression ? item.begin : begin;
    item.end = position_;
    item.is_string = true;
    item.last_string = content;
    std::ranges::transform(content, std::back_inserter(item.text), as_text);
  }

  static void take(Frame& frame) {
    if (frame.item.is_string || frame.item.is_expression) {
      frame.items.push_back(std::move(frame.item));
    }
    frame.item = {};
  }

  void close(char bracket) {
    if (frames_.empty()) {
      return;
    }
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    const std::string last = frame.item.last_string;
    take(frame);
    const std::size_t begin = frame.items.empty() ? position_ : frame.items.front().begin;
    std::string text(1, bracket == ']' ? '[' : bracket == ')' ? '(' : '{');
    for (const Item& item : frame.items) {
      text += text.size() < kLongestName ? item.text.substr(0, kLongestName) : "";
    }
    text += bracket;
    if (frame.is_list) {
      add_call(frame);
    }
    if (!frames_.empty()) {
      add(frames_.back().item, text, begin > 0 ? begin - 1 : 0, position_ + 1);
      frames_.back().item.last_string = last;
    }
  }

  /// The list is a call where an interpreter stands before the name of the program.
  void add_call(const Frame& frame) {
    std::vector<std::string> names;
    for (const Item& item : frame.items) {
      names.push_back(item.is_string ? item.last_string : item.text);
      if (item.is_expression && !item.last_string.empty() && is_program(item.last_string)) {
        names.back() = item.last_string;  // str(ROOT / "main.py")
      }
    }
    const CallWords call = find_call(names);
    if (call.program >= names.size() ||
        (call.begin == call.program && !names[call.program].ends_with(".sh"))) {
      return;
    }
    ScriptCommand command{frame.line, {without_folders(names[call.program])}, Place::data};
    command.begin = frame.items[call.begin].begin;
    command.arguments = frame.items[call.program].end;
    command.end = frame.items.back().end;
    for (std::size_t i = call.program + 1; i < frame.items.size(); ++i) {
      const Item& item = frame.items[i];
      command.words.push_back(item.is_expression ? "${" + variable_of(item.text) + "}" : item.text);
    }
    script_.commands.push_back(std::move(command));
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

  Script& script_;
  std::string_view text_;
  std::size_t position_ = 0, line_ = 1;
  std::vector<Frame> frames_;
};

}  // namespace

void read_python(Script& script) { PythonReader(script).read(); }

}  // namespace headroom::migration
