#include "pockets/tensor_operators.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/irreps_kernels.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/perceptron_kernels.h"
#include "base/numerics/torch/uploads.h"
#include "pockets/network_definition.h"
#include "pockets/term_geometry.h"

namespace molgauge::pocket {

template class Encoder<TensorOperators>;

namespace {

/// The result is on the CPU.
TensorOperators::TermLists list_tensors(const TermLists& lists) {
  const std::int64_t atoms = lists.first.size(0) - 1;
  ops::Floats counts{atoms, 1};
  for (std::int64_t atom = 0; atom < atoms; ++atom) {
    const std::int64_t own = lists.first.data()[atom + 1] - lists.first.data()[atom];
    counts.data()[atom] = static_cast<float>(std::max<std::int64_t>(own, 1));
  }
  return {torch::as_tensor(lists.first), torch::as_tensor(lists.members), torch::as_tensor(lists.owner),
          torch::as_tensor(counts)};
}

/// The result is on the CPU.
AngularTermsOf<TensorOperators> angular_tensors(const AngularTerms& terms, std::int64_t atom_count,
                                                c10::Device device) {
  AngularTermsOf<TensorOperators> made{{}, torch::as_tensor(terms.attributes), {}, {}};
  for (const ops::Integers& atoms : terms.atoms) {
    made.atoms.push_back(torch::as_tensor(atoms));
  }
  for (const TermLists& lists : terms.inner) {
    made.inner.push_back(list_tensors(lists));
  }
  if (torch::uses_kernels(device)) {
    for (const ops::Integers* atoms : {&terms.atoms.front(), &terms.atoms.back()}) {
      made.ends.push_back(list_tensors(list_terms(*atoms, atom_count)));
    }
  }
  return made;
}

/// All arrays of a batch that go to a device.
std::vector<at::Tensor*> arrays_of(BatchOf<TensorOperators>& batch) {
  std::vector<at::Tensor*> all = {&batch.features,          &batch.positions,     &batch.bonds.attributes,
                                  &batch.pairs.attributes,  &batch.pockets.first, &batch.pockets.of,
                                  &batch.pockets.first_pair};
  for (torch::DirectedEdges* edges : {&batch.bonds.edges, &batch.pairs.edges}) {
    for (at::Tensor* array : torch::arrays_of(*edges)) {
      all.push_back(array);
    }
  }
  for (AngularTermsOf<TensorOperators>* terms : {&batch.angles, &batch.dihedrals}) {
    all.push_back(&terms->attributes);
    for (at::Tensor& atoms : terms->atoms) {
      all.push_back(&atoms);
    }
    for (std::vector<TensorOperators::TermLists>* kind : {&terms->inner, &terms->ends}) {
      for (TensorOperators::TermLists& lists : *kind) {
        all.insert(all.end(), {&lists.first, &lists.members, &lists.owner, &lists.counts});
      }
    }
  }
  return all;
}

/// Returns the maximum of each column within each segment, without gradients.
at::Tensor highest_of(const at::Tensor& logits, const TensorOperators::Segments& segments) {
  const at::Tensor numbers = logits.detach().to(at::kFloat).contiguous();
  return segments.count() == 1 ? numbers.amax(0, /*keepdim=*/true) : torch::segment_max(numbers, segments);
}

at::Tensor row_products(const at::Tensor& a, const at::Tensor& b) { return (a * b).sum(1, /*keepdim=*/true); }

/// The mean row of the terms of each atom in one list.
at::Tensor mean_of_list(const at::Tensor& x, const TensorOperators::TermLists& lists) {
  const at::Tensor rows = x.to(at::kFloat);
  return at::zeros({lists.counts.size(0), rows.size(1)}, rows.options())
             .index_add(0, lists.owner, rows.index_select(0, lists.members)) /
         lists.counts;
}

/// `atoms`: the atom of each term that the lists contain.
torch::TermList kernel_list(const TensorOperators::TermLists& lists, const at::Tensor& atoms) {
  return {lists.first, lists.members, atoms};
}

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

at::Tensor TensorOperators::silu_layers(const Dense& first, const Dense& second, const Dense& third,
                                        const Tensor& x) {
  if (torch::uses_kernels(x.device())) {
    return torch::silu_layers(x, {first.linear(), second.linear(), third.linear()});
  }
  return third(at::silu(second(at::silu(first(x)))));
}

at::Tensor TensorOperators::silu(const Tensor& x) { return at::silu(x); }

at::Tensor TensorOperators::edge_vectors(const Tensor& positions, const DirectedEdges& edges) {
  return positions.index_select(0, edges.target) - positions.index_select(0, edges.source);
}

at::Tensor TensorOperators::lengths(const Tensor& vectors) {
  return at::norm(vectors, 2, {1}, /*keepdim=*/true).clamp_min(kLeastLength);
}

std::optional<std::pair<at::Tensor, at::Tensor>> TensorOperators::edge_geometry(const Tensor& positions,
                                                                                const DirectedEdges& edges,
                                                                                const Tensor& attributes,
                                                                                const Tensor& frequencies,
                                                                                double cutoff, int degree) {
  const torch::EdgeArrays arrays{positions, attributes, frequencies, edges};
  if (!torch::has_edge_geometry(arrays, degree)) {
    return std::nullopt;
  }
  return torch::edge_geometry_kernel(arrays, degree, cutoff, kLeastLength);
}

at::Tensor TensorOperators::add_scaled(const Tensor& x, const Tensor& y, const Tensor& factor) {
  const at::Tensor there = factor.to(y.device());
  return torch::uses_kernels(x.device()) ? torch::add_scaled_kernel(x, y, there) : x + there * y;
}

at::Tensor TensorOperators::join_ends(const Tensor& h, std::int64_t columns,
                                      const AngularTermsOf<TensorOperators>& terms,
                                      const Tensor& attributes) {
  if (!terms.ends.empty() && !attributes.requires_grad()) {
    return torch::term_ends_kernel(h, columns, kernel_list(terms.ends[0], terms.atoms.front()),
                                   kernel_list(terms.ends[1], terms.atoms.back()), attributes);
  }
  const at::Tensor scalars = h.slice(1, 0, columns);
  const at::Tensor ends =
      at::cat({scalars.index_select(0, terms.atoms.front()), scalars.index_select(0, terms.atoms.back())}, 1);
  return at::cat({ends, attributes}, 1);
}

at::Tensor TensorOperators::mean_of_terms(const Tensor& x, const AngularTermsOf<TensorOperators>& terms) {
  if (torch::uses_kernels(x.device()) && terms.inner.size() <= 2) {
    std::vector<torch::TermList> lists;
    for (const TermLists& own : terms.inner) {
      lists.push_back(kernel_list(own, terms.atoms[lists.size() + 1]));
    }
    return torch::term_means_kernel(x, lists);
  }
  at::Tensor mean = mean_of_list(x, terms.inner[0]);
  for (std::size_t place = 1; place < terms.inner.size(); ++place) {
    mean = mean + mean_of_list(x, terms.inner[place]);
  }
  return scale(mean, 1 / static_cast<float>(terms.inner.size()));
}

at::Tensor TensorOperators::drop_scalars(const Tensor& x, const ops::Irreps& irreps, const Segments& pockets,
                                         const Dropout& dropout) {
  return torch::drop_columns(x, irreps.offset(1), pockets, dropout);
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
  BatchOf<TensorOperators> made{
      .features = torch::as_tensor(batch.features),
      .positions = torch::as_tensor(batch.positions),
      .bonds = {torch::as_tensors(batch.bonds.edges, device), torch::as_tensor(batch.bonds.attributes)},
      .pairs = {torch::as_tensors(batch.pairs.edges, device), torch::as_tensor(batch.pairs.attributes)},
      .angles = angular_tensors(batch.angles, batch.atoms(), device),
      .dihedrals = angular_tensors(batch.dihedrals, batch.atoms(), device),
      .pockets = torch::as_tensors(batch.pockets, device)};
  torch::move_together(arrays_of(made), device);
  return made;
}

}  // namespace molgauge::pocket
