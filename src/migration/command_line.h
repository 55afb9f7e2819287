#pragma once

#include <string>

#include "migration/shell_words.h"

namespace headroom::migration {

/// A command under construction. Words are those of ScriptCommand.
class Line {
 public:
  Line& word(const std::string& word) {
    text_ += (text_.empty() ? "" : " ") + shell_word(word);
    return *this;
  }
  Line& option(const std::string& name, const std::string& value) { return word(name).word(value); }
  /// A part that is in the form of the shell already.
  Line& as_it_is(const std::string& text) {
    text_ += (text_.empty() ? "" : " ") + text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace headroom::migration
