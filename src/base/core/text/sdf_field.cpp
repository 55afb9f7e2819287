#include "base/core/text/sdf_field.h"

#include <algorithm>
#include <utility>

namespace molgauge {

std::string sdf_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  return text.starts_with("$$$$") ? " " + text : text;
}

std::string sdf_field(std::string name, std::string value) {
  if (value.empty()) {
    return "";
  }
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return letter == '<' || letter == '>'; }, '_');
  return ">  <" + sdf_line(std::move(name)) + ">\n" + sdf_line(std::move(value)) + "\n\n";
}

}  // namespace molgauge
