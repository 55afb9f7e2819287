#include "molecules/verbs/domain/write_domain.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/core/files/atomic_file.h"
#include "molecules/judging/predictions/candidate_range.h"
#include "molecules/pages/domain_page.h"
#include "molecules/pages/error_curve_section.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/domain/contributions.h"
#include "molecules/verbs/domain/domain_csv.h"
#include "molecules/verbs/domain/domain_json.h"
#include "molecules/verbs/domain/domain_levels.h"
#include "molecules/verbs/domain/model_card.h"
#include "molecules/verbs/domain/model_facts.h"
#include "molecules/verbs/domain/model_predictions.h"
#include "molecules/verbs/domain/page_rows.h"
#include "molecules/verbs/domain/requested_columns.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/predictions/prediction_columns.h"
#include "molecules/verbs/predictions/prediction_words.h"

namespace molgauge::verbs {
namespace {

std::filesystem::path beside(const std::string& out, const char* extension) {
  return std::filesystem::path(out).replace_extension(extension);
}

std::vector<std::string> notices(const DomainWork& work, const domain::SavedDomain& fitted,
                                 const domain::Levels& levels, const ListedCandidates& candidates,
                                 std::size_t remarked) {
  std::vector<std::string> notices = domain_notices(fitted, levels, candidates);
  if (remarked > 0) {
    notices.push_back(remark_notice(remarked));
  }
  if (work.predicted != nullptr) {
    notices.push_back(work.predicted->notice());
  }
  return notices;
}

/// The properties of each row. Without --describe, no row has properties.
std::vector<OptionalProperties> properties_of(const DomainWork& work, const std::vector<CandidateRow>& rows) {
  return work.request.describe
             ? properties_of_all(rows.size(), work.threads,
                                 [&](std::size_t i) -> const chem::MoleculeRecord& { return rows[i].record; })
             : std::vector<OptionalProperties>(rows.size());
}

report::DomainPage empty_page(const DomainRequest& request, const DomainResult& result,
                              const std::vector<domain::ListedScore>& scores) {
  const DomainReport& report = result.report;
  report::DomainPage page;
  page.title =
      fmt::format("{} against {}",
                  std::filesystem::path(request.candidates == "-" ? "Candidates" : request.candidates)
                      .filename()
                      .string(),
                  std::filesystem::path(result.saved.training_file).filename().string());
  page.subtitle = fmt::format("{} candidates compared with {} training molecules", scores.size(),
                              report.training_molecules);
  page.words = words_of_distances(result.saved);
  page.meaning = meaning_of(result.levels);
  page.notices = report.notices;
  page.counts = {report.inside, report.borderline, report.outside, report.unreadable};
  for (const domain::ListedScore& score : scores) {
    if (std::isfinite(score.distance)) {
      page.candidate_scores.push_back(score.distance);
    }
  }
  page.settings = domain_settings(result);
  return page;
}

/// The contributions to the calibrated task, or to the tasks that the page shows at first.
Contributions contributions_of(const DomainWork& work, const domain::SavedDomain& fitted,
                               const std::optional<ModelFacts>& facts) {
  std::vector<Contributions::Task> tasks;
  if (facts) {
    tasks = facts->contributed_tasks();
  } else {
    const std::string& column = fitted.predictions->settings().columns.prediction;
    const std::vector<PredictedTask>& all = work.predicted->tasks();
    const auto task = std::find_if(all.begin(), all.end(), [&](const PredictedTask& each) {
      return ModelPredictions::column_of(each.name) == column;
    });
    tasks.push_back({static_cast<std::size_t>(task - all.begin()), task->name});
  }
  return {*fitted.source.models,
          dynamic_cast<const encoders::chemprop::ChempropEncoder&>(work.encoding.encoder()),
          work.predicted->form(), std::move(tasks)};
}

/// The facts that are known only after all rows are written.
struct WrittenRows {
  PredictionCounts predictions;
  domain::DecisionCounts decisions;
  std::vector<std::string> warnings;  ///< about the range of the candidates' predictions
};

/// Writes domain.csv, and fills the rows of the page.
WrittenRows write_rows(const DomainWork& work, const domain::SavedDomain& fitted,
                       const domain::DecisionRules& rules, const std::vector<domain::Judgement>& judgements,
                       JudgedCandidates& judged, report::DomainPage& page) {
  const DomainRequest& request = work.request;
  std::vector<float> distances;
  for (const domain::ListedScore& score : judged.scores()) {
    distances.push_back(score.distance);
  }
  const std::vector<std::size_t> order = page_order(judgements, distances, request.page_rows);
  std::unordered_map<std::size_t, std::size_t> place_of;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place_of[order[i]] = i;
  }
  page.rows_left_out = judgements.size() - order.size();
  DomainPageRows page_rows(fitted, judged.map(), order.size(), page);
  DomainCsv csv(request, fitted, judged.list(), work.threads);
  std::optional<CandidatePredictions> predictions;
  std::optional<domain::CandidateRange> range;
  if (judges_predictions(request)) {
    predictions.emplace(*fitted.predictions, prediction_columns(request, fitted.predictions.get()),
                        judged.list().columns(), request.candidates);
    page_rows.show_predictions(*fitted.predictions);
    range.emplace(*fitted.predictions);
  }
  std::optional<ModelFacts> model_facts;
  if (work.predicted != nullptr && !predictions) {
    model_facts.emplace(work.predicted->tasks());
    page_rows.show_model(*model_facts);
  }
  if (request.describe) {
    page_rows.show_properties();
  }
  WrittenRows written;
  std::size_t position = 0;
  judged.for_each_block([&](const std::vector<CandidateRow>& rows,
                            const std::vector<domain::Candidate>& candidates) {
    const std::vector<OptionalProperties> properties = properties_of(work, rows);
    for (std::size_t i = 0; i < candidates.size(); ++i, ++position) {
      const bool is_readable = candidates[i].unreadable.empty();
      std::optional<CandidatePredictions::Judged> prediction;
      if (predictions && is_readable) {
        prediction = predictions->judge(rows[i], candidates[i], judgements[position]);
        written.predictions.add(prediction->outcome);
        range->add(prediction->prediction);
      }
      const domain::PredictionOutcome* const outcome = prediction ? &prediction->outcome : nullptr;
      const domain::Advice advice = rules.decide(judgements[position].verdict, outcome);
      written.decisions.add(advice, !candidates[i].foreign.scaffold_seen);
      csv.append(rows[i], candidates[i], judgements[position], outcome, rules, advice, properties[i]);
      if (const auto place = place_of.find(position); place != place_of.end()) {
        std::vector<std::string> facts;
        if (model_facts && is_readable) {
          const std::size_t columns = work.predicted->candidates()->names().size();
          facts = model_facts->facts(std::span(rows[i].fields).last(columns));
        }
        page_rows.put(place->second, position, judged.list().name_of(rows[i]), rows[i].record, candidates[i],
                      judgements[position], prediction ? &*prediction : nullptr, facts, properties[i]);
      }
    }
  });
  page_rows.draw(work.threads);
  if (request.contributions) {
    page_rows.draw_contributions(contributions_of(work, fitted, model_facts), work.threads);
  }
  csv.finish();
  if (range) {
    written.warnings = range->warnings();
  }
  return written;
}

}  // namespace

DomainReport training_report(const DomainWork& work, const domain::SavedDomain& fitted,
                             const domain::Levels& levels) {
  DomainReport report;
  report.training_molecules = fitted.domain->training().size();
  report.training_failed = fitted.failed;
  report.training_duplicates = fitted.duplicates;
  report.training_redrawn = fitted.merged.redrawn;
  report.label_conflicts = fitted.labels.conflicts;
  report.label_ties = fitted.labels.ties;
  report.label_median_range = fitted.labels.median_range;
  report.censored_labels = fitted.labels.censored.count;
  report.censored_in_calibration = fitted.labels.censored_in_calibration.count;
  report.error_summary = report::error_summary(fitted.curve, fitted.value_name);
  report.notices = notices(work, fitted, levels, {}, 0);
  return report;
}

DomainReport write_domain(const DomainWork& work, const domain::SavedDomain& fitted,
                          const domain::Levels& levels, JudgedCandidates& judged) {
  const DomainRequest& request = work.request;
  const memory::Phase phase = work.memory.phases().begin("writing");
  const std::vector<domain::Judgement> judgements =
      domain::judge_list(judged.scores(), fitted.domain->calibration(), levels);
  DomainReport report = training_report(work, fitted, levels);
  report.resumed = judged.resumed();
  const auto counts = count_verdicts(judgements);
  report.inside = counts[0];
  report.borderline = counts[1];
  report.outside = counts[2];
  report.unreadable = counts[3];
  const ListedCandidates listed = {.readable = judgements.size() - report.unreadable,
                                   .new_scaffolds = judged.new_scaffolds()};
  report.notices = notices(work, fitted, levels, listed, judged.remarked());
  const bool has_predictions = judges_predictions(request);
  const domain::DecisionRules rules =
      has_predictions ? domain::DecisionRules(*fitted.predictions) : domain::DecisionRules();
  DomainResult result{
      .request = request,
      .saved = fitted,
      .report = report,
      .levels = levels,
      .candidates = judgements.size(),
      .predicted_form = work.predicted == nullptr ? std::nullopt : std::optional(work.predicted->form()),
      .rules = rules,
      .candidates_sha256 = store::sha256_if_file(request.candidates)};
  report::DomainPage page = empty_page(request, result, judged.scores());
  WrittenRows written = write_rows(work, fitted, rules, judgements, judged, page);
  page.decisions = written.decisions;
  page.notices.insert(page.notices.end(), written.warnings.begin(), written.warnings.end());
  std::move(written.warnings.begin(), written.warnings.end(), std::back_inserter(report.notices));
  result.decisions = written.decisions;
  if (has_predictions) {
    result.predictions = &written.predictions;
    report.prediction_summary = prediction_summary(*fitted.predictions, written.predictions);
  }
  replace_file(beside(request.out, ".html"), report::domain_page(page));
  const std::string json = domain_json(result);
  replace_file(beside(request.out, ".json"), json);
  if (!request.card.empty()) {
    replace_file(request.card, model_card(json, request));
    report.card = request.card;
  }
  judged.remove_parts();
  report.csv = request.out;
  report.json = beside(request.out, ".json").string();
  report.page = beside(request.out, ".html").string();
  return report;
}

}  // namespace molgauge::verbs
