#include <set>
#include <string>
#include <vector>

#include "molecules/pages/sections.h"

namespace molgauge::report {

void add_seeds(page::Page& page, const Study& study) {
  std::set<std::string> seeds;
  for (const auto& [cell, ended, found] : study.outcomes) {
    seeds.insert(std::to_string(cell.seed));
  }
  if (!seeds.empty()) {
    page.section("Seeds");
    page.list({seeds.begin(), seeds.end()});
  }
}

}  // namespace molgauge::report
