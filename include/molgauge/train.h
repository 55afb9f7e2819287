#pragma once

#include <optional>
#include <vector>

#include "molgauge/benchmark_draw.h"
#include "molgauge/choices.h"
#include "molgauge/conformers.h"
#include "molgauge/types.h"
#include "molgauge/validation_test_gap.h"

namespace molgauge {

struct TrainReport;

/// Parameters of the losses.
struct LossParameters {
  double dpo_beta = 0.1;  ///< for the loss dpo: inverse temperature of a pair, > 0
  /// For the loss hinge: margin between the energies of an OOD and an ID molecule.
  double hinge_margin = 1.0;
  double hinge_topk = 0.0;  ///< for the loss hinge: share of the hardest pairs that count. 0 means all pairs
  bool hinge_squared = false;
  double lambda_reg = 0.01;  ///< weight of the penalty mean(a^2) + mean(b^2) on the energies, >= 0
};

/// Parameters of the training of an energy head.
struct HeadTraining {
  std::size_t hidden_dim = 256;  ///< width of the first hidden layer; even
  double dropout = 0.1;

  /// Maximum number of epochs. The published program has 50 and a patience of 10. Most heads were still
  /// improving after 50 epochs (docs/results/detection.md).
  std::size_t epochs = 500;
  std::size_t batch_size = 512;       ///< a step uses B ID rows and B OOD rows, and compares all B x B pairs
  std::size_t eval_batch_size = 256;  ///< batch size of the evaluation
  double learning_rate = 1e-4;
  double weight_decay = 1e-5;
  double grad_clip = 1.0;  ///< largest L2 norm of the gradient. 0 means no limit
  /// Optimizer steps between two evaluations. If 0, evaluations are only at the end of an epoch.
  std::size_t eval_steps = 100;
  std::size_t patience = 20;  ///< epochs without an improvement, after which the training stops
  std::uint64_t seed = 38;    ///< seed of the initial parameters, the dropout and the training pairs
};

/// Options for training the last layers of an encoder together with the head.
struct EncoderTuning {
  bool finetune_encoder = false;
  /// The frozen layers, as numbers and inclusive ranges such as "0-12", or "none". If any layer is frozen,
  /// the parameters before the first layer are frozen, too.
  std::string freeze_layers = "0-12";
  double encoder_lr = 5e-6;  ///< learning rate of AdamW for the encoder
};

/// `molgauge train`: trains an energy head on the features of a benchmark. The encoder is frozen unless
/// `finetune_encoder` is set. The defaults follow the published program (Mole-PAIR), except for the length of
/// the training.
struct TrainRequest : BenchmarkDraw, LossParameters, HeadTraining, EncoderTuning {
  using Report = TrainReport;

  /// A benchmark in DrugOOD JSON, or the name of a data set in `data_path`. If `ood` is set, a file with your
  /// own molecules, which are the in-distribution molecules.
  std::string benchmark;
  /// The out-of-distribution molecules: a file, or "nci" for the NCI molecules of rdkit-data. Molgauge then
  /// creates a benchmark from `benchmark` and `ood` in the run folder. If empty, `benchmark` is already a
  /// benchmark.
  std::string ood;
  /// SMILES columns of `benchmark` and `ood`.
  std::string smiles_column = "smiles", ood_smiles_column = "smiles";
  /// Molecules of `ood` with at least this Tanimoto similarity to one of your own molecules are left out.
  double ood_similarity = 0.7;
  std::string data_path;  ///< folder of the named data sets
  std::string run;        ///< run folder
  std::string encoder = "minimol";
  std::string store, weights;       ///< folders, as in EncodeRequest
  std::string features = "native";  ///< native (encoded here), imported:NAME (molgauge store import)
  PlacementOptions placement;
  /// A JSON cache of the Python project with drawn molecules. If set, these molecules are used, and no
  /// molecules are drawn from the benchmark.
  std::string splits_cache;

  Loss loss = Loss::dpo;
  EarlyStoppingRule early_stopping = EarlyStoppingRule::plain;
  std::string gradient_accumulation = "auto";  ///< number of parts of a training step, or auto
  Checkpointing checkpoint_activations = Checkpointing::automatic;
  Autocast autocast = Autocast::off;
  MomentType optimizer_state = MomentType::fp32;
  EmptyCache empty_cache = EmptyCache::after_out_of_memory;
  /// Number of runs. If above 1, the runs have the seeds `seed`, `seed` + 1, ... and their own folders within
  /// `run`.
  std::size_t seeds = 1;
  bool resume = true;  ///< continue from the last checkpoint in the run folder, if it has one
  bool strict = false;
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

/// The result for one of several seeds.
struct SeedReport {
  std::uint64_t seed = 0;
  std::size_t epochs_run = 0, best_epoch = 0;  ///< best_epoch: counted from 0
  double best_auroc = 0;
};

struct TrainReport {
  std::size_t epochs_run = 0;
  std::size_t best_epoch = 0;  ///< 0-based
  /// Validation AUROC of the best epoch. For several seeds, the validation AUROC of their mean energies.
  double best_auroc = 0;
  std::vector<SeedReport> seeds;  ///< one entry for each seed; empty for a single run
  /// AUROC of the best model on the validation and the test molecules. For several seeds, the mean over the
  /// seeds. Not set if the test molecules could not be scored.
  std::optional<ValidationTestGap> validation_test_gap;
  bool stopped_early = false;
  bool resumed = false;
  std::size_t failed_records = 0;      ///< failed molecules, which are in none of the parts
  std::vector<FailedMolecule> failed;  ///< at most the first 1,000 failed molecules. failed.csv has all of
                                       ///< them
  std::size_t oom_recoveries = 0;      ///< number of recoveries from out-of-memory errors
  /// Rows in memory at the same time: planned, and used at the end.
  std::size_t batch_size_planned = 0, batch_size_used = 0;
  std::vector<PhaseReport> phases;
};

}  // namespace molgauge
