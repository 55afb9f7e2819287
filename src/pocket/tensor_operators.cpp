#include "pocket/tensor_operators.h"

#include <ATen/ATen.h>

#include "pocket/network_definition.h"
#include "torch/arrays.h"

namespace headroom::pocket {

template class Encoder<TensorOperators>;

namespace {

TensorOperators::TermLists list_tensors(const TermLists& lists) {
  const at::Tensor first = torch::as_tensor(lists.first);
  return {torch::as_tensor(lists.members), torch::as_tensor(lists.owner),
          first.diff().clamp_min(1).to(at::kFloat).unsqueeze(1)};
}

AngularTermsOf<TensorOperators> angular_tensors(const AngularTerms& terms) {
  AngularTermsOf<TensorOperators> made{{}, torch::as_tensor(terms.attributes), {}};
  for (const ops::Integers& atoms : terms.atoms) {
    made.atoms.push_back(torch::as_tensor(atoms));
  }
  for (const TermLists& lists : terms.inner) {
    made.inner.push_back(list_tensors(lists));
  }
  return made;
}

}  // namespace

at::Tensor TensorOperators::constant(const ops::Floats& numbers) { return torch::as_tensor(numbers); }

at::Tensor TensorOperators::silu(const Tensor& x) { return at::silu(x); }

at::Tensor TensorOperators::edge_vectors(const Tensor& positions, const DirectedEdges& edges) {
  return positions.index_select(0, edges.target) - positions.index_select(0, edges.source);
}

at::Tensor TensorOperators::lengths(const Tensor& vectors) {
  constexpr double kLeastLength = 1e-6;
  return at::norm(vectors, 2, {1}, /*keepdim=*/true).clamp_min(kLeastLength);
}

at::Tensor TensorOperators::mean_of_terms(const Tensor& x, const TermLists& lists) {
  return at::zeros({lists.counts.size(0), x.size(1)}, x.options())
             .index_add(0, lists.owner, x.index_select(0, lists.members)) /
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
  const at::Tensor highest = segment_max(logits.detach().contiguous(), segments);
  const at::Tensor weights = at::exp(logits - highest.index_select(0, segments.of));
  return segment_sum((weights * x).contiguous(), segments) / segment_sum(weights.contiguous(), segments);
}

at::Tensor TensorOperators::segment_mean(const Tensor& x, const Segments& segments) {
  return segment_sum(x.contiguous(), segments) /
         segments.first.diff().clamp_min(1).to(x.dtype()).unsqueeze(1);
}

BatchOf<TensorOperators> as_tensors(const Batch& batch) {
  return {.features = torch::as_tensor(batch.features),
          .positions = torch::as_tensor(batch.positions),
          .bonds = {torch::as_tensors(batch.bonds.edges), torch::as_tensor(batch.bonds.attributes)},
          .pairs = {torch::as_tensors(batch.pairs.edges), torch::as_tensor(batch.pairs.attributes)},
          .angles = angular_tensors(batch.angles),
          .dihedrals = angular_tensors(batch.dihedrals),
          .pockets = torch::on_device(batch.pockets, c10::kCPU)};
}

}  // namespace headroom::pocket
