#include "molecules/encoders/chemprop/plan.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/core/hash.h"

namespace molgauge::encoders::chemprop {
namespace {

using Molecules = std::span<const Inputs* const>;

/// The bytes of a hash as integers, in the byte order of this machine.
struct Key {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const Key&) const = default;
};

Key key_of(const void* bytes, std::size_t count) {
  const Hash128 hash = hash128(std::string_view(static_cast<const char*>(bytes), count));
  Key key;
  std::memcpy(&key, hash.data(), sizeof(key));
  return key;
}

/// Numbers distinct keys in the order of their appearance.
class Numbers {
 public:
  /// `most`: maximum number of keys.
  explicit Numbers(std::int64_t most)
      : size_(2 * most + 1), keys_({2 * size_}), numbers_(ops::Integers::zeros({size_})) {}

  struct Found {
    std::int64_t number;
    bool is_new;
  };
  Found find(const Key& key) {
    auto place = static_cast<std::int64_t>(key.low % static_cast<std::uint64_t>(size_));
    for (;; place = place + 1 == size_ ? 0 : place + 1) {
      std::uint64_t* const own = keys_.data() + 2 * place;
      std::int64_t& number = numbers_.data()[place];
      if (number == 0) {
        own[0] = key.high;
        own[1] = key.low;
        number = ++count_;
        return {number - 1, true};
      }
      if (own[0] == key.high && own[1] == key.low) {
        return {number - 1, false};
      }
    }
  }
  std::int64_t count() const { return count_; }

 private:
  std::int64_t size_, count_ = 0;
  ops::Array<std::uint64_t> keys_;
  ops::Integers numbers_;  ///< numbers count from 1, and 0 marks a free entry
};

/// Sums that grow. The arrays have the maximum size. take() returns arrays of the final size, which share the
/// memory.
class GrowingSums {
 public:
  GrowingSums(std::int64_t rows, std::int64_t sources) : first_({rows + 1}), source_({sources}) {
    first_.data()[0] = 0;
  }

  void add(std::int64_t source) { source_.data()[sources_++] = source; }
  void end_row() { first_.data()[++rows_] = sources_; }
  Sums take() const { return {first_.reshaped({rows_ + 1}), source_.reshaped({sources_})}; }

 private:
  ops::Integers first_, source_;
  std::int64_t rows_ = 0, sources_ = 0;
};

/// A state: its key and its row.
struct State {
  Key key;
  std::int64_t row = 0;
};

/// The directed edges of all molecules. Edge 2k leads from the begin of bond k to its end, edge 2k + 1 back.
struct Graph {
  std::int64_t atoms = 0, edges = 0;
  std::vector<std::int64_t> first;            ///< [atoms + 1] the edges into an atom in `incoming`
  std::vector<std::int64_t> incoming;         ///< [edges]
  std::vector<std::int64_t> source;           ///< [edges]
  std::vector<std::uint32_t> columns;         ///< [bonds] features
  std::vector<const AtomFeatures*> features;  ///< [atoms]

  std::span<const std::int64_t> into(std::int64_t atom) const {
    const auto i = static_cast<std::size_t>(atom);
    return std::span(incoming).subspan(static_cast<std::size_t>(first[i]),
                                       static_cast<std::size_t>(first[i + 1] - first[i]));
  }
  std::int64_t source_of(std::int64_t edge) const { return source[static_cast<std::size_t>(edge)]; }
  std::uint32_t bond(std::int64_t edge) const { return columns[static_cast<std::size_t>(edge / 2)]; }
};

constexpr std::int64_t reverse(std::int64_t edge) { return edge ^ 1; }

Graph graph_of(Molecules molecules) {
  Graph graph;
  for (const Inputs* molecule : molecules) {
    graph.atoms += static_cast<std::int64_t>(molecule->atoms.size());
    graph.edges += static_cast<std::int64_t>(2 * molecule->bonds.size());
  }
  graph.first.assign(static_cast<std::size_t>(graph.atoms) + 1, 0);
  graph.incoming.resize(static_cast<std::size_t>(graph.edges));
  graph.source.reserve(static_cast<std::size_t>(graph.edges));
  graph.columns.reserve(static_cast<std::size_t>(graph.edges / 2));
  graph.features.reserve(static_cast<std::size_t>(graph.atoms));
  for (const Inputs* molecule : molecules) {
    const auto offset = static_cast<std::int64_t>(graph.features.size());
    for (const AtomFeatures& atom : molecule->atoms) {
      graph.features.push_back(&atom);
    }
    for (const BondFeatures& bond : molecule->bonds) {
      if (bond.begin >= molecule->atoms.size() || bond.end >= molecule->atoms.size()) {
        throw std::invalid_argument("a molecule's bonds do not fit its atoms");
      }
      graph.source.push_back(offset + bond.begin);
      graph.source.push_back(offset + bond.end);
      graph.columns.push_back(bond.columns);
      ++graph.first[static_cast<std::size_t>(offset + bond.end) + 1];
      ++graph.first[static_cast<std::size_t>(offset + bond.begin) + 1];
    }
  }
  for (std::size_t atom = 0; atom + 1 < graph.first.size(); ++atom) {
    graph.first[atom + 1] += graph.first[atom];
  }
  std::vector<std::int64_t> next(graph.first.begin(), graph.first.end() - 1);
  for (std::int64_t edge = 0; edge < graph.edges; ++edge) {
    const auto target = static_cast<std::size_t>(graph.source_of(reverse(edge)));
    graph.incoming[static_cast<std::size_t>(next[target]++)] = edge;
  }
  return graph;
}

/// Computes the key of a state from the key of its base and the states in its sum (`terms`). Sorts `terms`.
Key key_of_sum(const Key& base, std::vector<State>& terms, std::vector<Key>& scratch) {
  std::sort(terms.begin(), terms.end(),
            [](const State& one, const State& other) { return one.key < other.key; });
  scratch.assign(1, base);
  for (const State& term : terms) {
    scratch.push_back(term.key);
  }
  return key_of(scratch.data(), scratch.size() * sizeof(Key));
}

class Planner {
 public:
  Planner(Molecules molecules, const GraphForm& form)
      : molecules_(molecules), form_(form), graph_(graph_of(molecules)) {}

  /// `parts`: as in make_plan_without_parts(), or empty.
  Plan make(std::span<const std::vector<std::uint32_t>> parts = {}) {
    number_atoms();
    form_.atom_messages ? begin_atoms() : begin_bonds();
    for (std::size_t step = 1; step < form_.depth; ++step) {
      plan_.steps.push_back(next_step());
    }
    read_out();
    parts.empty() ? pool_molecules() : pool_without(parts);
    return std::move(plan_);
  }

 private:
  std::size_t states() const {
    return static_cast<std::size_t>(form_.atom_messages ? graph_.atoms : graph_.edges);
  }

  /// Numbers distinct atoms by their features.
  void number_atoms() {
    atoms_.resize(static_cast<std::size_t>(graph_.atoms));
    Numbers numbers(graph_.atoms);
    const std::int64_t width = atom_width(form_.features);
    ops::Floats rows = ops::Floats::zeros({graph_.atoms, width});
    for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
      const AtomFeatures& features = *graph_.features[atom];
      const Key key = key_of(&features, sizeof(features));
      const auto [number, is_new] = numbers.find(key);
      atoms_[atom] = {key, number};
      if (is_new) {
        write_atom(features, form_.features, rows.data() + number * width);
      }
    }
    plan_.atoms = rows.reshaped({numbers.count(), width});
  }

  void begin_bonds() {
    state_.resize(states());
    Numbers numbers(graph_.edges);
    const std::int64_t of_atom = atom_width(form_.features), width = of_atom + bond_width(form_.features);
    ops::Floats rows = ops::Floats::zeros({graph_.edges, width});
    for (std::int64_t edge = 0; edge < graph_.edges; ++edge) {
      const auto source = static_cast<std::size_t>(graph_.source_of(edge));
      const std::uint64_t words[] = {atoms_[source].key.high, atoms_[source].key.low, graph_.bond(edge)};
      const Key key = key_of(words, sizeof(words));
      const auto [number, is_new] = numbers.find(key);
      state_[static_cast<std::size_t>(edge)] = {key, number};
      if (is_new) {
        float* const row = rows.data() + number * width;
        write_atom(*graph_.features[source], form_.features, row);
        add_bond(graph_.bond(edge), form_.features, row + of_atom);
      }
    }
    plan_.initial = rows.reshaped({numbers.count(), width});
    base_ = state_;
  }

  /// Sets the initial states of atoms. Before the first step, the state of an atom depends only on its
  /// features. Later, it also depends on the bonds of the atom.
  void begin_atoms() {
    plan_.initial = plan_.atoms;
    state_ = atoms_;
    base_.resize(states());
    Numbers numbers(graph_.atoms);
    const std::int64_t of_atom = atom_width(form_.features), width = of_atom + bond_width(form_.features);
    ops::Floats rows = ops::Floats::zeros({graph_.atoms, width});
    std::vector<std::uint64_t> words;
    for (std::int64_t atom = 0; atom < graph_.atoms; ++atom) {
      const auto i = static_cast<std::size_t>(atom);
      words.clear();
      for (const std::int64_t edge : graph_.into(atom)) {
        words.push_back(graph_.bond(edge));
      }
      std::sort(words.begin(), words.end());
      words.insert(words.end(), {atoms_[i].key.high, atoms_[i].key.low});
      const Key key = key_of(words.data(), words.size() * sizeof(words[0]));
      const auto [number, is_new] = numbers.find(key);
      base_[i] = {key, number};
      if (is_new) {
        float* const row = rows.data() + number * width;
        write_atom(*graph_.features[i], form_.features, row);
        for (const std::int64_t edge : graph_.into(atom)) {
          add_bond(graph_.bond(edge), form_.features, row + of_atom);
        }
      }
    }
    plan_.step_inputs = rows.reshaped({numbers.count(), width});
  }

  /// Adds the states that an edge contributes to a sum.
  void add_terms(std::int64_t edge) {
    if (form_.atom_messages) {
      terms_.push_back(state_[static_cast<std::size_t>(graph_.source_of(edge))]);
    } else {
      terms_.push_back(state_[static_cast<std::size_t>(edge)]);
    }
    if (form_.undirected) {
      terms_.push_back(form_.atom_messages ? state_[static_cast<std::size_t>(graph_.source_of(reverse(edge)))]
                                           : state_[static_cast<std::size_t>(reverse(edge))]);
    }
  }

  Step next_step() {
    const auto count = static_cast<std::int64_t>(states());
    Numbers numbers(count);
    const std::int64_t terms = count_terms();
    GrowingSums sums(count, terms);
    ops::Integers base({count});
    std::vector<State> next(states());
    for (std::int64_t state = 0; state < count; ++state) {
      const std::int64_t atom = form_.atom_messages ? state : graph_.source_of(state);
      terms_.clear();
      for (const std::int64_t edge : graph_.into(atom)) {
        if (form_.atom_messages || edge != reverse(state)) {
          add_terms(edge);
        }
      }
      const auto i = static_cast<std::size_t>(state);
      const Key key = key_of_sum(base_[i].key, terms_, keys_);
      const auto [number, is_new] = numbers.find(key);
      next[i] = {key, number};
      if (is_new) {
        base.data()[number] = base_[i].row;
        take_terms(sums);
      }
    }
    state_ = std::move(next);
    return {sums.take(), base.reshaped({numbers.count()})};
  }

  /// Maximum number of terms in all sums of a step.
  std::int64_t count_terms() const {
    std::int64_t terms = 0;
    for (std::int64_t atom = 0; atom < graph_.atoms; ++atom) {
      const auto degree = static_cast<std::int64_t>(graph_.into(atom).size());
      terms += form_.atom_messages ? degree : degree * std::max<std::int64_t>(degree - 1, 0);
    }
    return form_.undirected ? 2 * terms : terms;
  }

  void take_terms(GrowingSums& sums) const {
    for (const State& term : terms_) {
      sums.add(term.row);
    }
    sums.end_row();
  }

  void read_out() {
    Numbers numbers(graph_.atoms);
    GrowingSums sums(graph_.atoms, graph_.edges);
    ops::Integers base({graph_.atoms});
    finished_.resize(static_cast<std::size_t>(graph_.atoms));
    for (std::int64_t atom = 0; atom < graph_.atoms; ++atom) {
      terms_.clear();
      for (const std::int64_t edge : graph_.into(atom)) {
        terms_.push_back(
            state_[static_cast<std::size_t>(form_.atom_messages ? graph_.source_of(edge) : edge)]);
      }
      const auto i = static_cast<std::size_t>(atom);
      const Key key = key_of_sum(atoms_[i].key, terms_, keys_);
      const auto [number, is_new] = numbers.find(key);
      finished_[i] = {key, number};
      if (is_new) {
        base.data()[number] = atoms_[i].row;
        take_terms(sums);
      }
    }
    plan_.readout = {sums.take(), base.reshaped({numbers.count()})};
  }

  void pool_molecules() {
    const auto count = static_cast<std::int64_t>(molecules_.size());
    GrowingSums sums(count, graph_.atoms);
    plan_.sizes = ops::Floats({count, 1});
    auto next = finished_.begin();
    for (std::size_t i = 0; i < molecules_.size(); ++i) {
      const auto size = static_cast<std::ptrdiff_t>(molecules_[i]->atoms.size());
      terms_.assign(next, next + size);
      next += size;
      pool_terms(i, sums);
    }
    plan_.molecules = sums.take();
  }

  /// Pools all atoms, and then, for each part, all atoms outside of it.
  void pool_without(std::span<const std::vector<std::uint32_t>> parts) {
    const auto count = static_cast<std::int64_t>(parts.size()) + 1;
    GrowingSums sums(count, count * graph_.atoms);
    plan_.sizes = ops::Floats({count, 1});
    terms_ = finished_;
    pool_terms(0, sums);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::vector<bool> is_left_out(finished_.size(), false);
      for (const std::uint32_t atom : parts[part]) {
        is_left_out.at(atom) = true;
      }
      terms_.clear();
      for (std::size_t atom = 0; atom < finished_.size(); ++atom) {
        if (!is_left_out[atom]) {
          terms_.push_back(finished_[atom]);
        }
      }
      pool_terms(part + 1, sums);
    }
    plan_.molecules = sums.take();
  }

  /// Adds the pooled row `row`, whose atoms are in `terms_`.
  void pool_terms(std::size_t row, GrowingSums& sums) {
    std::sort(terms_.begin(), terms_.end(),
              [](const State& one, const State& other) { return one.key < other.key; });
    take_terms(sums);
    plan_.sizes.data()[row] = static_cast<float>(terms_.size());
  }

  Molecules molecules_;
  const GraphForm& form_;
  Graph graph_;
  Plan plan_;
  std::vector<State> atoms_;     ///< [atoms] keys and rows of the features
  std::vector<State> base_;      ///< [states] the part of a state that all steps share
  std::vector<State> state_;     ///< [states] states before the next step
  std::vector<State> finished_;  ///< [atoms] states after the readout
  std::vector<State> terms_;
  std::vector<Key> keys_;
};

}  // namespace

Plan make_plan(Molecules molecules, const GraphForm& form) { return Planner(molecules, form).make(); }

Plan make_plan_without_parts(const Inputs& molecule, const GraphForm& form,
                             std::span<const std::vector<std::uint32_t>> parts) {
  const Inputs* const molecules[] = {&molecule};
  return Planner(molecules, form).make(parts);
}

}  // namespace molgauge::encoders::chemprop
