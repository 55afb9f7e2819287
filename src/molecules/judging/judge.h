#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/numerics/ops/linear_algebra/principal_map.h"
#include "molecules/chem/record.h"
#include "molecules/judging/candidate.h"
#include "molecules/judging/saved_domain.h"
#include "molgauge/choices.h"

namespace molgauge::domain {

/// A record to compare with the training set.
struct JudgedRecord {
  chem::MoleculeRecord record;
  std::string unreadable;       ///< why there are no features. Empty if there are features
  std::vector<float> features;  ///< [width]
};

/// Compares candidates with a training set. Const methods may be called from several threads at once.
class Judge {
 public:
  /// `saved` must outlive the object.
  Judge(const SavedDomain& saved, std::size_t threads);

  const ops::PrincipalMap& map() const { return map_; }

  /// Returns one candidate for each record, in their order. A candidate depends only on its record. If RDKit
  /// refuses a record, the candidate is unreadable. Throws Interrupted if the user asks to stop.
  std::vector<Candidate> judge(const std::vector<JudgedRecord>& records) const;

 private:
  const SavedDomain& saved_;
  std::size_t threads_;
  TrainingMatcher matcher_;
  ops::PrincipalMap map_;
};

/// The p-value limits of two verdicts: a candidate gets the verdict if its p-value is at most the limit. A
/// limit is also a false-alarm rate: among molecules like the training molecules, this share gets the verdict
/// or a worse one.
struct Levels {
  double outside = kDefaultOutsideLevel;
  double borderline = kDefaultBorderlineLevel;  ///< level of `borderline`, at least `outside`
};

/// The p-values of the range criterion that lead to a verdict: a tenth of the levels. The criterion therefore
/// adds at most a tenth to the false alarms.
struct RangeLevels {
  explicit RangeLevels(const Levels& levels)
      : outside(levels.outside / 10), borderline(levels.borderline / 10) {}
  double outside, borderline;
};

/// The judgement of one candidate.
struct Judgement {
  Verdict verdict = Verdict::unreadable;  ///< depends only on the candidate and the training set
  double p_value = 0;  ///< p-value of the distance (HeldOutDistribution). NaN if the candidate is unreadable
  double p_scaffold = 0;  ///< p-value among molecules whose scaffold is left out. NaN if there are none
  double p_range = 0;     ///< p-value of the most unusual property. NaN if there is no calibration of ranges
  bool is_by_distance = false, is_by_range = false;  ///< the criteria that lead to the verdict
  /// The p-value corrected for the length of the list (benjamini_hochberg()). It has no effect on the
  /// verdict.
  double q_value = 0;
};

/// The numbers of a candidate that decide its verdict. Both are NaN for unreadable candidates, and -infinity
/// for candidates that equal a training molecule, whose p-values are 1.
struct ListedScore {
  float distance = 0, range = 0;
};
ListedScore listed_score(const Candidate& candidate);

/// Judges each candidate. The worse verdict of distance and range counts. Without a calibration of ranges,
/// only the distance counts. scores [candidates].
std::vector<Judgement> judge_list(const std::vector<ListedScore>& scores, const Calibration& calibration,
                                  const Levels& levels);

}  // namespace molgauge::domain
