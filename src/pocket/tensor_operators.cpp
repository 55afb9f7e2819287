#include "pocket/tensor_operators.h"

#include <ATen/ATen.h>

#include "pocket/network_definition.h"
#include "pocket/term_geometry.h"
#include "torch/arrays.h"

namespace headroom::pocket {

template class Encoder<TensorOperators>;

namespace {

TensorOperators::TermLists list_tensors(const TermLists& lists, c10::Device device) {
  const at::Tensor first = torch::on_device(lists.first, device);
  return {torch::on_device(lists.members, device), torch::on_device(lists.owner, device),
          first.diff().clamp_min(1).to(at::kFloat).unsqueeze(1)};
}

AngularTermsOf<TensorOperators> angular_tensors(const AngularTerms& terms, c10::Device device) {
  AngularTermsOf<TensorOperators> made{{}, torch::on_device(terms.attributes, device), {}};
  for (const ops::Integers& atoms : terms.atoms) {
    made.atoms.push_back(torch::on_device(atoms, device));
  }
  for (const TermLists& lists : terms.inner) {
    made.inner.push_back(list_tensors(lists, device));
  }
  return made;
}

/// The largest number of each segment and column, without history.
at::Tensor highest_of(const at::Tensor& logits, const TensorOperators::Segments& segments) {
  const at::Tensor numbers = logits.detach().to(at::kFloat).contiguous();
  return segments.count() == 1 ? numbers.amax(0, /*keepdim=*/true) : torch::segment_max(numbers, segments);
}

at::Tensor row_products(const at::Tensor& a, const at::Tensor& b) { return (a * b).sum(1, /*keepdim=*/true); }

at::Tensor direction(const at::Tensor& vectors) {
  return vectors / at::norm(vectors, 2, {1}, /*keepdim=*/true).clamp_min(kLeastLength);
}

}  // namespace

at::Tensor TensorOperators::angle_cosines(const Tensor& positions, const std::vector<Tensor>& atoms) {
  const at::Tensor centre = positions.index_select(0, atoms[1]);
  return row_products(direction(positions.index_select(0, atoms[0]) - centre),
                      direction(positions.index_select(0, atoms[2]) - centre))
      .clamp(-1, 1);
}

at::Tensor TensorOperators::dihedral_turns(const Tensor& positions, const std::vector<Tensor>& atoms) {
  const auto bond = [&](std::size_t place) {
    return positions.index_select(0, atoms[place + 1]) - positions.index_select(0, atoms[place]);
  };
  const at::Tensor middle = bond(1);
  const at::Tensor one = direction(at::cross(bond(0), middle, 1)),
                   other = direction(at::cross(middle, bond(2), 1));
  return at::cat({row_products(one, other), row_products(at::cross(one, direction(middle), 1), other)}, 1)
      .clamp(-1, 1);
}

at::Tensor TensorOperators::pool_by_heads(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                          const Segments& segments, const Dropout& dropout) {
  const std::int64_t heads = queries.size(0), width = queries.size(1);
  const at::Tensor logits = (keys.view({-1, heads, width}) * queries).sum(2, false, at::kFloat) /
                            std::sqrt(static_cast<double>(width));
  const at::Tensor highest = highest_of(logits, segments);
  const at::Tensor raised = at::exp(logits - highest.index_select(0, segments.of));
  const at::Tensor weights = raised / segment_sum(raised.contiguous(), segments).index_select(0, segments.of);
  const at::Tensor kept = torch::drop_rows(weights, segments, dropout);
  return segment_sum((kept.unsqueeze(2) * values.view({-1, heads, width})).flatten(1).contiguous(), segments);
}

at::Tensor TensorOperators::constant(const ops::Floats& numbers) { return torch::as_tensor(numbers); }

at::Tensor TensorOperators::silu(const Tensor& x) { return at::silu(x); }

at::Tensor TensorOperators::edge_vectors(const Tensor& positions, const DirectedEdges& edges) {
  return positions.index_select(0, edges.target) - positions.index_select(0, edges.source);
}

at::Tensor TensorOperators::lengths(const Tensor& vectors) {
  return at::norm(vectors, 2, {1}, /*keepdim=*/true).clamp_min(kLeastLength);
}

at::Tensor TensorOperators::mean_of_terms(const Tensor& x, const TermLists& lists) {
  const at::Tensor rows = x.to(at::kFloat);
  return at::zeros({lists.counts.size(0), rows.size(1)}, rows.options())
             .index_add(0, lists.owner, rows.index_select(0, lists.members)) /
         lists.counts;
}

at::Tensor TensorOperators::drop_scalars(const Tensor& x, const ops::Irreps& irreps, const Segments& pockets,
                                         const Dropout& dropout) {
  if (!dropout.is_active()) {
    return x;
  }
  const std::int64_t scalars = irreps.offset(1);
  return at::cat(
      {torch::drop_rows(x.slice(1, 0, scalars).contiguous(), pockets, dropout), x.slice(1, scalars)}, 1);
}

at::Tensor TensorOperators::weighted_sum(const Tensor& x, const Tensor& logits, const Segments& segments) {
  const at::Tensor highest = highest_of(logits, segments);
  const at::Tensor weights = at::exp(logits - highest.index_select(0, segments.of));
  return segment_sum((weights * x).contiguous(), segments) / segment_sum(weights.contiguous(), segments);
}

at::Tensor TensorOperators::segment_mean(const Tensor& x, const Segments& segments) {
  return segment_sum(x.contiguous(), segments) /
         segments.first.diff().clamp_min(1).to(x.dtype()).unsqueeze(1);
}

BatchOf<TensorOperators> as_tensors(const Batch& batch, c10::Device device) {
  const auto there = [&](const auto& array) { return torch::on_device(array, device); };
  return {.features = there(batch.features),
          .positions = there(batch.positions),
          .bonds = {there(batch.bonds.edges), there(batch.bonds.attributes)},
          .pairs = {there(batch.pairs.edges), there(batch.pairs.attributes)},
          .angles = angular_tensors(batch.angles, device),
          .dihedrals = angular_tensors(batch.dihedrals, device),
          .pockets = there(batch.pockets)};
}

}  // namespace headroom::pocket
