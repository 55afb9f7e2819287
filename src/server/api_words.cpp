#include "server/api_words.h"

#include <array>
#include <utility>

namespace molgauge::serve {
namespace {

/// Options of the command line and the request fields that replace them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kFields{
    {{"smiles-column", "smiles_column"},
     {"prediction-column", "prediction_column"},
     {"uncertainty-column", "uncertainty_column"},
     {"lower-column", "lower_column"},
     {"upper-column", "upper_column"},
     {"standardize", "standardize"},
     {"describe", "describe"},
     {"model", "model"},
     {"encoder", "encoder"},
     {"name", "name"}}};

bool is_letter(char character) { return character >= 'a' && character <= 'z'; }

std::string field_of(std::string_view option) {
  for (const auto& [name, field] : kFields) {
    if (name == option) {
      return std::string(field);
    }
  }
  return "the server's " + std::string(option);
}

/// Returns the length of the option name that begins at `start`, or 0 if there is none.
std::size_t option_length(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && (is_letter(text[end]) || (text[end] == '-' && end > start))) {
    ++end;
  }
  while (end > start && text[end - 1] == '-') {
    --end;
  }
  return end - start;
}

}  // namespace

std::string in_api_words(std::string_view message) {
  constexpr std::string_view kBefore = " (\n'\"`";
  std::string words;
  for (std::size_t at = 0; at < message.size();) {
    const bool may_begin = at == 0 || kBefore.find(message[at - 1]) != std::string_view::npos;
    const std::size_t length =
        may_begin && message.substr(at, 2) == "--" ? option_length(message, at + 2) : 0;
    if (length == 0) {
      words += message[at++];
      continue;
    }
    words += field_of(message.substr(at + 2, length));
    at += 2 + length;
  }
  return words;
}

}  // namespace molgauge::serve
