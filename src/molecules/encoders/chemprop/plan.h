#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/numerics/ops/array.h"
#include "molecules/encoders/chemprop/inputs.h"
#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {

/// Rows that are sums of other rows: row i is the sum of the rows source[first[i]] to source[first[i + 1] -
/// 1], in this order.
struct Sums {
  ops::Integers first;   ///< [count + 1]
  ops::Integers source;  ///< [sources]
  std::int64_t count() const { return first.size(0) - 1; }
};

/// The states that a step computes. State i is activation(base row base[i] + W * sum i of the states before
/// the step).
struct Step {
  Sums sums;
  ops::Integers base;  ///< [count]
};

/// The messages of a batch, with each distinct state once.
///
/// Directed bonds with equal features in equal neighbourhoods have equal states. Equal states are recognised
/// by 128-bit hashes of the features and of the states in the sums. Sums are computed in the order of these
/// hashes, so a row does not depend on the batch or on the order of the atoms.
struct Plan {
  ops::Floats initial;  ///< [states before the first step, inputs of W_i]
  ops::Floats
      step_inputs;  ///< for atom messages: [distinct, features of an atom and sums of its bonds]; else empty
  std::vector<Step> steps;  ///< the steps, of which there are depth - 1
  ops::Floats atoms;        ///< [distinct atoms, features]
  Step readout;             ///< base: row numbers of `atoms`
  Sums molecules;           ///< rows of the readout
  ops::Floats sizes;        ///< [molecules, 1] atoms of each molecule
};

/// Returns the plan of a batch. The molecules must have the features of `form`. Throws std::invalid_argument
/// if a bond refers to a missing atom.
Plan make_plan(std::span<const Inputs* const> molecules, const GraphForm& form);

/// Returns the plan of one molecule whose atoms are pooled several times: first all atoms, and then for each
/// part all atoms except the atoms of the part. `parts`: atom numbers. No part may contain all atoms. Throws
/// the errors of make_plan().
Plan make_plan_without_parts(const Inputs& molecule, const GraphForm& form,
                             std::span<const std::vector<std::uint32_t>> parts);

}  // namespace molgauge::encoders::chemprop
