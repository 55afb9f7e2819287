// `headroom domain`: which candidates lie outside what the training molecules cover.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/cancellation.h"
#include "core/error.h"
#include "core/folder_lock.h"
#include "core/progress.h"
#include "core/worker_group.h"
#include "domain/conformal.h"
#include "domain/hold_out.h"
#include "engine/verbs.h"
#include "report/domain_page.h"
#include "session/device_choice.h"
#include "session/domain/domain_inputs.h"
#include "session/domain/domain_outputs.h"
#include "session/encoding/encoding_session.h"
#include "session/encoding/finished_blocks.h"
#include "session/encoding/molecule_input.h"
#include "session/failed_records.h"
#include "session/folders.h"
#include "session/scoring/trained_run.h"
#include "store/weights/sha256.h"

namespace headroom::verbs {
namespace {

/// Candidates that are judged at once, and done again where a command was stopped.
constexpr std::size_t kBlock = 4096;
constexpr std::size_t kPlacesOnMap = 5000;

std::filesystem::path beside(const std::string& out, const char* extension) {
  return std::filesystem::path(out).replace_extension(extension);
}

void require_files(const DomainRequest& request) {
  if (std::filesystem::path(request.out).extension() != ".csv") {
    throw UsageError(fmt::format("--out {}: the result is a .csv file; .json and .html are written beside it",
                                 request.out));
  }
  if (request.training == "-") {
    throw UsageError(
        "the training molecules are read more than once and cannot come from standard input; name a file");
  }
  if (std::filesystem::exists(request.training) && !std::filesystem::is_directory(request.training) &&
      !std::filesystem::is_regular_file(request.training)) {
    throw UsageError(request.training +
                     ": is a pipe, but the training molecules are read more than once; name a file");
  }
  session::require_other_file(request.training, request.out);
  session::require_other_file(request.candidates, request.out);
}

/// Of a folder that --save made, what was chosen then holds.
void require_nothing_else(const DomainRequest& request) {
  const auto refuse = [&](const char* option, bool given) {
    if (given) {
      throw UsageError(
          fmt::format("{} has no effect, as {} was made with one; leave it out", option, request.training));
    }
  };
  refuse("--method", !request.method.empty());
  refuse("--seed", request.seed.has_value());
  refuse("--encoder", !request.encoder.empty());
  refuse("--features", !request.features.empty());
  refuse("--label-column", !request.label_column.empty());
  refuse("--name-column", !request.name_column.empty());
  refuse("--train-smiles-column", request.training_smiles_column != "smiles");
  refuse("--save", !request.save.empty());
}

session::EncodingSettings encoding_settings(const DomainRequest& request,
                                            const domain::FeatureSource& source) {
  return {.encoder = source.encoder,
          .store = request.store,
          .weights = request.weights,
          .features = source.features,
          .strict = request.strict,
          .compute = request.compute};
}

/// What is computed and kept at once, with all that is known of the training molecules.
class DomainRun {
 public:
  explicit DomainRun(const DomainRequest& request)
      : request_(request),
        threads_(session::threads_of(request.compute)),
        memory_(request.compute, session::parse_device(request.compute.device)) {}

  DomainReport run() {
    require_files(request_);
    const bool is_saved = domain::is_saved_domain(request_.training);
    if (is_saved) {
      require_nothing_else(request_);
      saved_ = domain::load_domain(request_.training, threads_);
    } else {
      saved_.source = {request_.encoder.empty() ? "minimol" : request_.encoder,
                       request_.features.empty() ? "native" : request_.features, ""};
      saved_.settings = {
          request_.method.empty() ? domain::Method::combined : domain::parse_method(request_.method),
          request_.level.value_or(0.05), request_.seed.value_or(0), threads_};
    }
    levels_ = {request_.level.value_or(saved_.settings.level), request_.borderline_level.value_or(0.05)};
    session_.emplace(encoding_settings(request_, saved_.source), memory_);
    const std::string identity = session::encoder_identity(session_->encoder());
    if (is_saved) {
      require_identity(identity);
    } else {
      saved_.source.identity = identity;
      fit();
    }
    require_levels();
    judge_candidates();
    return finish();
  }

 private:
  void require_identity(const std::string& identity) const {
    if (identity != saved_.source.identity) {
      throw InputError(
          fmt::format("{}: was made with the features {}, the encoder here gives {}; use the weights and "
                      "the --precision that it was made with, or make it again",
                      request_.training, saved_.source.identity, identity));
    }
  }

  void require_levels() const {
    const auto count = static_cast<double>(saved_.domain->calibration().random.size());
    for (const auto& [option, level] :
         {std::pair("--level", levels_.outside), std::pair("--borderline-level", levels_.borderline)}) {
      if (level * (count + 1) < 1 - 1e-9) {
        throw UsageError(fmt::format("{} {}: with {} held-out training molecules no p-value is below {:.2g}",
                                     option, level, count, 1 / (count + 1)));
      }
    }
  }

  /// What the training molecules take beside their features: texts, environments, the index of those.
  void foresee_training(const session::MoleculeList& training) {
    constexpr std::uint64_t kBytesOfMolecule = 3000;  // 50 environments, three times; texts; scores
    const std::uint64_t width = session_->encoder().width();
    const std::uint64_t row = width * (3 * sizeof(float) + sizeof(std::int16_t)) + kBytesOfMolecule;
    memory_.foresee({.what = "comparing with the training molecules",
                     .host_bytes = training.records * row + training.text_bytes + block_bytes(),
                     .device_bytes = 0,
                     .host_bytes_for_all = 0});
  }

  std::uint64_t block_bytes() const {
    return kBlock * (3 * session_->encoder().width() * sizeof(float) + 20000);
  }

  void fit() {
    foresee_training(session::list_molecules(request_.training, request_.training_smiles_column));
    domain::TrainingSet set = session::read_training(request_, *session_, threads_, failed_);
    memory::Phase phase = memory_.phases().begin("calibration");
    saved_.training_file = request_.training;
    saved_.training_sha256 =
        std::filesystem::is_regular_file(request_.training) ? store::sha256_of_file(request_.training) : "";
    saved_.duplicates = set.duplicates;
    saved_.failed = set.failed;
    saved_.notes = std::move(set.notes);
    domain::held_out_count(set.molecules.size(), saved_.settings.level);  // before anything takes long
    if (!set.values.empty()) {
      saved_.value_name = request_.label_column;
      saved_.curve = domain::measure_errors(set.molecules, saved_.notes.scaffolds, set.values,
                                            saved_.settings.method, saved_.settings.seed, threads_);
    }
    saved_.domain = std::make_shared<const domain::CalibratedDomain>(std::move(set.molecules),
                                                                     saved_.notes.scaffolds, saved_.settings);
    if (!request_.save.empty()) {
      domain::save_domain(saved_, request_.save);
    }
    phase.end();
  }

  Hash128 fingerprint(const session::CandidateList& candidates) const {
    const domain::CalibratedDomain& domain = *saved_.domain;
    GrowingHash128 hash;
    const auto add = [&](const auto& numbers) { hash.append(std::as_bytes(std::span(numbers))); };
    const std::string words = fmt::format("domain 1 {} {} {}", HEADROOM_VERSION, saved_.source.identity,
                                          to_string(saved_.settings.method));
    add(words);
    add(domain.training().features);
    add(domain.calibration().random);
    for (const std::string& smiles : saved_.notes.smiles) {
      add(smiles);
    }
    add(candidates.fingerprint());
    return hash.value();
  }

  void judge_candidates() {
    parts_ = request_.out + ".parts";
    const auto hold_parts = [&] {
      make_folder(parts_);
      lock_.emplace(parts_);
    };
    if (!std::filesystem::is_regular_file(request_.candidates)) {
      hold_parts();
    }
    candidates_.emplace(request_, session::reread_input(request_.candidates, parts_), request_.candidates,
                        *session_, failed_);
    if (!lock_) {
      hold_parts();
    }
    memory::Phase phase = memory_.phases().begin("comparing");
    const domain::Judge judge(saved_, threads_);
    map_ = judge.map();
    blocks_.emplace(parts_, fingerprint(*candidates_));
    scores_.reserve(candidates_->size());
    Progress progress("compare", "candidate", candidates_->size(), request_.compute.quiet);
    candidates_->for_each_block(kBlock, [&](std::size_t block, std::vector<session::CandidateRow>& rows) {
      throw_if_cancelled();
      std::vector<domain::Candidate> found;
      if (const auto finished = blocks_->find(block)) {
        found = domain::candidates_from(*finished);
        report_.resumed += found.size();
      } else {
        found = judge.judge(candidates_->judged(block * kBlock, rows));
        blocks_->keep(block, to_bytes(found));
      }
      for (const domain::Candidate& candidate : found) {
        scores_.push_back(!candidate.unreadable.empty() ? std::numeric_limits<float>::quiet_NaN()
                          : candidate.equals_training   ? -std::numeric_limits<float>::infinity()
                                                        : candidate.score);
      }
      progress.advance(rows.size());
    });
    phase.end();
  }

  void count(const std::vector<domain::Judgement>& judgements) {
    for (const domain::Judgement& judgement : judgements) {
      switch (judgement.verdict) {
        case domain::Verdict::inside:
          ++report_.inside;
          break;
        case domain::Verdict::borderline:
          ++report_.borderline;
          break;
        case domain::Verdict::outside:
          ++report_.outside;
          break;
        case domain::Verdict::unreadable:
          ++report_.unreadable;
          break;
      }
    }
  }

  /// Rows of the page, farthest first; those that cannot be read come last.
  std::vector<std::size_t> page_order(const std::vector<domain::Judgement>& judgements) const {
    std::vector<std::size_t> order(judgements.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    constexpr std::array<int, 4> kRank = {2, 1, 0, 3};
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
      const int rank = kRank[static_cast<std::size_t>(judgements[one].verdict)],
                other_rank = kRank[static_cast<std::size_t>(judgements[other].verdict)];
      return rank != other_rank ? rank < other_rank : rank < 3 && scores_[one] > scores_[other];
    });
    order.resize(std::min(order.size(), request_.page_rows));
    return order;
  }

  DomainReport finish() {
    memory::Phase phase = memory_.phases().begin("writing");
    const std::vector<domain::Judgement> judgements =
        domain::judge_list(scores_, saved_.domain->calibration(), levels_);
    count(judgements);
    report_.training_molecules = saved_.domain->training().size();
    report_.training_failed = saved_.failed;
    report_.training_duplicates = saved_.duplicates;
    const session::DomainResult result{request_, saved_, report_, levels_, judgements.size()};
    report::DomainPage page = empty_page(result);
    const std::vector<std::size_t> order = page_order(judgements);
    std::unordered_map<std::size_t, std::size_t> place_of;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place_of[order[i]] = i;
    }
    page.rows.resize(order.size());
    page.rows_left_out = judgements.size() - order.size();
    std::vector<std::pair<std::string, bool>> texts(order.size());

    session::DomainCsv csv(request_, saved_, candidates_->columns());
    std::size_t row_number = 0;
    candidates_->for_each_block(kBlock, [&](std::size_t block, std::vector<session::CandidateRow>& rows) {
      const auto finished = blocks_->find(block);
      if (!finished) {
        throw Error(
            fmt::format("{}: a block of results is gone or damaged; run the same command again", parts_));
      }
      const std::vector<domain::Candidate> found = domain::candidates_from(*finished);
      for (std::size_t i = 0; i < found.size(); ++i, ++row_number) {
        csv.append(rows[i], found[i], judgements[row_number]);
        if (const auto place = place_of.find(row_number); place != place_of.end()) {
          page.rows[place->second] = page_row(rows[i], found[i], judgements[row_number], page);
          texts[place->second] = {rows[i].record.text, rows[i].record.format == chem::RecordFormat::molblock};
        }
      }
    });
    draw(page, texts);
    csv.finish();
    replace_file(beside(request_.out, ".html"), report::domain_page(page));
    replace_file(beside(request_.out, ".json"), session::domain_json(result));
    phase.end();
    lock_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(parts_, ignored);
    report_.csv = request_.out;
    report_.json = beside(request_.out, ".json").string();
    report_.page = beside(request_.out, ".html").string();
    session::report_failed(failed_, report_);
    report_.phases = memory_.phases().reports();
    return report_;
  }

  report::DomainPage empty_page(const session::DomainResult& result) const {
    report::DomainPage page;
    page.title =
        fmt::format("{} against {}",
                    std::filesystem::path(request_.candidates == "-" ? "Candidates" : request_.candidates)
                        .filename()
                        .string(),
                    std::filesystem::path(saved_.training_file).filename().string());
    page.subtitle = fmt::format("{} candidates compared with {} training molecules", scores_.size(),
                                report_.training_molecules);
    page.counts = {report_.inside, report_.borderline, report_.outside, report_.unreadable};
    page.level = levels_.outside;
    page.borderline_level = levels_.borderline;
    page.random_scores = saved_.domain->calibration().random;
    page.scaffold_scores = saved_.domain->calibration().scaffold;
    page.map_shares = map_.shares;
    page.curve = saved_.curve;
    page.value_name = saved_.value_name;
    page.settings = session::domain_settings(result);
    const domain::Molecules& training = saved_.domain->training();
    const std::size_t step = (training.size() + kPlacesOnMap - 1) / kPlacesOnMap;
    for (std::size_t i = 0; i < training.size(); i += step) {
      page.training_places.push_back(map_.place(training.row(i)));
    }
    return page;
  }

  std::string name_of(const session::CandidateRow& row) const {
    const std::vector<std::string>& columns = candidates_->columns();
    for (const char* const wanted : {"name", "id"}) {
      for (std::size_t i = 0; i < std::min(columns.size(), row.fields.size()); ++i) {
        std::string column = columns[i];
        std::transform(column.begin(), column.end(), column.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        if (column == wanted && !row.fields[i].empty()) {
          return row.fields[i];
        }
      }
    }
    return fmt::format("line {}", row.record.line);
  }

  report::DomainRow page_row(const session::CandidateRow& row, const domain::Candidate& candidate,
                             const domain::Judgement& judgement, report::DomainPage& page) {
    report::DomainRow own;
    const bool readable = candidate.unreadable.empty();
    own.molecule = {name_of(row),
                    readable                                          ? candidate.smiles
                    : row.record.format == chem::RecordFormat::smiles ? row.record.text
                                                                      : "",
                    ""};
    own.verdict = static_cast<std::size_t>(judgement.verdict);
    own.foreign = session::foreign_words(candidate);
    own.p_value = judgement.p_value;
    own.adjusted = judgement.adjusted;
    own.distance = candidate.score;
    own.percentile = domain::percentile(saved_.domain->calibration().random, candidate.score);
    own.place = {candidate.place[0], candidate.place[1]};
    own.foreign_atoms = candidate.foreign.atoms;
    for (std::size_t i = 0; i < candidate.nearest_count; ++i) {
      const std::size_t molecule = candidate.nearest[i].molecule;
      const auto [known, is_new] = training_places_.try_emplace(molecule, page.training.size());
      if (is_new) {
        page.training.push_back({saved_.notes.names[molecule], saved_.notes.smiles[molecule], ""});
      }
      own.nearest.push_back({known->second, candidate.tanimoto[i], candidate.nearest[i].distance});
    }
    return own;
  }

  void draw(report::DomainPage& page, const std::vector<std::pair<std::string, bool>>& texts) const {
    for (const float score : scores_) {
      if (std::isfinite(score)) {
        page.candidate_scores.push_back(score);
      }
    }
    parallel_for(page.rows.size(), threads_, [&](std::size_t i) {
      if (page.rows[i].verdict < 3) {
        page.rows[i].molecule.layout = report::encoded_layout(texts[i].first, texts[i].second);
      }
    });
    parallel_for(page.training.size(), threads_, [&](std::size_t i) {
      page.training[i].layout = report::encoded_layout(page.training[i].smiles, false);
    });
  }

  const DomainRequest& request_;
  std::size_t threads_;
  session::MemorySession memory_;
  std::optional<session::EncodingSession> session_;
  domain::SavedDomain saved_;
  domain::Levels levels_;
  domain::PrincipalMap map_;
  pipeline::FailureLog failed_{session::store_folder(request_.store),
                               pipeline::FailureLog::Order::as_appended};
  std::string parts_;
  std::optional<FolderLock> lock_;
  std::optional<session::CandidateList> candidates_;
  std::optional<session::FinishedBlocks> blocks_;
  std::vector<float> scores_;
  std::unordered_map<std::size_t, std::size_t> training_places_;  ///< of molecules within page.training
  DomainReport report_;
};

}  // namespace

DomainReport judge_domain(const DomainRequest& request) { return DomainRun(request).run(); }

}  // namespace headroom::verbs
