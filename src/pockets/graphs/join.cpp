#include "pockets/graphs/join.h"

#include <algorithm>
#include <vector>

namespace molgauge::pocket {
namespace {

using Batches = std::span<const std::shared_ptr<const Batch>>;

/// Concatenates the rows that rows_of(batch) returns for each batch.
ops::Floats join_rows(Batches batches, const auto& rows_of) {
  std::int64_t rows = 0;
  for (const auto& batch : batches) {
    rows += rows_of(*batch).size(0);
  }
  ops::Floats joined{rows, rows_of(*batches.front()).width()};
  float* next = joined.data();
  for (const auto& batch : batches) {
    const ops::Floats& part = rows_of(*batch);
    next = std::copy_n(part.data(), part.count(), next);
  }
  return joined;
}

/// Concatenates the numbers that numbers_of(batch) returns for each batch. Adds to each number the sum of
/// size_of(batch) over the earlier batches. If `overlap` is 1, the last number of a batch is also the first
/// number of the next batch, and occurs once.
ops::Integers join_numbers(Batches batches, const auto& numbers_of, const auto& size_of,
                           std::int64_t overlap = 0) {
  std::int64_t count = overlap;
  for (const auto& batch : batches) {
    count += numbers_of(*batch).size(0) - overlap;
  }
  ops::Integers joined{count};
  std::int64_t* next = joined.data();
  std::int64_t before = 0;
  for (const auto& batch : batches) {
    const ops::Integers& part = numbers_of(*batch);
    next = std::transform(part.data(), part.data() + part.size(0), next,
                          [&](std::int64_t number) { return number + before; }) -
           overlap;
    before += size_of(*batch);
  }
  return joined;
}

std::int64_t atoms_of(const Batch& batch) { return batch.atoms(); }

EdgeTerms join_edges(Batches batches, EdgeTerms Batch::*kind) {
  const auto edges = [&](ops::Integers ops::DirectedEdges::*array) {
    return [=](const Batch& batch) -> const ops::Integers& { return (batch.*kind).edges.*array; };
  };
  return {
      {join_numbers(batches, edges(&ops::DirectedEdges::source), atoms_of),
       join_numbers(batches, edges(&ops::DirectedEdges::target), atoms_of),
       join_numbers(
           batches, edges(&ops::DirectedEdges::first),
           [&](const Batch& batch) { return (batch.*kind).edges.count(); }, 1)},
      join_rows(batches, [&](const Batch& batch) -> const ops::Floats& { return (batch.*kind).attributes; })};
}

TermLists join_lists(Batches batches, AngularTerms Batch::*kind, std::size_t list) {
  const auto lists = [&](ops::Integers TermLists::*array) {
    return [=](const Batch& batch) -> const ops::Integers& { return (batch.*kind).inner[list].*array; };
  };
  const auto terms = [&](const Batch& batch) { return (batch.*kind).attributes.size(0); };
  return {join_numbers(batches, lists(&TermLists::first), terms, 1),
          join_numbers(batches, lists(&TermLists::members), terms),
          join_numbers(batches, lists(&TermLists::owner), atoms_of)};
}

AngularTerms join_angular(Batches batches, AngularTerms Batch::*kind) {
  const AngularTerms& first = (*batches.front()).*kind;
  AngularTerms joined;
  joined.attributes =
      join_rows(batches, [&](const Batch& batch) -> const ops::Floats& { return (batch.*kind).attributes; });
  for (std::size_t place = 0; place < first.atoms.size(); ++place) {
    joined.atoms.push_back(join_numbers(
        batches, [&](const Batch& batch) -> const ops::Integers& { return (batch.*kind).atoms[place]; },
        atoms_of));
  }
  for (std::size_t list = 0; list < first.inner.size(); ++list) {
    joined.inner.push_back(join_lists(batches, kind, list));
  }
  return joined;
}

}  // namespace

Batch join(Batches batches) {
  if (batches.size() == 1) {
    return *batches.front();
  }
  return {
      .features = join_rows(batches, [](const Batch& batch) -> const ops::Floats& { return batch.features; }),
      .positions =
          join_rows(batches, [](const Batch& batch) -> const ops::Floats& { return batch.positions; }),
      .bonds = join_edges(batches, &Batch::bonds),
      .pairs = join_edges(batches, &Batch::pairs),
      .angles = join_angular(batches, &Batch::angles),
      .dihedrals = join_angular(batches, &Batch::dihedrals),
      .pockets = {join_numbers(
                      batches, [](const Batch& batch) -> const ops::Integers& { return batch.pockets.first; },
                      atoms_of, 1),
                  join_numbers(
                      batches, [](const Batch& batch) -> const ops::Integers& { return batch.pockets.of; },
                      [](const Batch& batch) { return batch.pockets.count(); })}};
}

}  // namespace molgauge::pocket
