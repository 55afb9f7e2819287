#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "chem/record.h"
#include "domain/candidate.h"
#include "domain/principal_map.h"
#include "domain/saved_domain.h"

namespace headroom::domain {

/// A record to be judged: with its features, or with the reason why it has none.
struct JudgedRecord {
  chem::MoleculeRecord record;
  std::string unreadable;       ///< empty where there are features
  std::vector<float> features;  ///< [width]
};

/// Compares candidates with a training set. Const methods may be called from several threads at once.
class Judge {
 public:
  /// `saved` outlives the object.
  Judge(const SavedDomain& saved, std::size_t threads);

  const PrincipalMap& map() const { return map_; }

  /// One candidate for each record, in their order; each depends only on its record. A record that RDKit
  /// refuses is unreadable.
  std::vector<Candidate> judge(const std::vector<JudgedRecord>& records) const;

 private:
  const SavedDomain& saved_;
  std::size_t threads_;
  std::unordered_set<std::string> known_smiles_;
  PrincipalMap map_;
};

enum class Verdict { inside, borderline, outside, unreadable };
std::string to_string(Verdict verdict);

/// The levels of the verdicts.
struct Levels {
  double outside = 0.05;     ///< false discovery rate
  double borderline = 0.05;  ///< p-value
};

/// The judgement of a candidate within its list.
struct Judgement {
  Verdict verdict = Verdict::unreadable;
  double p_value = 0;     ///< NaN where it is unreadable
  double adjusted = 0;    ///< corrected for the length of the list (Benjamini and Hochberg)
  double p_scaffold = 0;  ///< among held-out scaffolds; NaN where there are none
};

/// The score in the form that judge_list() takes.
float listed_score(const Candidate& candidate);

/// `scores` [candidates]: NaN for unreadable ones, -infinity for candidates that equal a training molecule,
/// whose p-value is 1.
std::vector<Judgement> judge_list(const std::vector<float>& scores, const Calibration& calibration,
                                  const Levels& levels);

}  // namespace headroom::domain
