#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "base/memory/plan/cost.h"
#include "molecules/chem/molecule.h"
#include "molecules/chem/perception.h"
#include "molgauge/choices.h"

namespace molgauge::encoders {

/// Identifies the results of an encoder. The identity selects the table of the feature store.
struct EncoderIdentity {
  std::string encoder;         ///< "minimol"
  std::string weights_sha256;  ///< hash of the tensors file; empty for encoders without weights
  std::string options;         ///< other settings that affect the result, for example
                               ///< "precision=fp32;gauge=pivot"
  /// Describes random weights, for example "random numbers, seed 7". The text is also part of `options`, and
  /// is empty for trained weights.
  std::string random_weights = {};
};

/// The size of a molecule.
struct MoleculeSize {
  std::size_t atoms = 1;
  std::size_t edges = 0;  ///< directed edges: two for each bond
  bool operator==(const MoleculeSize&) const = default;
};

/// Which atom and pair features to compute in addition to the row of a molecule.
struct AtomPairChoice {
  bool atoms = false, pairs = false;
  bool any() const { return atoms || pairs; }
};

/// Atom and pair features of one molecule, row-major. The spans are empty if they were not requested.
struct AtomPairFeatures {
  std::span<const float> atoms;  ///< [atoms, width]
  std::span<const float> pairs;  ///< [tokens, tokens, pair width]; each encoder defines its tokens
};
using VisitFine = std::function<void(std::size_t molecule, const AtomPairFeatures& features)>;

/// The featurised input of one molecule. It does not depend on the batch.
class FeaturisedMolecule {
 public:
  virtual ~FeaturisedMolecule() = default;
  /// The cost of the molecule, used to pack batches.
  virtual memory::ItemSize size() const = 0;
  /// Number of atoms that the encoder leaves out because the molecule exceeds the atom limit of the encoder.
  /// Commands report this number.
  virtual std::size_t atoms_left_out() const { return 0; }
};

/// Encodes molecules as rows of `width()` float32 numbers.
///
/// Thread safety: every method is const and may be called from several threads at once.
class Encoder {
 public:
  virtual ~Encoder() = default;

  virtual EncoderIdentity identity() const = 0;
  virtual std::size_t width() const = 0;
  /// The properties that chem::perceive must compute for featurise().
  virtual chem::Perception perception() const = 0;
  /// Returns true if an encoder of 3D coordinates uses 2D coordinates for molecules that cannot be embedded.
  /// Otherwise these molecules fail.
  virtual bool takes_drawings() const { return true; }
  /// The engine that generates the conformers of an encoder of 3D coordinates.
  virtual ConformerEngine conformer_engine() const { return ConformerEngine::exact; }

  virtual std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const = 0;

  // Costs of molecules. Batches are packed, planned and reduced with these functions.

  /// An estimate of the cost before featurisation. At least FeaturisedMolecule::size().
  virtual memory::ItemSize estimate(const MoleculeSize& molecule) const {
    return {.tokens = molecule.atoms, .pairs = molecule.edges};
  }
  /// The cost of a batch.
  virtual memory::Cost cost(std::span<const memory::ItemSize> batch) const {
    return memory::packed_cost(batch);
  }
  /// An upper bound of the total ItemSize::pairs of many molecules that have this total number of tokens.
  /// `largest`: size of the largest molecule. Organic molecules have 2.1 directed edges for each atom on
  /// average. A list of only cages can exceed the bound, because cages have 2.6 and more.
  virtual std::uint64_t most_pairs(std::uint64_t tokens, const memory::ItemSize& /*largest*/) const {
    return tokens * 5 / 2;
  }
  /// The relative time of a batch of this cost. The unit is the time of one token. Only ratios matter.
  virtual double time_in_tokens(const memory::Cost& cost) const { return static_cast<double>(cost.padded); }

  /// An upper bound of the host bytes of a featurised molecule of this size. For several molecules, pass the
  /// sum of their sizes.
  virtual std::uint64_t featurised_bytes(const memory::ItemSize& size) const = 0;

  /// An upper bound of the peak host bytes of featurise() in one thread, excluding its result.
  virtual std::uint64_t featurising_bytes(const memory::ItemSize& size) const = 0;

  /// Encodes a batch: row i of `rows` (row-major [batch.size(), width()]) is molecule i. The other molecules
  /// of the batch change a row by at most 1e-5. The molecules must be results of featurise() of this encoder.
  virtual void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const = 0;

  // Atom and pair features, for encoders that have them.

  /// The features that were requested at construction. If there are any, encode() needs as much memory as
  /// encode_finely().
  virtual AtomPairChoice fine() const { return {}; }
  /// The width of the pair features.
  virtual std::size_t pair_width() const { return 0; }
  /// An upper bound of the bytes of the atom and pair features of a molecule of this size.
  virtual std::uint64_t fine_bytes(const memory::ItemSize& /*size*/) const { return 0; }
  /// Encodes like encode(), and calls `visit` for each molecule in the order of the batch. The features are
  /// valid only during this call of `visit`.
  virtual void encode_finely(std::span<const FeaturisedMolecule* const> /*batch*/, std::span<float> /*rows*/,
                             const VisitFine& /*visit*/) const {
    throw std::logic_error("Encoder::encode_finely: this encoder has no features of atoms and of pairs");
  }

  // Memory planning (molecules/encoders/encoding_step.h).

  /// Returns true if encode() allocates its tensors on a GPU.
  virtual bool is_on_gpu() const { return false; }
  virtual std::uint64_t parameter_bytes() const { return 0; }
  /// Returns the number of tokens above which larger batches are not faster, or 0 if there is no such limit.
  virtual std::size_t full_speed_tokens() const { return 0; }
  /// Returns a synthetic molecule that needs as much memory as a real molecule of this size, or null if
  /// encode() allocates no tensors.
  virtual std::unique_ptr<FeaturisedMolecule> stand_in(const memory::ItemSize& /*size*/) const {
    return nullptr;
  }
};

}  // namespace molgauge::encoders
