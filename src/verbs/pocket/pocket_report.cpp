#include "verbs/pocket/pocket_report.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/bytes.h"
#include "core/duration.h"
#include "core/error.h"
#include "core/folder_checksums.h"
#include "core/json_reader.h"
#include "models/ood/run/run_cost.h"
#include "models/pocket/training/history.h"
#include "models/pocket/training/run_files.h"
#include "pages/toolkit/chart.h"
#include "pages/toolkit/page.h"
#include "verbs/pocket/pocket_page.h"

namespace headroom::session {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kBest = "best_model.safetensors";
constexpr const char* kHistory = "training_history.json";
constexpr const char* kStats = "training_stats.json";

std::string share_of(std::uint64_t bytes, std::uint64_t budget) {
  return budget > 0 ? fmt::format("{:.1f}%", 100 * static_cast<double>(bytes) / static_cast<double>(budget))
                    : "";
}

page::Figure memory_figure(const ood::RunCost& cost) {
  std::vector<page::BarRow> rows;
  for (const PhaseReport& phase : cost.phases) {
    if (phase.peak_host_memory_bytes > 0 && phase.planned_memory_bytes > 0) {
      rows.push_back({phase.phase + ", planned", format_bytes(phase.planned_memory_bytes),
                      static_cast<double>(phase.planned_memory_bytes), 2});
    }
    // Of a step within a phase only tensors are measured.
    const bool is_step = phase.peak_host_memory_bytes == 0;
    const std::uint64_t bytes = is_step ? phase.peak_tensor_memory_bytes : phase.peak_host_memory_bytes;
    rows.push_back({phase.phase + (is_step ? ", tensors" : ", process"), format_bytes(bytes),
                    static_cast<double>(bytes), is_step ? 1U : 0U});
  }
  if (cost.memory_budget_bytes > 0) {
    rows.push_back(
        {"budget", format_bytes(cost.memory_budget_bytes), static_cast<double>(cost.memory_budget_bytes), 3});
  }
  return {"Peak memory of each phase",
          page::draw_bars("Peak memory of each phase", rows),
          "Resident memory of the process at its highest, beside what was planned and the budget; for steps "
          "within the training, their tensors. Figures are those of the last call that trained.",
          {}};
}

void add_cost(page::Page& page, const ordered_json& stats) {
  const ood::RunCost cost = ood::read_cost(stats);
  page.section("Memory and time");
  page.figures({memory_figure(cost)});
  page::Table table{"Phases",
                    {{"phase"},
                     {"time, s", true},
                     {"process", true},
                     {"tensors", true},
                     {"planned", true},
                     {"of the budget", true}},
                    {}};
  for (const PhaseReport& phase : cost.phases) {
    const auto text = [](std::uint64_t bytes) { return bytes > 0 ? format_bytes(bytes) : std::string(); };
    table.rows.push_back({{phase.phase},
                          {fmt::format("{:.2f}", phase.seconds)},
                          {text(phase.peak_host_memory_bytes)},
                          {text(phase.peak_tensor_memory_bytes)},
                          {text(phase.planned_memory_bytes)},
                          {share_of(phase.peak_host_memory_bytes, cost.memory_budget_bytes)}});
  }
  page.table(table);
  page.paragraph(
      fmt::format("Budget: {}. Pockets of a step at once in memory, planned: {}; used: {}; "
                  "recoveries from running out of memory: {}.",
                  format_bytes(cost.memory_budget_bytes), cost.batch_size_planned, cost.batch_size_used,
                  cost.oom_recoveries));
}

void add_training(page::Page& page, const std::vector<pocket::EpochRecord>& history, const fs::path& run) {
  page.section("Training");
  const auto best = std::min_element(history.begin(), history.end(), [](const auto& a, const auto& b) {
    return a.validation_loss < b.validation_loss;
  });
  page.paragraph(fmt::format(
      "{} epochs; the lowest validation loss, {:.6f} with cosine {:.4f}, is that of "
      "epoch {}.",
      history.size(), best->validation_loss, best->validation_cosine, best - history.begin() + 1));
  page.figures(training_curves((run / kBest).string()));
}

void add_options(page::Page& page, const ordered_json& config) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto& [name, value] : config.items()) {
    fields.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  page.section("Options");
  page.fields("config.json", fields);
}

ordered_json intact_json(const fs::path& file) {
  require_intact(file, "train again with --restart");
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
  ReportSummary summary{.candidates = 0, .planned = 1, .finished = 0, .failed = 0, .files = {}, .gaps = {}};
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
      summary.gaps.push_back(file.string() + ": no epoch has ended yet");
    }
    file = run / kStats;
    if (fs::exists(file)) {
      add_cost(page, intact_json(file));
      summary.finished = 1;
    } else {
      summary.gaps.push_back(file.string() + ": the training has not ended yet");
    }
    file = run / pocket::kConfigFile;
    add_options(page, intact_json(file));
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(file.string() + ": not what headroom pocket train writes (" + json_problem(problem) +
                     ")");
  }
  replace_file(out, page.to_string());
  summary.files.push_back(out.string());
  return summary;
}

}  // namespace headroom::session
