#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"
#include "molgauge/types.h"

namespace molgauge {

struct PocketTrainReport;

/// The encoder of RNA binding pockets. The defaults follow the published program, except for `multi_hop`,
/// `nonbonded`, `gate` and `layer_norm`, which are off by default in that program.
struct PocketEncoderOptions {
  std::string hidden_irreps = "32x0e + 16x1o + 8x2e";
  std::size_t num_layers = 4, feature_hidden_dim = 64, num_radial_basis = 8;
  bool multi_hop = true;  ///< send messages along angles and dihedrals
  bool nonbonded = true;  ///< send messages between pairs that are not bonded
  bool gate = true, layer_norm = true;
  /// If not set, `heads` is used if the encoder is V3 and has several attention heads, otherwise `attention`.
  std::optional<Pooling> pooling = {};
  double dropout = 0.1;

  bool v3 = false;  ///< use version 3 of the encoder instead of version 2, the published version
  bool enhanced_invariants = false, improved_layers = false;
  StreamNorm norm = StreamNorm::layer;
  std::size_t attention_heads = 4;
  double angle_weight = 0.5, dihedral_weight = 0.5, nonbonded_weight = 0.5;

  /// Use the published layer norm. The rows then change if a pocket is rotated.
  bool reference_compatible = false;
};

/// `molgauge pocket train`: trains an encoder whose pocket features are close to the features of the ligands.
struct PocketTrainRequest {
  using Report = PocketTrainReport;

  std::string graphs;   ///< graph set (molgauge pocket build)
  std::string ligands;  ///< feature rows by complex or by ligand code: .h5, .npz, .safetensors
  std::string run;      ///< run folder
  /// JSON with the lists train, val and test. If empty, the pockets are split at random, and the split is
  /// stored in the run folder.
  std::string splits;
  SplitUnit split_by = SplitUnit::complex;
  double train_ratio = 0.8, val_ratio = 0.1;
  bool allow_overlap = false;  ///< accept models of one complex in several parts of `splits`

  PocketEncoderOptions encoder;

  PocketLoss loss = PocketLoss::cosine;
  double cosine_weight = 0.7, mse_weight = 0.3, temperature = 0.07;
  /// Weight of the energies of the pockets in the reported loss. It does not affect the trained parameters.
  double physics_weight = 0;
  bool physics_nonbonded = false;

  std::size_t epochs = 300, batch_size = 2, accumulation_steps = 1, patience = 100;
  double learning_rate = 2e-4, weight_decay = 1e-6;
  Optimizer optimizer = Optimizer::adamw;
  RateSchedule scheduler = RateSchedule::plateau;
  double grad_clip = 1.0;  ///< maximum L2 norm of the gradient. 0 selects the default of the loss
  bool monitor_gradients = false;
  Checkpointing checkpoint_activations = Checkpointing::automatic;
  Autocast autocast = Autocast::off;
  std::size_t loader_threads = 1;
  /// For training in several processes (RANK and WORLD_SIZE in the environment): timeout in seconds for
  /// joining the process group, and for the heartbeats of each process.
  std::size_t process_timeout = 120;
  std::size_t save_every = 3;  ///< number of epochs between two kept checkpoints

  std::uint64_t seed = 42;
  bool resume = true;
  ComputeOptions compute;
};

struct PocketTrainReport {
  std::size_t train = 0, validation = 0, test = 0;  ///< numbers of pockets
  std::size_t left_out = 0;                         ///< number of pockets without a ligand row or a graph
  std::size_t epochs_run = 0, best_epoch = 0;       ///< best_epoch: counted from 0
  double best_validation_loss = 0, best_validation_cosine = 0;
  bool stopped_early = false, resumed = false;
  std::size_t oom_recoveries = 0;
  double seconds = 0;
  /// `rank` of this process among all `processes` of the training. Only rank 0 writes the run folder.
  std::size_t rank = 0, processes = 1;
  std::vector<PhaseReport> phases;  ///< phases of this process
};

}  // namespace molgauge
