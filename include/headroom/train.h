#pragma once

#include <optional>
#include <vector>

#include "headroom/benchmark_draw.h"
#include "headroom/choices.h"
#include "headroom/conformers.h"
#include "headroom/types.h"
#include "headroom/validation_test_gap.h"

namespace headroom {

struct TrainReport;

/// Parameters of the losses.
struct LossParameters {
  double dpo_beta = 0.1;      ///< dpo: inverse temperature of a pair, > 0
  double hinge_margin = 1.0;  ///< margin of the loss hinge, in units of the energy
  double hinge_topk = 0.0;    ///< hinge: only this share of the pairs, the worst ones, counts. 0: all pairs
  bool hinge_squared = false;
  double lambda_reg = 0.01;  ///< weight of the penalty mean(a^2) + mean(b^2), >= 0
};

/// Parameters of the training of an energy head.
struct HeadTraining {
  std::size_t hidden_dim = 256;  ///< width of the first hidden layer; even
  double dropout = 0.1;

  std::size_t epochs = 50;
  std::size_t batch_size = 512;       ///< B ID rows and B OOD rows form B x B pairs
  std::size_t eval_batch_size = 256;  ///< batch size of the evaluation
  double learning_rate = 1e-4;
  double weight_decay = 1e-5;
  double grad_clip = 1.0;        ///< largest L2 norm of the gradient; 0: no limit
  std::size_t eval_steps = 100;  ///< optimizer steps between evaluations within an epoch; 0: none
  std::size_t patience = 10;     ///< epochs
  std::uint64_t seed = 38;       ///< seed of the initial parameters, the dropout and the training pairs
};

/// Training of the last layers of an encoder together with the head.
struct EncoderTuning {
  bool finetune_encoder = false;
  /// Numbers and ranges of frozen layers, such as "0-12", or "none". Both ends of a range are frozen. If any
  /// layer is frozen, the parameters before the first layer are frozen too.
  std::string freeze_layers = "0-12";
  double encoder_lr = 5e-6;  ///< learning rate of AdamW for the encoder
};

/// `headroom train`: trains an energy head on the features of the molecules of a benchmark. The features are
/// frozen unless the last layers of the encoder are trained as well. The defaults are the same as in the
/// published program (Mole-PAIR).
struct TrainRequest : BenchmarkDraw, LossParameters, HeadTraining, EncoderTuning {
  using Report = TrainReport;

  std::string benchmark;  ///< DrugOOD JSON, or the name of a data set in data_path. With `ood`: a file of
                          ///< your molecules
  /// A background library of out-of-distribution molecules: a file, or "nci" for the NCI molecules of
  /// rdkit-data. `benchmark` is then a file of in-distribution molecules, and a benchmark of both is made in
  /// the run folder. Empty: `benchmark` is a benchmark.
  std::string ood;
  std::string smiles_column = "smiles", ood_smiles_column = "smiles";  ///< SMILES columns of the two files
  double ood_similarity =
      0.7;  ///< background molecules with at least this Tanimoto similarity to your molecules are left out
  std::string data_path;  ///< folder in which names of data sets are looked up
  std::string run;        ///< run folder
  std::string encoder = "minimol";
  std::string store, weights;       ///< folders, as in EncodeRequest
  std::string features = "native";  ///< native (encoded here), imported:NAME (headroom store import)
  PlacementOptions placement;
  /// The JSON cache of drawn molecules from the Python project. It is used instead of drawing from the
  /// benchmark.
  std::string splits_cache;

  Loss loss = Loss::dpo;
  EarlyStoppingRule early_stopping = EarlyStoppingRule::plain;
  std::string gradient_accumulation = "auto";  ///< auto, or the number of parts of the rows in a step
  Checkpointing checkpoint_activations = Checkpointing::automatic;
  Autocast autocast = Autocast::off;
  MomentType optimizer_state = MomentType::fp32;
  EmptyCache empty_cache = EmptyCache::after_out_of_memory;
  std::size_t seeds = 1;  ///< if above 1, makes runs with seed, seed + 1, ... in folders within `run`
  bool resume = true;     ///< continue from the last checkpoint in the run folder, if there is one
  bool strict = false;
  /// Write an apostrophe in CSV files before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

/// A run with one of several seeds.
struct SeedReport {
  std::uint64_t seed = 0;
  std::size_t epochs_run = 0, best_epoch = 0;  ///< best_epoch: counted from 0
  double best_auroc = 0;
};

struct TrainReport {
  std::size_t epochs_run = 0;
  std::size_t best_epoch = 0;     ///< 0-based
  double best_auroc = 0;          ///< AUROC on the validation parts. For several seeds, AUROC of the mean
                                  ///< energies
  std::vector<SeedReport> seeds;  ///< one entry for each seed of a run over several seeds
  /// AUROC of the best model on the validation and the test molecules. For several seeds, the means. None if
  /// the test molecules could not be scored.
  std::optional<ValidationTestGap> validation_test_gap;
  bool stopped_early = false;
  bool resumed = false;
  std::size_t failed_records = 0;      ///< molecules that were left out of the parts
  std::vector<FailedMolecule> failed;  ///< the first 1,000 failed molecules, at most. failed.csv has all of
                                       ///< them
  std::size_t oom_recoveries = 0;      ///< times that memory ran out and the work was still finished
  std::size_t batch_size_planned = 0, batch_size_used = 0;  ///< number of rows in memory at the same time
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
