#include "pockets/graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

/// A kind of terms: its name in messages and its sizes.
struct TermKind {
  const char* name;
  std::int64_t atoms, attributes;
};
constexpr TermKind kBonds{"bonds", 2, 2}, kAngles{"angles", 3, 2}, kDihedrals{"dihedrals", 4, 3},
    kPairs{"pairs", 2, 3};

void require_finite(const ops::Floats& numbers, const std::string& what) {
  const auto all = numbers.numbers();
  const auto found =
      std::find_if(all.begin(), all.end(), [](float number) { return !std::isfinite(number); });
  if (found != all.end()) {
    throw InputError(fmt::format("{}: number {} of row {} is not finite", what,
                                 (found - all.begin()) % numbers.width(),
                                 (found - all.begin()) / numbers.width()));
  }
}

/// The pocket of each atom.
std::vector<std::int64_t> pockets_of_atoms(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> of;
  for (std::size_t pocket = 0; pocket < sizes.size(); ++pocket) {
    of.insert(of.end(), static_cast<std::size_t>(sizes[pocket]), static_cast<std::int64_t>(pocket));
  }
  return of;
}

void check(const Terms& terms, const TermKind& kind, const std::vector<std::int64_t>& pocket_of,
           const std::string& what) {
  const bool has_shape = terms.atoms.shape().size() == 2 && terms.attributes.shape().size() == 2 &&
                         terms.atoms.size(0) == kind.atoms &&
                         terms.attributes.size(0) == terms.atoms.size(1) &&
                         terms.attributes.size(1) == kind.attributes;
  if (!has_shape) {
    throw InputError(fmt::format("{}: {} must be atoms [{}, n] with attributes [n, {}]", what, kind.name,
                                 kind.atoms, kind.attributes));
  }
  require_finite(terms.attributes, fmt::format("{}: attributes of {}", what, kind.name));
  const std::int64_t* const atoms = terms.atoms.data();
  for (std::int64_t term = 0; term < terms.count(); ++term) {
    for (std::int64_t place = 0; place < kind.atoms; ++place) {
      const std::int64_t atom = atoms[place * terms.count() + term];
      if (atom < 0 || atom >= static_cast<std::int64_t>(pocket_of.size())) {
        throw InputError(fmt::format("{}: number {} of the {} has atom {}, but there are {}", what, term,
                                     kind.name, atom, pocket_of.size()));
      }
      if (pocket_of[static_cast<std::size_t>(atom)] != pocket_of[static_cast<std::size_t>(atoms[term])]) {
        throw InputError(
            fmt::format("{}: number {} of the {} joins atoms of two pockets", what, term, kind.name));
      }
    }
  }
}

ops::Integers row_of(const Terms& terms, std::int64_t place) {
  ops::Integers row{terms.count()};
  std::copy_n(terms.atoms.data() + place * terms.count(), terms.count(), row.data());
  return row;
}

EdgeTerms order_by_target(const Terms& terms, std::int64_t atoms) {
  const TermLists lists = list_terms(row_of(terms, 1), atoms);
  const std::int64_t count = terms.count(), width = terms.attributes.width();
  EdgeTerms ordered{{ops::Integers{count}, lists.owner, lists.first}, ops::Floats{count, width}};
  for (std::int64_t edge = 0; edge < count; ++edge) {
    const std::int64_t term = lists.members.data()[edge];
    ordered.edges.source.data()[edge] = terms.atoms.data()[term];
    std::copy_n(terms.attributes.data() + term * width, width, ordered.attributes.data() + edge * width);
  }
  return ordered;
}

AngularTerms list_inner(const Terms& terms, std::int64_t atoms) {
  AngularTerms listed{{}, terms.attributes, {}};
  const std::int64_t places = terms.atoms.size(0);
  for (std::int64_t place = 0; place < places; ++place) {
    listed.atoms.push_back(row_of(terms, place));
    if (place > 0 && place + 1 < places) {
      listed.inner.push_back(list_terms(listed.atoms.back(), atoms));
    }
  }
  return listed;
}

}  // namespace

TermLists list_terms(const ops::Integers& atom_of_term, std::int64_t atoms) {
  const std::int64_t terms = atom_of_term.size(0);
  TermLists lists{ops::Integers::zeros({atoms + 1}), ops::Integers{terms}, ops::Integers{terms}};
  for (const std::int64_t atom : atom_of_term.numbers()) {
    ++lists.first.data()[atom + 1];
  }
  std::partial_sum(lists.first.data(), lists.first.data() + atoms + 1, lists.first.data());
  std::vector<std::int64_t> next(lists.first.data(), lists.first.data() + atoms);
  for (std::int64_t term = 0; term < terms; ++term) {
    const std::int64_t atom = atom_of_term.data()[term], place = next[static_cast<std::size_t>(atom)]++;
    lists.members.data()[place] = term;
    lists.owner.data()[place] = atom;
  }
  return lists;
}

void require_sound(const Pockets& pockets, const std::string& what) {
  const std::int64_t atoms = std::accumulate(pockets.sizes.begin(), pockets.sizes.end(), std::int64_t{0});
  if (pockets.sizes.empty() || *std::min_element(pockets.sizes.begin(), pockets.sizes.end()) < 1) {
    throw InputError(fmt::format("{}: a pocket has no atoms", what));
  }
  const std::vector<std::int64_t> shape = {atoms, 3};
  if (pockets.features.shape() != shape || pockets.positions.shape() != shape) {
    throw InputError(
        fmt::format("{}: features and positions of {} atoms must be [{}, 3]", what, atoms, atoms));
  }
  require_finite(pockets.features, what + ": features");
  require_finite(pockets.positions, what + ": positions");
  const std::vector<std::int64_t> pocket_of = pockets_of_atoms(pockets.sizes);
  check(pockets.bonds, kBonds, pocket_of, what);
  check(pockets.angles, kAngles, pocket_of, what);
  check(pockets.dihedrals, kDihedrals, pocket_of, what);
  check(pockets.pairs, kPairs, pocket_of, what);
}

Batch arrange(const Pockets& pockets, const std::string& what) {
  require_sound(pockets, what);
  const std::int64_t atoms = pockets.features.size(0);
  return {.features = pockets.features,
          .positions = pockets.positions,
          .bonds = order_by_target(pockets.bonds, atoms),
          .pairs = order_by_target(pockets.pairs, atoms),
          .angles = list_inner(pockets.angles, atoms),
          .dihedrals = list_inner(pockets.dihedrals, atoms),
          .pockets = ops::make_segments(pockets.sizes)};
}

}  // namespace molgauge::pocket
