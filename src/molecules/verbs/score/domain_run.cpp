#include "molecules/verbs/score/domain_run.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "molecules/encoding/session/output_requirements.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/page_rows.h"

namespace molgauge::verbs {
namespace {

session::EncodingSettings settings_of(const ScoreRequest& request, const domain::FeatureSource& source) {
  session::EncodingSettings settings = session::settings_of_run(request,
                                                                {.encoder = source.encoder,
                                                                 .features = source.features,
                                                                 .precision = "",
                                                                 .tuned = source.tuned,
                                                                 .placement = source.placement},
                                                                request.strict, request.compute);
  settings.models = source.models;
  return settings;
}

}  // namespace

DomainRun::DomainRun(const ScoreRequest& request, runtime::BudgetScope& memory, session::EncoderCache* kept)
    : saved_(domain::load_domain(request.run, runtime::threads_of(request.compute))),
      session_(session::open_session(kept, settings_of(request, saved_.source), memory)) {
  require_same_features(saved_, request.run, session_.encoder());
  judge_ = std::make_unique<const domain::Judge>(saved_, runtime::threads_of(request.compute));
  held_out_.id = saved_.domain->calibration().left_out;
  held_out_.domain_level = saved_.settings.level;
}

std::string DomainRun::score_name() const { return "domain_distance"; }

std::size_t DomainRun::batch_size() const { return kCandidatesAtOnce; }

runtime::MemoryRequirement DomainRun::need(std::size_t rows, std::size_t rows_at_once,
                                           std::uint64_t bytes_a_row) const {
  const std::size_t width = saved_.domain->training().width;
  const std::uint64_t features = std::uint64_t{std::min(rows, rows_at_once)} * width * sizeof(float);
  return session::host_need(
      "comparing with the training molecules",
      features + rows * bytes_a_row + bytes_of_block(std::min(rows, kCandidatesAtOnce), width));
}

std::optional<chem::Standardization> DomainRun::standardize() const {
  return session::standardize_before_encoding(saved_.standardize, saved_.source.features);
}

std::vector<domain::Candidate> DomainRun::candidates(const ScoredBlock& block) const {
  const std::size_t width = saved_.domain->training().width;
  std::vector<domain::Candidate> found;
  found.reserve(block.records.size());
  std::vector<domain::JudgedRecord> records;
  for (std::size_t i = 0; i < block.records.size(); ++i) {
    const auto row = block.features.numbers().subspan(i * width, width);
    records.push_back({block.records[i], "", {row.begin(), row.end()}});
    if (records.size() == kCandidatesAtOnce || i + 1 == block.records.size()) {
      std::vector<domain::Candidate> own = judge_->judge(records);
      std::move(own.begin(), own.end(), std::back_inserter(found));
      records.clear();
    }
  }
  return found;
}

BlockScores DomainRun::score(const ScoredBlock& block) const {
  BlockScores scores;
  scores.of_seeds.emplace_back();
  for (domain::Candidate& candidate : candidates(block)) {
    scores.of_seeds.front().push_back(candidate.unreadable.empty() ? candidate.score
                                                                   : std::numeric_limits<float>::quiet_NaN());
    scores.in_training.push_back(candidate.equals_training);
    scores.new_scaffold.push_back(!candidate.foreign.scaffold_seen);
    scores.range.push_back(candidate.range);
    scores.opinions.push_back(candidate.opinion);
    scores.problems.push_back(std::move(candidate.unreadable));
  }
  return scores;
}

void DomainRun::show_training(const ListedRows& rows, const ListedPredictions* predictions,
                              std::size_t threads, report::DomainPage& page) {
  page.words = words_of_distances(saved_);
  DomainPageRows shown(saved_, judge_->map(), rows.numbers.size(), page);
  if (predictions != nullptr) {
    shown.show_predictions(predictions->calibration);
  }
  std::vector<std::size_t> places;
  std::vector<Hash128> keys;
  std::vector<chem::MoleculeRecord> records;
  const auto compare = [&] {
    const ops::Floats features = session_.features(keys);
    const std::vector<domain::Candidate> found = candidates({features, records});
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t number = rows.numbers[places[i]];
      const auto prediction = predictions == nullptr ? std::nullopt : std::optional(predictions->of(number));
      shown.put(places[i], number, std::move(page.rows[places[i]].molecule.name), records[i], found[i],
                rows.judgements[number], prediction ? &*prediction : nullptr);
    }
    places.clear();
    keys.clear();
    records.clear();
  };
  for (std::size_t place = 0; place < rows.numbers.size(); ++place) {
    const std::size_t number = rows.numbers[place];
    if (rows.judgements[number].verdict == Verdict::unreadable) {
      continue;
    }
    places.push_back(place);
    keys.push_back(rows.keys[number]);
    records.emplace_back().text = page.rows[place].molecule.smiles;
    if (records.size() == kCandidatesAtOnce) {
      compare();
    }
  }
  if (!records.empty()) {
    compare();
  }
  shown.draw(threads);
}

}  // namespace molgauge::verbs
