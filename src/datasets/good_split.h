#pragma once

#include <cstddef>
#include <vector>

#include "core/python_random.h"
#include "datasets/domain_table.h"
#include "datasets/split_parts.h"

/// Splits as the GOOD benchmark makes them (Gui et al. 2022), number for number. Its program takes one
/// generator through no-shift and covariate in this order, so whoever wants GOOD's own covariate split for a
/// seed calls good_no_shift_split() first.
namespace headroom::datasets {

/// GOOD lays ten environments over the training rows.
inline constexpr std::size_t kGoodEnvironments = 10;

struct GoodSplit {
  SplitParts parts;
  std::vector<std::size_t> train_environment;  ///< of each row of parts.train, below kGoodEnvironments
};

/// Which end of the sorted domains is trained on.
enum class DomainOrder {
  ascending,
  descending,  ///< GOOD: always for ZINC; for HIV and PCBA when the domain is size
};

/// Rows at random: the first 0.6 for training, then 0.2 ood_val and 0.2 ood_test (which here are no more out
/// of distribution than the rest); iid_val and iid_test stay empty. Environments are random too.
GoodSplit good_no_shift_split(std::size_t rows, PythonRandom& random);

/// Covariate shift: rows sorted by domain (stable; `domains` numbered by value), whole domains to train,
/// then, from about 0.8 of the rows on, ood_val, and from 0.9 on ood_test. A part is left for the next at the
/// first change of domain at or after its limit, so a large domain may leave ood_val or ood_test empty.
/// Environments are laid over the sorted training rows in the same way; then these are shuffled, and the last
/// tenth of all rows becomes iid_test, the tenth before it iid_val. Throws InputError when train keeps no
/// row.
GoodSplit good_covariate_split(const DomainTable& domains, DomainOrder order, PythonRandom& random);

}  // namespace headroom::datasets
