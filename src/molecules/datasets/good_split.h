#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/core/random/python_random.h"
#include "molecules/datasets/domain_table.h"
#include "molecules/datasets/split_parts.h"
#include "molgauge/choices.h"

/// Splits of the GOOD benchmark (Gui et al. 2022), number for number. GOOD's program uses one generator for
/// no-shift, covariate and concept, in this order. To get the split of GOOD's program for a seed, call the
/// functions of the earlier splits first, with the same generator.
namespace molgauge::datasets {

/// GOOD divides the training rows into ten environments (three in a concept shift).
inline constexpr std::size_t kGoodEnvironments = 10;

struct GoodSplit {
  SplitParts parts;
  std::vector<std::size_t> train_environment;  ///< environment of each row of parts.train, below
                                               ///< kGoodEnvironments
};

struct TrainingRow {
  std::size_t row, environment;
};

/// The order in which the domains are sorted. Training gets the first domains.
enum class DomainOrder {
  ascending,
  descending,  ///< GOOD's order for ZINC, and for HIV and PCBA if the domain is size
};

/// Splits rows at random: 0.6 for training, then 0.2 for ood_val and 0.2 for ood_test. In this split, ood_val
/// and ood_test are not out of distribution. iid_val and iid_test stay empty. Environments are random, too.
GoodSplit good_no_shift_split(std::size_t rows, PythonRandom& random);

/// Covariate shift. Rows are stably sorted by domain. `domains` are numbered by value. Domains stay whole.
/// They go to train up to about 0.8 of the rows, then to ood_val up to 0.9, then to ood_test. A part ends at
/// the first change of domain at or after its limit, so a large domain may leave ood_val or ood_test empty.
/// Environments are assigned to the sorted training rows in the same way. Then the training rows are
/// shuffled. The last 0.1 n of them become iid_test, and the 0.1 n before these become iid_val (n: number of
/// all rows). Throws InputError if train would be empty.
GoodSplit good_covariate_split(const DomainTable& domains, DomainOrder order, PythonRandom& random);

/// Concept shift: every domain may occur in every part, but the distribution of its labels depends on the
/// part. In the training groups (one environment each), high labels go with the first half of the domains and
/// low labels with the second half. In ood_test, the relation is reversed. ood_val gets the remaining rows.
///
/// Five groups are filled in turn. A group draws u, then w for each remaining row. It takes a row with a
/// label on the side of the group if w < bias and u < pick ratio. It takes a row with another label if w >
/// bias and u < pick ratio. If a domain has rows of both kinds and the group took only one kind, the group
/// also takes the last row of the other kind. Then the training rows are shuffled. The last 0.15 of them
/// become iid_test, and the 0.15 before these become iid_val.
///
/// `domains` are numbered by value. `label_of_row`: the mean of the known labels of each row, 0 if no label
/// is known, in single precision as in GOOD's program. The centre is the mean of these numbers. If labels are
/// values, the centre is their upper median, and a row at the centre waits for the last group.
GoodSplit good_concept_split(const DomainTable& domains, std::span<const float> label_of_row, GoodStyle style,
                             PythonRandom& random);

}  // namespace molgauge::datasets
