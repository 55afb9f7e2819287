#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/core/files/folder_lock.h"
#include "base/core/files/shown_path.h"
#include "molecules/encoding/session/finished_blocks.h"
#include "molecules/judging/judge.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_phases.h"
#include "molecules/verbs/domain/domain_work.h"

namespace molgauge::verbs {

/// The second step of `molgauge domain`: the candidates of a request, compared with the training molecules.
/// The results of each block of candidates are on disk, in the folder OUT.parts, until remove_parts(). An
/// interrupted command continues from its last block.
class JudgedCandidates {
 public:
  /// Compares all candidates. `molecules`: the known sizes of the candidates. The list is empty if the
  /// candidates come through a pipe. `setup`: as for phases_of().
  JudgedCandidates(const DomainWork& work, const domain::SavedDomain& fitted, const DomainSetup& setup,
                   session::MoleculeList molecules);

  /// The score of each candidate, in the order of the list.
  const std::vector<domain::ListedScore>& scores() const { return scores_; }
  /// The candidates that an earlier, interrupted command compared.
  std::size_t resumed() const { return resumed_; }
  /// The candidates that are radicals or mixtures.
  std::size_t remarked() const { return remarked_; }
  /// The readable candidates whose scaffold no training molecule has.
  std::size_t new_scaffolds() const { return new_scaffolds_; }
  const ops::PrincipalMap& map() const { return map_; }
  const CandidateList& list() const { return *list_; }

  /// Reads the candidates again, with their results. Throws Error if a stored block is gone or damaged.
  using Visit = std::function<void(const std::vector<CandidateRow>& rows,
                                   const std::vector<domain::Candidate>& candidates)>;
  void for_each_block(const Visit& visit);

  /// Removes the folder OUT.parts and its lock.
  void remove_parts();

 private:
  void hold_parts(const DomainRequest& request);
  /// Returns the path of a file with the candidates. A pipe is copied into OUT.parts.
  std::string readable_path(const DomainWork& work, const DomainSetup& setup,
                            session::MoleculeList& molecules);

  std::string parts_;
  std::optional<FolderLock> lock_;
  std::optional<ShownPath> shown_path_;  ///< set if the candidates are in a copy
  std::optional<CandidateList> list_;
  std::optional<session::FinishedBlocks> blocks_;
  ops::PrincipalMap map_;
  std::vector<domain::ListedScore> scores_;
  std::size_t resumed_ = 0, remarked_ = 0, new_scaffolds_ = 0;
};

}  // namespace molgauge::verbs
