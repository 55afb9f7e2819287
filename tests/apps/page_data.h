#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace molgauge::test {

/// The data that the script of a page of candidates reads.
inline nlohmann::json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t start = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

}  // namespace molgauge::test
