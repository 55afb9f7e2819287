#include "pockets/verbs/report/pocket_report.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/memory/plan/run_cost.h"
#include "base/page/page.h"
#include "base/page/phase_costs.h"
#include "pockets/training/history.h"
#include "pockets/training/run_files.h"
#include "pockets/verbs/pocket_page.h"

namespace molgauge::verbs {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kBest = "best_model.safetensors";
constexpr const char* kHistory = "training_history.json";
constexpr const char* kStats = "training_stats.json";

void add_cost(page::Page& page, const ordered_json& stats) {
  page.section("Memory and time");
  page::add_phase_costs(page, "pocket train", stats);
  const memory::RunCost cost = memory::read_cost(stats);
  page.paragraph(fmt::format(
      "Pockets in memory at a time: {} planned, {} used. Recoveries from running out of memory: {}.",
      cost.batch_size_planned, cost.batch_size_used, cost.oom_recoveries));
}

void add_training(page::Page& page, const std::vector<pocket::EpochRecord>& history, const fs::path& run) {
  page.section("Training");
  const auto best = std::min_element(history.begin(), history.end(), [](const auto& a, const auto& b) {
    return a.validation_loss < b.validation_loss;
  });
  page.paragraph(fmt::format("{} epochs. The lowest validation loss is {:.6f} (cosine {:.4f}), in epoch {}.",
                             history.size(), best->validation_loss, best->validation_cosine,
                             best - history.begin() + 1));
  page.figures(training_curves((run / kBest).string()));
}

void add_options(page::Page& page, const ordered_json& config) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto& [name, value] : config.items()) {
    fields.emplace_back(name, value.is_string() ? value.get<std::string>() : json_line(value));
  }
  page.section("Options");
  page.fields("config.json", fields);
}

ordered_json intact_json(const fs::path& file) {
  require_intact(file, "Train again with --restart");
  return parse_json<ordered_json>(read_file(file));
}

fs::path page_file(const ReportRequest& request) {
  const fs::path out = request.out.empty() ? fs::path(request.folder) / "report.html" : fs::path(request.out);
  if (out.extension() != ".html") {
    throw UsageError(out.string() + ": the report is an .html file");
  }
  return out;
}

}  // namespace

bool is_pocket_run(const fs::path& folder) {
  const fs::path file = folder / pocket::kConfigFile;
  if (!fs::is_regular_file(file)) {
    return false;
  }
  const auto config = parse_json_or_nothing(read_file(file));
  return config.is_object() && config.contains("hidden_irreps") && config.contains("embeddings_path");
}

ReportSummary write_pocket_report(const ReportRequest& request) {
  const fs::path run = request.folder, out = page_file(request);
  ReportSummary summary{.planned = 1, .finished = 0, .failed = 0, .files = {}, .gaps = {}};
  page::Page page("Pocket encoder", fs::absolute(run).lexically_normal().string());
  fs::path file;
  try {
    file = run / kHistory;
    if (fs::exists(file)) {
      const auto history = pocket::history_in(intact_json(file));
      if (!history.empty()) {
        add_training(page, history, run);
      }
    } else {
      summary.gaps.push_back(file.string() + ": no epoch is finished yet");
    }
    file = run / kStats;
    if (fs::exists(file)) {
      add_cost(page, intact_json(file));
      summary.finished = 1;
    } else {
      summary.gaps.push_back(file.string() + ": the training is not finished yet");
    }
    file = run / pocket::kConfigFile;
    add_options(page, intact_json(file));
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(file.string() + ": not a file of molgauge pocket train (" + json_problem(problem) + ")");
  }
  replace_file(out, page.to_string());
  summary.files.push_back(out.string());
  return summary;
}

}  // namespace molgauge::verbs
