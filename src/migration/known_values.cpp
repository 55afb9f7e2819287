#include "migration/known_values.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "migration/shell_words.h"

namespace headroom::migration {
namespace {

/// The name in "NAME=value" or "NAME+=value"; empty where the word is no assignment.
std::string assigned_name(const std::string& word) {
  std::size_t end = 0;
  while (end < word.size() && is_of_name(word[end])) {
    ++end;
  }
  const bool begins_name = end > 0 && std::isdigit(static_cast<unsigned char>(word.front())) == 0;
  const std::string_view rest = std::string_view(word).substr(end);
  return begins_name && (rest.starts_with("=") || rest.starts_with("+=")) ? word.substr(0, end) : "";
}

/// The variable that a word consists of: $A, ${A}, ${A[@]} and ${A[*]}; empty for any other word.
std::string variable_in(const std::string& word) {
  if (!word.starts_with('$')) {
    return "";
  }
  std::string name = word.substr(1);
  if (name.starts_with('{') && name.ends_with('}')) {
    name = name.substr(1, name.size() - 2);
    if (name.ends_with("[@]") || name.ends_with("[*]")) {
      name.resize(name.size() - 3);
    }
  }
  return !name.empty() && std::ranges::all_of(name, is_of_name) ? name : "";
}

bool is_one_of(const std::string& word, const auto& names) {
  return std::ranges::find(names, word) != names.end();
}

}  // namespace

void KnownValues::add(const std::string& name, const std::string& word) {
  Values& values = values_[name];
  if (word.find('$') == std::string::npos) {
    values.texts.insert(readable(word));
  } else if (const std::string source = variable_in(word); !source.empty()) {
    values.sources.insert(source);
  } else {
    values.is_unknown = true;
  }
}

void KnownValues::learn_array(const std::string& name, const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    add(name, item);
  }
}

void KnownValues::learn(const std::vector<std::string>& words) {
  static constexpr std::array kDeclaring = {"export", "local", "declare", "readonly", "typeset"};
  static constexpr std::array kReading = {"read", "mapfile", "readarray", "getopts", "printf"};
  if (words.empty()) {
    return;
  }
  const auto for_loop = std::ranges::find(words, "for");
  if (for_loop != words.end() && words.end() - for_loop >= 3 && *(for_loop + 2) == "in") {
    for (auto word = for_loop + 3; word != words.end(); ++word) {
      add(*(for_loop + 1), *word);
    }
    return;
  }
  bool is_declaration = false, is_reading = false;
  for (const std::string& word : words) {
    const std::string name = assigned_name(word);
    if (is_reading) {
      values_[word].is_unknown = true;
    } else if (!name.empty()) {
      const std::size_t sign = word.find('=');
      add(name, word.substr(sign + 1));
      values_[name].is_unknown |= word[sign - 1] == '+';
    } else if (is_one_of(word, kReading)) {
      is_reading = true;
    } else if (is_one_of(word, kDeclaring)) {
      is_declaration = true;
    } else if (!is_declaration && !is_shell_keyword(word)) {
      return;  // the arguments of a command
    }
  }
}

bool KnownValues::collect(const std::string& name, std::set<std::string>& seen,
                          std::set<std::string>& texts) const {
  if (!seen.insert(name).second) {
    return true;
  }
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.is_unknown) {
    return false;
  }
  texts.insert(found->second.texts.begin(), found->second.texts.end());
  return std::ranges::all_of(found->second.sources,
                             [&](const std::string& source) { return collect(source, seen, texts); });
}

std::optional<std::set<std::string>> KnownValues::of(const std::string& word) const {
  if (word.find('$') == std::string::npos) {
    return std::set{word};
  }
  const std::string name = variable_in(word);
  std::set<std::string> seen, texts;
  if (name.empty() || !collect(name, seen, texts) || texts.empty()) {
    return std::nullopt;
  }
  return texts;
}

}  // namespace headroom::migration
