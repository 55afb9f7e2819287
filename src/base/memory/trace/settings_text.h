#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace molgauge::allocator {

/// One option of the text: a value, or a bracketed list of key:value pairs.
struct SettingText {
  std::string key, value;
  std::vector<std::pair<std::string, std::string>> list;
  bool is_list = false;
};

/// Splits "key:value,key:[a:b,c:d]". Spaces are ignored. Throws UsageError if the text ends too early.
std::vector<SettingText> split_settings(std::string_view text);
/// Joins the settings into a text for PyTorch.
std::string joined_settings(const std::vector<SettingText>& settings);

/// The setting with this key, or null. If the key occurs several times, the last setting counts, as in
/// PyTorch.
const SettingText* find_setting(const std::vector<SettingText>& settings, std::string_view key);
/// Replaces the setting with the key of `setting`, or adds it.
void replace_setting(std::vector<SettingText>& settings, SettingText setting);
void remove_setting(std::vector<SettingText>& settings, std::string_view key);

/// Parses the value of an option as an integer, a share or a truth value (True, False). For other values,
/// throws UsageError that names the option.
std::uint64_t whole_number(const std::string& key, const std::string& value);
double share(const std::string& key, const std::string& value);
bool truth(const std::string& key, const std::string& value);

}  // namespace molgauge::allocator
