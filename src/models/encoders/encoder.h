#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "chem/molecule.h"
#include "chem/perception.h"
#include "memory/plan/cost.h"

namespace headroom::encoders {

/// What decides an encoder's numbers, and so which rows of the feature store are its own.
struct EncoderIdentity {
  std::string encoder;         ///< "minimol"
  std::string weights_sha256;  ///< hash of the tensors file; empty for encoders without weights
  std::string options;         ///< everything else that changes the result, e.g. "precision=fp32;gauge=pivot"
  /// What the weights are where they are random, e.g. "random numbers, seed 7"; a part of `options`, too.
  std::string random_weights = {};
};

/// How large a molecule is, as far as its text tells before it is read.
struct MoleculeSize {
  std::size_t atoms = 1;
  std::size_t edges = 0;  ///< directed: two a bond
  bool operator==(const MoleculeSize&) const = default;
};

/// Which features of a molecule's atoms and of their pairs are wanted beside its row.
struct AtomPairChoice {
  bool atoms = false, pairs = false;
  bool any() const { return atoms || pairs; }
};

/// Features of one molecule's atoms and of the pairs of its tokens, row-major; empty where they are not
/// wanted.
struct AtomPairFeatures {
  std::span<const float> atoms;  ///< [atoms, width]
  std::span<const float> pairs;  ///< [tokens, tokens, pair width]; the encoder says what its tokens are
};
using VisitFine = std::function<void(std::size_t molecule, const AtomPairFeatures& features)>;

/// One molecule made ready for the network, on its own: nothing in it depends on the batch it will be in.
class FeaturisedMolecule {
 public:
  virtual ~FeaturisedMolecule() = default;
  /// What the molecule costs by itself; batches are packed by this.
  virtual memory::ItemSize size() const = 0;
  /// Atoms of the molecule that the encoder leaves out because it takes only so many; they are reported.
  virtual std::size_t atoms_left_out() const { return 0; }
};

/// Turns molecules into rows of `width()` float32 numbers.
///
/// Thread safety: every method is const and may be called from several threads at once.
class Encoder {
 public:
  virtual ~Encoder() = default;

  virtual EncoderIdentity identity() const = 0;
  virtual std::size_t width() const = 0;
  /// What chem::perceive has to fill in for featurise().
  virtual chem::Perception perception() const = 0;
  /// Of an encoder of atoms in space: whether it takes the places of a drawing for a molecule that cannot be
  /// embedded. Such a molecule fails otherwise.
  virtual bool takes_drawings() const { return true; }

  virtual std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const = 0;

  // What molecules cost: batches are packed, planned and made smaller by these.

  /// What a molecule costs, estimated before it is featurised: never less than FeaturisedMolecule::size().
  virtual memory::ItemSize estimate(const MoleculeSize& molecule) const {
    return {.tokens = molecule.atoms, .pairs = molecule.edges};
  }
  /// What molecules cost together in one batch.
  virtual memory::Cost cost(std::span<const memory::ItemSize> batch) const {
    return memory::packed_cost(batch);
  }
  /// The most pairs that molecules of so many tokens altogether have, the largest of which is `largest`.
  /// Directed edges of organic molecules: 2.1 an atom, 2.6 in cages.
  virtual std::uint64_t most_pairs(std::uint64_t tokens, const memory::ItemSize& /*largest*/) const {
    return tokens * 5 / 2;
  }
  /// How long a batch of this cost takes, in the time of one token: only ratios between batches count.
  virtual double time_in_tokens(const memory::Cost& cost) const { return static_cast<double>(cost.padded); }

  /// Bytes on the host that featurised molecules of this size take, at most; of several, their sizes added
  /// up.
  virtual std::uint64_t featurised_bytes(const memory::ItemSize& size) const = 0;

  /// Bytes on the host that featurise() takes at its peak beside its result, in one thread, for a molecule of
  /// this size, at most.
  virtual std::uint64_t featurising_bytes(const memory::ItemSize& size) const = 0;

  /// Encodes a batch: row i of `rows` (row-major [batch.size(), width()]) is molecule i. Rows do not depend
  /// on the rest of the batch beyond 1e-5. Only takes what this encoder's featurise() made.
  virtual void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const = 0;

  // Features of atoms and of pairs, for encoders that have them.

  /// The ones that the encoder was made to give; encode() takes as much memory as encode_finely(), then.
  virtual AtomPairChoice fine() const { return {}; }
  /// Numbers of a pair.
  virtual std::size_t pair_width() const { return 0; }
  /// Bytes of the features of one molecule of this size, at most.
  virtual std::uint64_t fine_bytes(const memory::ItemSize& /*size*/) const { return 0; }
  /// As encode(), with the same rows, and calls `visit` for each molecule in the order of the batch. The
  /// features are gone when it returns.
  virtual void encode_finely(std::span<const FeaturisedMolecule* const> /*batch*/, std::span<float> /*rows*/,
                             const VisitFine& /*visit*/) const {
    throw std::logic_error("Encoder::encode_finely: this encoder has no features of atoms and of pairs");
  }

  // For planning memory (models/encoders/encoding_step.h).

  /// Where encode() makes its tensors: on a GPU, or on the CPU.
  virtual bool is_on_gpu() const { return false; }
  virtual std::uint64_t parameter_bytes() const { return 0; }
  /// Tokens in a batch from which on larger ones are no faster; 0: no such number.
  virtual std::size_t full_speed_tokens() const { return 0; }
  /// A made-up molecule that takes the memory a real one of this size does; null where encode() makes no
  /// tensors.
  virtual std::unique_ptr<FeaturisedMolecule> stand_in(const memory::ItemSize& /*size*/) const {
    return nullptr;
  }
};

}  // namespace headroom::encoders
