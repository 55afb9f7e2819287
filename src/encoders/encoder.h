#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "chem/molecule.h"
#include "chem/perception.h"

namespace headroom::encoders {

/// What decides an encoder's numbers, and so which rows of the feature store are its own.
struct EncoderIdentity {
  std::string encoder;         ///< "minimol"
  std::string weights_sha256;  ///< of the tensors file; empty for encoders without weights
  std::string options;         ///< everything else that changes the result, e.g. "precision=fp32;gauge=pivot"
};

/// One molecule made ready for the network, on its own: nothing in it depends on the batch it will be in.
class FeaturisedMolecule {
 public:
  virtual ~FeaturisedMolecule() = default;
  /// What the molecule costs in a batch; batches are packed by this.
  virtual std::size_t atom_count() const = 0;
  /// Directed edges: what it costs besides, for planning.
  virtual std::size_t edge_count() const { return 0; }
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

  virtual std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const = 0;

  /// Bytes on the host that a featurised molecule of so many atoms and directed edges takes, at most.
  virtual std::uint64_t featurised_bytes(std::size_t atoms, std::size_t edges) const = 0;

  /// Bytes on the host that featurise() takes at its peak beside its result, in one thread, for a molecule of
  /// so many atoms and directed edges, at most.
  virtual std::uint64_t featurising_bytes(std::size_t atoms, std::size_t edges) const = 0;

  /// Encodes a batch: row i of `rows` (row-major [batch.size(), width()]) is molecule i. Rows do not depend
  /// on the rest of the batch beyond 1e-5. Only takes what this encoder's featurise() made.
  virtual void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const = 0;

  // For planning memory (encoders/encoding_step.h).

  /// Where encode() makes its tensors: on a GPU, or on the CPU.
  virtual bool is_on_gpu() const { return false; }
  virtual std::uint64_t parameter_bytes() const { return 0; }
  /// Atoms in a batch from which on larger ones are no faster; 0: no such number.
  virtual std::size_t full_speed_atoms() const { return 0; }
  /// A made-up molecule that takes the memory a real one of this size does; null where encode() makes no
  /// tensors.
  virtual std::unique_ptr<FeaturisedMolecule> stand_in(std::size_t /*atoms*/,
                                                       std::size_t /*directed_edges*/) const {
    return nullptr;
  }
};

}  // namespace headroom::encoders
