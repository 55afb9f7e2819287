#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/random/python_random.h"
#include "data/datasets/domain_table.h"
#include "data/datasets/split_parts.h"
#include "headroom/choices.h"

/// Splits of the GOOD benchmark (Gui et al. 2022), number for number. Its program uses one generator for
/// no-shift, covariate and concept in this order, so a caller that wants GOOD's own split for a seed makes
/// the earlier draws as well.
namespace headroom::datasets {

/// GOOD lays ten environments over the training rows (three in a concept shift).
inline constexpr std::size_t kGoodEnvironments = 10;

struct GoodSplit {
  SplitParts parts;
  std::vector<std::size_t> train_environment;  ///< one for each row of parts.train, below kGoodEnvironments
};

struct TrainingRow {
  std::size_t row, environment;
};

/// The end of the sorted domains that is used for training.
enum class DomainOrder {
  ascending,
  descending,  ///< GOOD: always for ZINC; for HIV and PCBA when the domain is size
};

/// Rows at random: the first 0.6 for training, then 0.2 ood_val and 0.2 ood_test (which here are not out of
/// distribution); iid_val and iid_test stay empty. Environments are random, too.
GoodSplit good_no_shift_split(std::size_t rows, PythonRandom& random);

/// Covariate shift: rows sorted by domain (stable; `domains` numbered by value), whole domains to train,
/// then, from about 0.8 of the rows on, ood_val, and from 0.9 on ood_test. A part is left for the next at the
/// first change of domain at or after its limit, so a large domain may leave ood_val or ood_test empty.
/// Environments are laid over the sorted training rows in the same way; then these are shuffled, and the last
/// tenth of all rows becomes iid_test, the tenth before it iid_val. Throws InputError when train keeps no
/// row.
GoodSplit good_covariate_split(const DomainTable& domains, DomainOrder order, PythonRandom& random);

/// Concept shift: every domain may stand in every part, but what its labels are like depends on the part. In
/// the training groups (one environment each) high labels go with the first half of the domains and low ones
/// with the second; in ood_test it is the other way round, and ood_val takes what is left.
///
/// Five groups are filled one after the other. Of each row still there a group draws u, then w: a row whose
/// label lies on the group's side of the centre is taken when w < bias and u < pick ratio, another one when
/// w > bias and u < pick ratio. Where a domain has rows of both kinds and the group took one kind only, the
/// last row seen of the other joins. Then the training rows are shuffled; the last 0.15 of them are iid_test,
/// the 0.15 before iid_val.
///
/// `domains` are numbered by value. `label_of_row`: the mean of a row's known labels, 0 without one, in the
/// single precision of GOOD's program. The centre is their mean, or (values) their upper median, a row on
/// which waits for the last group.
GoodSplit good_concept_split(const DomainTable& domains, std::span<const float> label_of_row, GoodStyle style,
                             PythonRandom& random);

}  // namespace headroom::datasets
