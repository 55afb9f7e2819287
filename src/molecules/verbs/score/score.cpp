// `molgauge score`: computes how far new molecules are out of distribution.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/log.h"
#include "base/io/tables/csv_writer.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/files/named_table.h"
#include "molecules/judging/held_out_distribution.h"
#include "molecules/pages/score_table.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/page_rows.h"
#include "molecules/verbs/score/domain_run.h"
#include "molecules/verbs/score/ood_verdict.h"
#include "molecules/verbs/score/run_scorer.h"
#include "molecules/verbs/score/score_page.h"
#include "molecules/verbs/score/scored_input.h"
#include "molecules/verbs/score/scored_predictions.h"
#include "molecules/verbs/shared_fields.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

/// Number of molecules whose features are in memory at the same time. They are read in whole batches.
constexpr std::size_t kRowsAtOnce = 16384;

std::size_t rows_at_once(std::size_t batch_size) {
  return batch_size * std::max<std::size_t>(1, kRowsAtOnce / batch_size);
}

/// Bytes of each molecule in addition to its text: its report, its key, its position, and its scores.
constexpr std::uint64_t kBytesOfMolecule =
    sizeof(ScoredMolecule) + 2 * sizeof(Hash128) + sizeof(std::size_t) + 4 * sizeof(float);

/// Additional bytes of each molecule if its prediction is judged. They hold its position relative to the
/// training molecules, and its cells. 100 bytes are for cells that are too long for the internal buffer of
/// std::string.
constexpr std::uint64_t kBytesOfPrediction = 6 * sizeof(std::string) + 100 + sizeof(domain::PredictionPlace);

/// Returns the reason why a molecule has no score, or an empty text if it has a score. A molecule without a
/// score is treated like a molecule that cannot be encoded.
std::string problem_of(const std::vector<float>& of_seeds, const ScoreRequest& request) {
  for (const float score : of_seeds) {
    if (!std::isfinite(score)) {
      return fmt::format("the model of {} gives it the score {}, which is not a finite number", request.run,
                         score);
    }
  }
  return {};
}

class Scoring {
 public:
  Scoring(const ScoreRequest& request, RunScorer& run, const OodVerdict& verdict, const ScoredInput& input,
          ScoreReport& report, pipeline::EncodeOutcome& outcome)
      : request_(request), run_(run), verdict_(verdict), input_(input), report_(report), outcome_(outcome) {
    if (report.is_domain) {
      held_out_.emplace(run.held_out().id);
      facts_.new_scaffold.resize(report.molecules.size());
      facts_.range.resize(report.molecules.size());
      facts_.opinions.resize(report.molecules.size());
    }
  }

  void score(const std::vector<bool>& usable) {
    std::vector<Hash128> keys;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < usable.size(); ++row) {
      if (usable[row]) {
        keys.push_back(outcome_.keys[row]);
        rows.push_back(row);
      }
    }
    const std::size_t at_once = rows_at_once(run_.batch_size());
    for (std::size_t first = 0; first < keys.size(); first += at_once) {
      const auto block = std::span(keys).subspan(first, std::min(at_once, keys.size() - first));
      std::vector<chem::MoleculeRecord> records;
      for (std::size_t i = 0; i < block.size() && run_.reads_records(); ++i) {
        records.push_back(input_.record(rows[first + i]));
      }
      const ops::Floats features = run_.session().features(block);
      const BlockScores scores = run_.score({features, records});
      for (std::size_t i = 0; i < block.size(); ++i) {
        take(scores, i, report_.molecules[rows[first + i]]);
        if (report_.is_domain) {
          facts_.new_scaffold[rows[first + i]] = scores.new_scaffold[i];
          facts_.range[rows[first + i]] = scores.range[i];
          facts_.opinions[rows[first + i]] = scores.opinions[i];
        }
      }
    }
  }

  /// Only for a saved domain.
  const ScoredPredictions::Facts& facts() const { return facts_; }

 private:
  void take(const BlockScores& scores, std::size_t i, ScoredMolecule& molecule) {
    of_seeds_.clear();
    for (const std::vector<float>& own : scores.of_seeds) {
      of_seeds_.push_back(own[i]);
    }
    const bool has_problem = !scores.problems.empty() && !scores.problems[i].empty();
    if (const std::string problem = has_problem ? scores.problems[i] : problem_of(of_seeds_, request_);
        !problem.empty()) {
      refuse(molecule, problem);
      return;
    }
    verdict_.judge(of_seeds_, molecule);
    if (report_.is_domain) {
      molecule.in_training = scores.in_training[i];
      molecule.p_value = molecule.in_training ? 1 : held_out_->p_value(molecule.score);
    }
  }

  void refuse(const ScoredMolecule& molecule, const std::string& reason) {
    outcome_.failed.append(
        {molecule.row, molecule.line, request_.molecules, molecule.input.at(report_.smiles_column), reason});
    if (request_.strict) {
      throw InputError(fmt::format("{}:{}: {} (--strict)", request_.molecules, molecule.line, reason));
    }
  }

  const ScoreRequest& request_;
  RunScorer& run_;
  const OodVerdict& verdict_;
  const ScoredInput& input_;
  ScoreReport& report_;
  pipeline::EncodeOutcome& outcome_;
  std::optional<domain::HeldOutDistribution> held_out_;  ///< only for a saved domain
  ScoredPredictions::Facts facts_;                       ///< only for a saved domain
  std::vector<float> of_seeds_;
};

std::vector<bool> usable_rows(const pipeline::EncodeOutcome& outcome, std::size_t rows) {
  std::vector<bool> usable(rows, true);
  outcome.failed.for_each([&](const FailedMolecule& failed) {
    usable[failed.row] = false;
    return true;
  });
  return usable;
}

void write_scores(const ScoreRequest& request, const ScoreReport& report) {
  io::CsvWriter file(request.out, report::score_header(report), csv_texts(request.spreadsheet_safe));
  for (const auto& molecule : report.molecules) {
    file.append(report::score_cells(report, molecule));
  }
  file.finish();
}

/// Returns the list for the page. `report` and `reasons` must outlive the list.
ScoredList list_of(const ScoreRequest& request, const ScoreReport& report,
                   const std::unordered_map<std::size_t, std::string>& reasons) {
  ScoredList list{request.run, report.score_name, {}, {}};
  for (const ScoredMolecule& molecule : report.molecules) {
    list.scores.push_back(molecule.in_training ? -std::numeric_limits<float>::infinity() : molecule.score);
  }
  list.text = [&](std::size_t row) {
    const ScoredMolecule& molecule = report.molecules[row];
    std::string name = io::name_in_row(report.input_columns, molecule.input);
    const auto reason = reasons.find(row);
    return ScoredList::Text{name.empty() ? fmt::format("line {}", molecule.line) : std::move(name),
                            molecule.input[report.smiles_column],
                            reason == reasons.end() ? "" : reason->second, molecule.deviation,
                            molecule.disagreement};
  };
  return list;
}

/// Counts the decisions about the predictions of all molecules.
domain::DecisionCounts decisions_of(const ScoreReport& report,
                                    const std::vector<domain::Judgement>& judgements,
                                    const ScoredPredictions& predictions) {
  const domain::DecisionRules rules(predictions.calibration());
  domain::DecisionCounts counts;
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    const bool is_readable = judgements[i].verdict != Verdict::unreadable;
    const domain::PredictionOutcome outcome =
        is_readable ? predictions.judged(report, i).outcome : domain::PredictionOutcome();
    counts.add(rules.decide(judgements[i].verdict, is_readable ? &outcome : nullptr),
               predictions.has_new_scaffold(i));
  }
  return counts;
}

void write_page(const ScoreRequest& request, RunScorer& run, const OodVerdict& verdict,
                const ScoreReport& report, const pipeline::EncodeOutcome& outcome,
                const std::optional<ScoredPredictions>& predictions) {
  std::unordered_map<std::size_t, std::string> reasons;  ///< reasons for the rows of the page that have no
                                                         ///< score
  const ScoredList list = list_of(request, report, reasons);
  const auto judgements = judge_scores(list, run.held_out(), verdict);
  const std::vector<std::size_t> rows = page_order(judgements, list.scores, request.page_rows);
  for (const std::size_t row : rows) {
    if (std::isnan(list.scores[row])) {
      reasons[row] = "";
    }
  }
  outcome.failed.for_each([&](FailedMolecule&& failed) {
    if (const auto wanted = reasons.find(failed.row); wanted != reasons.end()) {
      wanted->second = std::move(failed.reason);
    }
    return true;
  });
  report::DomainPage page = score_page(list, run.held_out(), verdict, judgements, rows);
  const std::size_t threads = runtime::threads_of(request.compute);
  if (auto* const domain = dynamic_cast<DomainRun*>(&run)) {
    std::optional<DomainRun::ListedPredictions> listed;
    if (predictions) {
      listed.emplace(DomainRun::ListedPredictions{predictions->calibration(), [&](std::size_t number) {
                                                    return predictions->judged(report, number);
                                                  }});
    }
    domain->show_training({rows, outcome.keys, judgements}, listed ? &*listed : nullptr, threads, page);
    if (predictions) {
      page.decisions = decisions_of(report, judgements, *predictions);
    }
  } else {
    draw_from_smiles(page, threads);
  }
  replace_file(request.page, report::domain_page(page));
}

/// The form in which molecules are encoded. Not set: as drawn.
std::optional<chem::Standardization> form_to_score(const ScoreRequest& request, const RunScorer& run) {
  if (request.standardize == Standardize::none) {
    return run.standardize();
  }
  if (run.reads_records()) {
    throw UsageError(request.run +
                     ": is a saved domain, which has its own form of molecules. Leave out --standardize");
  }
  return request.standardize;
}

}  // namespace

ScoreReport score(const ScoreRequest& request, session::EncoderCache* kept) {
  const Device device = runtime::parse_device(request.compute.device);
  runtime::BudgetScope memory(request.compute, device);
  const auto run = open_run_scorer(request, device, memory, kept);
  const std::optional<chem::Standardization> form = form_to_score(request, *run);
  const OodVerdict verdict(request.threshold, request.id_recall, run->held_out());
  if (!request.page.empty()) {
    require_page(request.page, request.run, verdict);
  }
  std::optional<ScoredPredictions> predictions;
  if (!request.prediction_column.empty()) {
    predictions.emplace(request, *run);
  }
  ScoreReport report;
  report.score_name = run->score_name();
  report.is_domain = dynamic_cast<const DomainRun*>(run.get()) != nullptr;
  report.seeds = std::max<std::size_t>(1, run->held_out().id_of_seeds.size());
  report.threshold = verdict.threshold();
  report.threshold_origin = verdict.origin();
  report.has_resemblance = verdict.has_resemblance();
  report.validation_test_gap = run->held_out().gap;
  report.warning = warning_of(run->held_out());
  if (!report.warning.empty()) {
    log_warning("{}: {}", request.run, report.warning);
  }
  session::MoleculeList molecules = session::list_molecules(request.molecules, request.smiles_column);
  report.molecules.reserve(molecules.records);
  runtime::MemoryRequirement scoring = run->need(molecules.records, rows_at_once(run->batch_size()),
                                                 kBytesOfMolecule + (predictions ? kBytesOfPrediction : 0));
  scoring.host_bytes += molecules.row_bytes + session::bytes_of_rewriting(molecules);
  if (run->reads_records() || !request.page.empty()) {
    scoring.host_bytes += bytes_of_describing(molecules, runtime::threads_of(request.compute));
  }
  if (form) {
    scoring.host_bytes +=
        session::bytes_of_standardizing(form->mode, runtime::threads_of(request.compute), molecules.records);
  }
  if (!request.page.empty()) {
    scoring.host_bytes += bytes_of_page(std::min(molecules.records, request.page_rows));
  }
  memory.declare_requirement(std::move(scoring));
  ScoredInput input(request, report);
  pipeline::MoleculeSource source = input.source();
  if (form) {
    source = session::standardized_source(std::move(source), *form, runtime::threads_of(request.compute),
                                          &report.standardized_rows);
  }
  pipeline::EncodeOutcome outcome = run->session().encode(source, std::move(molecules));
  const memory::Phase phase = memory.phases().begin("eval");
  input.name_columns();
  const std::vector<bool> usable = usable_rows(outcome, report.molecules.size());
  Scoring scorer(request, *run, verdict, input, report, outcome);
  scorer.score(usable);
  if (predictions) {
    predictions->judge(scorer.facts(), report);
  }
  input.name_mol_blocks(usable, runtime::threads_of(request.compute));
  if (!request.out.empty()) {
    write_scores(request, report);
  }
  if (!request.page.empty()) {
    write_page(request, *run, verdict, report, outcome, predictions);
  }
  if (io::is_named_table(request.molecules)) {
    runtime::report_all_failed(outcome.failed, report);
  } else {
    runtime::report_failed(outcome.failed, report);
  }
  report.phases = memory.phases().reports();
  if (kept != nullptr) {
    kept->keep(run->session());
  }
  return report;
}

}  // namespace molgauge::verbs

namespace molgauge {
namespace {

/// Decides whether the caches stay in memory while a list is scored. They stay for a short list without
/// output files, because a server scores short lists between in-memory calls. A short list needs little
/// memory compared with the cached encoders.
verbs::Verb::Caches caches_while_scoring(const void* request) {
  constexpr std::uintmax_t kShort = std::uintmax_t{256} << 10;
  const auto& own = *static_cast<const ScoreRequest*>(request);
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(own.molecules, unknown);
  const bool is_short = own.out.empty() && own.page.empty() && !unknown && bytes <= kShort;
  return is_short ? verbs::Verb::Caches::kept : verbs::Verb::Caches::released;
}

}  // namespace

MOLGAUGE_REPORT_FIELDS(ScoredMolecule, row, line, input, score, deviation, disagreement,
                       resembles_training_ood)
MOLGAUGE_REPORT_FIELDS(ScoreReport, input_columns, smiles_column, score_name, seeds, molecules, threshold,
                       threshold_origin, has_resemblance, validation_test_gap, warning, standardized_rows,
                       failed_records, failed, phases)

template <>
verbs::Verb verbs::verb<ScoreRequest>() {
  Verb verb =
      row<ScoreRequest>("score", in_budget<ScoreRequest>([](const ScoreRequest& request, KeptCaches* kept) {
                          return score(request, static_cast<session::EncoderCache*>(kept));
                        }));
  verb.caches = caches_while_scoring;
  return verb;
}

}  // namespace molgauge
