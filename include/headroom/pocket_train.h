#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headroom/choices.h"
#include "headroom/types.h"

namespace headroom {

struct PocketTrainReport;

/// The encoder of RNA binding pockets. Defaults are those of the published program, but for the switches that
/// it has off.
struct PocketEncoderOptions {
  std::string hidden_irreps = "32x0e + 16x1o + 8x2e";
  std::size_t num_layers = 4, feature_hidden_dim = 64, num_radial_basis = 8;
  bool multi_hop = true;  ///< messages along angles and dihedrals
  bool nonbonded = true;  ///< messages between pairs that are not bonded
  bool gate = true, layer_norm = true;
  std::optional<Pooling> pooling = {};  ///< none: heads for V3 with several heads, else attention
  double dropout = 0.1;

  bool v3 = false;  ///< the published program's V3 in place of V2
  bool enhanced_invariants = false, improved_layers = false;
  StreamNorm norm = StreamNorm::layer;
  std::size_t attention_heads = 4;
  double angle_weight = 0.5, dihedral_weight = 0.5, nonbonded_weight = 0.5;

  /// The published layer norm, whose rows depend on how a pocket lies in space.
  bool reference_compatible = false;
};

/// `headroom pocket train`: an encoder that places pockets beside their ligands.
struct PocketTrainRequest {
  using Report = PocketTrainReport;

  std::string graphs;   ///< graph set (headroom pocket build)
  std::string ligands;  ///< rows by complex or ligand code: .h5, .npz, .safetensors
  std::string run;      ///< run folder
  std::string splits;   ///< JSON with the lists train, val, test; empty: drawn, and kept in the run folder
  SplitUnit split_by = SplitUnit::complex;
  double train_ratio = 0.8, val_ratio = 0.1;
  bool allow_overlap = false;  ///< models of one complex in several parts of `splits` are accepted

  PocketEncoderOptions encoder;

  PocketLoss loss = PocketLoss::cosine;
  double cosine_weight = 0.7, mse_weight = 0.3, temperature = 0.07;
  double physics_weight = 0;  ///< adds the energies of the pockets to the losses; they change no parameter
  bool physics_nonbonded = false;

  std::size_t epochs = 300, batch_size = 2, accumulation_steps = 1, patience = 100;
  double learning_rate = 2e-4, weight_decay = 1e-6;
  Optimizer optimizer = Optimizer::adamw;
  RateSchedule scheduler = RateSchedule::plateau;
  double grad_clip = 1.0;  ///< 0: by the loss
  bool monitor_gradients = false;
  Checkpointing checkpoint_activations = Checkpointing::automatic;
  Autocast autocast = Autocast::off;
  std::size_t loader_threads = 1;
  /// Of a training in several processes (RANK and WORLD_SIZE in the environment): seconds in which all must
  /// have come, and without a sign of life after which one counts as lost.
  std::size_t process_timeout = 120;
  std::size_t save_every = 3;  ///< epochs

  std::uint64_t seed = 42;
  bool resume = true;
  ComputeOptions compute;
};

struct PocketTrainReport {
  std::size_t train = 0, validation = 0, test = 0;  ///< pockets
  std::size_t left_out = 0;                         ///< pockets without a ligand's row or without a graph
  std::size_t epochs_run = 0, best_epoch = 0;       ///< best_epoch: 0-based
  double best_validation_loss = 0, best_validation_cosine = 0;
  bool stopped_early = false, resumed = false;
  std::size_t oom_recoveries = 0;
  double seconds = 0;
  std::size_t rank = 0, processes = 1;  ///< that trained together; process 0 alone wrote the run
  std::vector<PhaseReport> phases;      ///< of this process
};

}  // namespace headroom
