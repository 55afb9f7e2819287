#include "molecules/pages/report.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/path_identity.h"
#include "base/core/text/counted.h"
#include "base/core/text/csv.h"
#include "base/page/markup.h"
#include "molecules/pages/result_tables.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

namespace fs = std::filesystem;

fs::path page_path(const ReportRequest& request) {
  const fs::path out = request.out.empty() ? fs::path(request.folder) / "report.html" : fs::path(request.out);
  if (out.extension() != ".html") {
    throw UsageError(out.string() +
                     ": a report ends in .html. Tables are written next to it as .md, .tex and .csv");
  }
  const fs::path parent = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (PathIdentity(parent).is_within(PathIdentity(request.folder))) {
    require_no_links_out_of(request.folder);
  }
  return out;
}

ReportSummary count_runs(const Study& study) {
  ReportSummary summary;
  summary.planned = study.planned;
  summary.finished = static_cast<std::size_t>(
      std::count_if(study.outcomes.begin(), study.outcomes.end(),
                    [](const auto& outcome) { return outcome.ended.result.has_value(); }));
  summary.failed = study.outcomes.size() - summary.finished;
  return summary;
}

std::string subtitle(const Study& study, const ReportSummary& summary) {
  if (study.kind == StudyKind::run) {
    return "One run of Molgauge";
  }
  if (study.kind == StudyKind::baselines) {
    return fmt::format("{} with one classifier of the labels", counted(summary.finished, "baseline"));
  }
  return fmt::format("{} of {} finished{}", summary.finished, counted(summary.planned, "run"),
                     summary.failed == 0 ? "" : fmt::format(", {} failed", summary.failed));
}

std::string markdown(const Study& study, const ReportSummary& summary,
                     const std::vector<page::Table>& tables) {
  std::string text = fmt::format("# {}\n\n{}\n\n", page::escape_markdown(study.title),
                                 page::escape_markdown(subtitle(study, summary)));
  for (const page::Table& table : tables) {
    text += to_markdown(table);
  }
  return text;
}

std::string latex(const std::vector<page::Table>& tables) {
  std::string text = "% Needs \\usepackage{booktabs}.\n";
  for (std::size_t i = 0; i < tables.size(); ++i) {
    text += to_latex(tables[i], fmt::format("tab:molgauge-{}", i + 1));
  }
  return text;
}

}  // namespace

ReportSummary write_report(const ReportRequest& request) {
  const fs::path out = page_path(request);
  const Study study = read_study(request.folder);
  const auto settings = settings_of(study);
  ReportSummary summary = count_runs(study);
  RunFiles files(study);

  page::Page page(study.title, subtitle(study, summary));
  add_results(page, study, settings);
  add_curves(page, files, settings);
  add_training(page, files, settings);
  add_hard_pairs(page, files, settings);
  add_sensitivity(page, study, settings);
  add_molecules(page, files, settings);
  add_cost(page, files, study, settings);
  add_settings(page, files, study, settings);
  add_gaps(page, study, files);

  const auto tables = result_tables(settings);
  if (out.has_parent_path()) {
    make_folder(out.parent_path());
  }
  const auto write = [&](const char* extension, const std::string& content) {
    const fs::path path = fs::path(out).replace_extension(extension);
    replace_file(path, content);
    summary.files.push_back(path.string());
  };
  write(".html", page.to_string());
  write(".md", markdown(study, summary, tables));
  write(".tex", latex(tables));
  write(".csv", to_csv(tidy_table(study), csv_texts(request.spreadsheet_safe)));
  summary.gaps = files.gaps();
  return summary;
}

}  // namespace molgauge::report
