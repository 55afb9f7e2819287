#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "molecules/pages/json_fields.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

constexpr std::size_t kMaxGaps = 40;

/// Lists the options of each method, from its run in the first setting.
void add_methods(page::Page& page, RunFiles& files, const Setting& setting) {
  for (const ComparedMethod& contender : setting.contenders) {
    if (contender.median != nullptr) {
      const auto fields = fields_of(files.json(contender.median->cell, "config.json"));
      if (!fields.empty()) {
        page.fields(fmt::format("{} on {}, seed {}", display_name(contender.summary.variant), setting.name(),
                                contender.median->cell.seed),
                    fields);
      }
    }
  }
}

void add_list(page::Page& page, std::vector<std::string> items) {
  const std::size_t left = items.size() - std::min(items.size(), kMaxGaps);
  if (left > 0) {
    items.resize(kMaxGaps);
    items.push_back(fmt::format("and {} more.", left));
  }
  page.list(items);
}

}  // namespace

void add_settings(page::Page& page, RunFiles& files, const Study& study,
                  const std::vector<Setting>& settings) {
  page.section("Settings");
  if (!study.specification.empty()) {
    page.verbatim("Specification (spec.toml)", study.specification);
  }
  if (!settings.empty()) {
    if (study.kind == StudyKind::baselines) {
      page.fields("Options of all methods",
                  fields_of(files.json(study.outcomes.front().cell, "config.json")));
    } else {
      add_methods(page, files, settings.front());
    }
  }
}

void add_gaps(page::Page& page, const Study& study, const RunFiles& files) {
  std::vector<std::string> failures;
  for (const auto& [cell, ended, found] : study.outcomes) {
    if (!ended.result) {
      failures.push_back(fmt::format("{}, {}, {}, seed {}, data seed {}: {}", cell.benchmark, cell.encoder,
                                     cell.variant(), cell.seed, cell.data_seed, ended.error));
    }
  }
  if (failures.empty() && files.gaps().empty()) {
    return;
  }
  page.section("What is missing");
  add_list(page, files.gaps());
  if (!failures.empty()) {
    page.heading(fmt::format("{} failed runs", failures.size()));
    add_list(page, failures);
  }
}

}  // namespace molgauge::report
