#include "molecules/verbs/domain/judged_candidates.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "base/options/own_folder.h"
#include "molecules/encoding/session/reread_input.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/files/named_table.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/model_predictions.h"

namespace molgauge::verbs {
namespace {

/// Hash of everything that the results of the candidates depend on.
Hash128 fingerprint(const domain::SavedDomain& fitted, const CandidateList& candidates) {
  const domain::CalibratedDomain& domain = *fitted.domain;
  GrowingHash128 hash;
  const auto add = [&](const auto& numbers) { hash.append(std::as_bytes(std::span(numbers))); };
  const std::string words = fmt::format("domain 2 {} {} {} {} {}", MOLGAUGE_VERSION, fitted.source.identity,
                                        to_string(fitted.settings.method), to_string(fitted.standardize.mode),
                                        fitted.standardize.keeps_isotopes);
  add(words);
  add(domain.training().features);
  add(domain.calibration().left_out);
  for (const std::string& smiles : fitted.notes.smiles) {
    add(smiles);
  }
  if (fitted.opinion != nullptr) {
    add(fitted.values);
  }
  add(candidates.fingerprint());
  return hash.value();
}

}  // namespace

JudgedCandidates::JudgedCandidates(const DomainWork& work, const domain::SavedDomain& fitted,
                                   const DomainSetup& setup, session::MoleculeList molecules)
    : parts_(work.request.out + ".parts") {
  const chem::Standardization mode =
      session::standardize_before_encoding(fitted.standardize, fitted.source.features);
  const std::string path = readable_path(work, setup, molecules);
  list_.emplace(work.request, mode, path, work.request.candidates, std::move(molecules), work.encoding,
                work.failed, work.predicted == nullptr ? nullptr : work.predicted->candidates());
  hold_parts(work.request);
  const memory::Phase phase = work.memory.phases().begin("comparing");
  const domain::Judge judge(fitted, work.threads);
  map_ = judge.map();
  blocks_.emplace(parts_, fingerprint(fitted, *list_));
  scores_.reserve(list_->size());
  Progress progress("compare", "candidate", list_->size(), work.request.compute.quiet);
  const auto judge_block = [&](std::size_t block, std::vector<CandidateRow>& rows) {
    throw_if_cancelled();
    std::vector<domain::Candidate> candidates;
    const std::size_t first = block * kCandidatesAtOnce;
    const Hash128 failures = list_->failures(first, rows.size());
    if (const auto finished = blocks_->find(block, failures)) {
      candidates = domain::candidates_from(*finished);
      resumed_ += candidates.size();
      progress.skip(rows.size());
    } else {
      candidates = judge.judge(list_->judged(first, rows));
      blocks_->keep(block, failures, to_bytes(candidates));
      progress.advance(rows.size());
    }
    for (const domain::Candidate& candidate : candidates) {
      scores_.push_back(domain::listed_score(candidate));
      remarked_ += candidate.remarks.empty() ? 0 : 1;
      new_scaffolds_ += candidate.unreadable.empty() && !candidate.foreign.scaffold_seen ? 1 : 0;
    }
  };
  list_->for_each_block(kCandidatesAtOnce, judge_block);
}

void JudgedCandidates::hold_parts(const DomainRequest& request) {
  if (!lock_) {
    options::require_own_folder(parts_, options::FolderKind::unfinished, "--out " + request.out);
    make_folder(parts_);
    lock_.emplace(parts_);
  }
}

std::string JudgedCandidates::readable_path(const DomainWork& work, const DomainSetup& setup,
                                            session::MoleculeList& molecules) {
  const DomainRequest& request = work.request;
  if (io::is_rereadable(request.candidates)) {
    return session::reread_input(request.candidates, parts_);
  }
  hold_parts(request);
  std::string path = session::reread_input(request.candidates, parts_);
  shown_path_.emplace(path, request.candidates);
  molecules = session::list_molecules(path, request.smiles_column);
  DomainSizes sizes;
  add_candidates(molecules, setup, request, sizes);
  work.memory.declare_requirement(need_of_domain(sizes));
  return path;
}

void JudgedCandidates::for_each_block(const Visit& visit) {
  list_->for_each_block(kCandidatesAtOnce, [&](std::size_t block, std::vector<CandidateRow>& rows) {
    const std::size_t first = block * kCandidatesAtOnce;
    const auto finished = blocks_->find(block, list_->failures(first, rows.size()));
    if (!finished) {
      throw Error(
          fmt::format("{}: a block of results is gone or damaged. Run the same command again", parts_));
    }
    visit(rows, domain::candidates_from(*finished));
  });
}

void JudgedCandidates::remove_parts() {
  options::remove_own_files(parts_, options::FolderKind::unfinished);
  lock_.reset();
}

}  // namespace molgauge::verbs
