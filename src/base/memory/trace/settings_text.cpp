#include "base/memory/trace/settings_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::allocator {
namespace {

/// Scans the text of the settings. Spaces have been removed from it.
class SettingsScanner {
 public:
  explicit SettingsScanner(std::string_view text) {
    for (const char character : text) {
      if (character != ' ' && character != '\t') {
        text_ += character;
      }
    }
  }

  bool at_end() const { return position_ == text_.size(); }
  bool skip(char character) {
    const bool there = !at_end() && text_[position_] == character;
    position_ += there ? 1 : 0;
    return there;
  }
  void expect(char character) {
    if (!skip(character)) {
      throw UsageError(fmt::format("allocator setting '{}': '{}' is missing after '{}'", text_, character,
                                   text_.substr(0, position_)));
    }
  }
  std::string word() {
    const std::size_t end = std::min(text_.find_first_of(":,[]", position_), text_.size());
    std::string found = text_.substr(position_, end - position_);
    if (found.empty()) {
      throw UsageError(fmt::format("allocator setting '{}': a word is missing after '{}'. Write key:value",
                                   text_, text_.substr(0, position_)));
    }
    position_ = end;
    return found;
  }

 private:
  std::string text_;
  std::size_t position_ = 0;
};

template <typename Number>
Number number(const std::string& key, const std::string& value, const char* expected) {
  Number result{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size()) {
    throw UsageError(fmt::format("allocator setting {}: '{}' is not {}", key, value, expected));
  }
  return result;
}

}  // namespace

std::vector<SettingText> split_settings(std::string_view text) {
  SettingsScanner scanner(text);
  std::vector<SettingText> settings;
  while (!scanner.at_end()) {
    SettingText setting;
    setting.key = scanner.word();
    scanner.expect(':');
    setting.is_list = scanner.skip('[');
    if (setting.is_list) {
      do {
        std::string boundary = scanner.word();
        scanner.expect(':');
        setting.list.emplace_back(std::move(boundary), scanner.word());
      } while (scanner.skip(','));
      scanner.expect(']');
    } else {
      setting.value = scanner.word();
    }
    settings.push_back(std::move(setting));
    if (!scanner.at_end()) {
      scanner.expect(',');
    }
  }
  return settings;
}

std::string joined_settings(const std::vector<SettingText>& settings) {
  std::string text;
  for (const auto& setting : settings) {
    text += (text.empty() ? "" : ",") + setting.key + ":";
    if (!setting.is_list) {
      text += setting.value;
      continue;
    }
    std::string list;
    for (const auto& [boundary, value] : setting.list) {
      list += (list.empty() ? "" : ",") + boundary + ":" + value;
    }
    text += "[" + list + "]";
  }
  return text;
}

const SettingText* find_setting(const std::vector<SettingText>& settings, std::string_view key) {
  const auto found = std::find_if(settings.rbegin(), settings.rend(),
                                  [&](const SettingText& setting) { return setting.key == key; });
  return found == settings.rend() ? nullptr : &*found;
}

void replace_setting(std::vector<SettingText>& settings, SettingText setting) {
  const auto same = [&](const SettingText& other) { return other.key == setting.key; };
  const auto place = std::find_if(settings.begin(), settings.end(), same);
  if (place == settings.end()) {
    settings.push_back(std::move(setting));
    return;
  }
  settings.erase(std::remove_if(place + 1, settings.end(), same), settings.end());
  *place = std::move(setting);
}

void remove_setting(std::vector<SettingText>& settings, std::string_view key) {
  std::erase_if(settings, [&](const SettingText& setting) { return setting.key == key; });
}

std::uint64_t whole_number(const std::string& key, const std::string& value) {
  return number<std::uint64_t>(key, value, "a whole number");
}

double share(const std::string& key, const std::string& value) {
  return number<double>(key, value, "a number");
}

bool truth(const std::string& key, const std::string& value) {
  if (value != "True" && value != "False") {
    throw UsageError(fmt::format("allocator setting {}: '{}' is neither True nor False", key, value));
  }
  return value == "True";
}

}  // namespace molgauge::allocator
