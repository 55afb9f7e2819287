// Options of `molgauge train` and of the method "energy-head" in a specification. The config.json of a run
// folder contains their values.

#include "base/options/run_rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using R = TrainRequest;

constexpr Condition only_with_loss(std::string_view loss, std::string_view remark) {
  return {.option = "loss", .values = {loss}, .remark = remark};
}
constexpr Condition kDpo = only_with_loss("dpo", "it belongs to the loss dpo");
constexpr Condition kHinge = only_with_loss("hinge", "it belongs to the loss hinge");
constexpr Condition kOwnMolecules = {.option = "ood",
                                     .remark = "it is for a file of molecules in place of a benchmark"};
constexpr Condition kBenchmark = {.option = "ood", .is_wanted = false, .remark = "it belongs to a benchmark"};
constexpr Condition kDrawing = {
    .option = "splits-cache", .is_wanted = false, .remark = "no molecules are drawn"};

constexpr Condition kTunable = {
    .option = "encoder", .values = {"unimol"}, .remark = "only the layers of unimol can be trained"};
constexpr Condition kTuning = {.option = "finetune-encoder",
                               .remark = "it belongs to the training of the encoder's layers"};

constexpr ConfigKey optional_key(std::string_view name) { return {.name = name, .may_be_missing = true}; }

/// An option on which the trained head depends. `key` is the key in config.json. If `label` is empty, `key`
/// is also the label.
constexpr Option trained(Option row, std::string_view key, std::string_view label = {}) {
  row.specification = {Section::method};
  row.config = {key};
  row.identity = {Part::training, label.empty() ? key : label};
  return row;
}

constexpr std::array kMolecules = {
    benchmark_row<R>(),
    data_path_row<R>({kBenchmark}),
    Option{.name = "ood",
           .field = field<R, &R::ood>,
           .group = Group::input,
           .help = "Known foreign molecules: a file, or nci (the NCI molecules of rdkit-data). BENCHMARK "
                   "then contains your own molecules",
           .is_common = true,
           .is_in_plan = true,
           .excludes = {"splits-cache"},
           .files = {.does = FileUse::Does::reads},
           .config = optional_key("ood_file")},
    Option{.name = "smiles-column",
           .field = field<R, &R::smiles_column>,
           .group = Group::input,
           .help = "With --ood: SMILES column of your own molecules",
           .is_in_plan = true,
           .conditions = {kOwnMolecules},
           .config = optional_key("smiles_column")},
    Option{.name = "ood-smiles-column",
           .field = field<R, &R::ood_smiles_column>,
           .group = Group::input,
           .help = "With --ood: SMILES column of the foreign molecules",
           .is_in_plan = true,
           .conditions = {kOwnMolecules},
           .config = optional_key("ood_smiles_column")},
    Option{.name = "ood-similarity",
           .field = field<R, &R::ood_similarity>,
           .group = Group::input,
           .help = "With --ood: leave out foreign molecules with at least this ECFP Tanimoto similarity to "
                   "one of your own molecules",
           .is_in_plan = true,
           .range = above(0, 1),
           .conditions = {kOwnMolecules},
           .config = optional_key("ood_similarity")},
    Option{.name = "splits-cache",
           .field = field<R, &R::splits_cache>,
           .group = Group::input,
           .help = "Use the drawn molecules in this JSON cache of the Python project",
           .files = {.does = FileUse::Does::reads},
           .config = optional_key("splits_cache_file")},
    data_seed_row<R>(),
    dataset_type_row<R>({kBenchmark, kDrawing})};

constexpr auto kRun = joined(run_rows<R>(), std::array{encoder_row<R>({"foundation_model"}),
                                                       features_row<R>(optional_key("features"))});

constexpr std::array kLoss = {
    trained(Option{.name = "loss",
                   .field = field<R, &R::loss>,
                   .group = Group::training,
                   .help = "dpo (pairwise preference), bce, mse or hinge (pairwise margin)",
                   .is_common = true,
                   .is_in_plan = true},
            "loss_type", "loss"),
    trained(Option{.name = "dpo-beta",
                   .field = field<R, &R::dpo_beta>,
                   .group = Group::training,
                   .help = "dpo: inverse temperature of a pair",
                   .range = above(0, 1e6),
                   .conditions = {kDpo}},
            "dpo_beta"),
    trained(Option{.name = "hinge-margin",
                   .field = field<R, &R::hinge_margin>,
                   .group = Group::training,
                   .help = "hinge: margin between the energies of an OOD and an ID molecule",
                   .range = real(-1e6, 1e6),
                   .conditions = {kHinge}},
            "hinge_margin"),
    trained(Option{.name = "hinge-topk",
                   .field = field<R, &R::hinge_topk>,
                   .group = Group::training,
                   .help = "hinge: share of the hardest pairs to keep, in (0, 1]. 0 keeps all",
                   .range = real(0, 1),
                   .conditions = {kHinge}},
            "hinge_topk"),
    trained(Option{.name = "hinge-squared",
                   .field = field<R, &R::hinge_squared>,
                   .group = Group::training,
                   .help = "hinge: square the loss of each pair",
                   .conditions = {kHinge}},
            "hinge_squared"),
    trained(Option{.name = "lambda-reg",
                   .field = field<R, &R::lambda_reg>,
                   .group = Group::training,
                   .help = "Weight of the penalty on squared energies",
                   .range = real(0, 1e6)},
            "lambda_reg")};

constexpr std::array kTraining = {
    trained(Option{.name = "hidden-dim",
                   .field = field<R, &R::hidden_dim>,
                   .group = Group::model,
                   .help = "Width of the first hidden layer of the head",
                   .is_in_plan = true,
                   .range = whole(2, 65'536),
                   .unit = "numbers"},
            "hidden_dim"),
    trained(Option{.name = "dropout",
                   .field = field<R, &R::dropout>,
                   .group = Group::model,
                   .help = "Dropout rate after each hidden layer, in [0, 1)",
                   .is_in_plan = true,
                   .range = below(0, 1)},
            "dropout"),
    Option{.name = "epochs",
           .field = field<R, &R::epochs>,
           .group = Group::training,
           .help = "Maximum number of epochs",
           .is_common = true,
           .range = kRounds,
           .unit = "epochs",
           .specification = {Section::method},
           .config = {"epochs"},
           .identity = {Part::length, "epochs"}},
    trained(Option{.name = "batch-size",
                   .field = field<R, &R::batch_size>,
                   .group = Group::training,
                   .help = "Molecules per side and step. The loss compares all their pairs",
                   .is_common = true,
                   .is_in_plan = true,
                   .range = kBatch,
                   .unit = "molecules"},
            "batch_size"),
    trained(Option{.name = "eval-batch-size",
                   .field = field<R, &R::eval_batch_size>,
                   .group = Group::memory,
                   .help = "Molecules per side and batch in validation",
                   .is_in_plan = true,
                   .range = kBatch,
                   .unit = "molecules"},
            "eval_batch_size"),
    trained(Option{.name = "lr",
                   .field = field<R, &R::learning_rate>,
                   .group = Group::training,
                   .help = "Learning rate of AdamW, multiplied by 0.9 every 10 epochs",
                   .is_common = true,
                   .range = above(0, 1'000)},
            "lr", "learning_rate"),
    trained(Option{.name = "weight-decay",
                   .field = field<R, &R::weight_decay>,
                   .group = Group::training,
                   .help = "Decoupled weight decay of AdamW",
                   .range = real(0, 1'000)},
            "weight_decay"),
    trained(Option{.name = "grad-clip",
                   .field = field<R, &R::grad_clip>,
                   .group = Group::training,
                   .help = "Maximum gradient norm for clipping. 0 turns clipping off",
                   .range = real(0, 1e9)},
            "grad_clip"),
    trained(Option{.name = "eval-steps",
                   .field = field<R, &R::eval_steps>,
                   .group = Group::training,
                   .help = "Steps between validations. 0 validates only at the end of an epoch",
                   .range = whole(0, 1'000'000'000),
                   .unit = "steps"},
            "eval_steps"),
    Option{.name = "patience",
           .field = field<R, &R::patience>,
           .group = Group::training,
           .help = "Stop after this many epochs without a better validation AUROC",
           .is_common = true,
           .range = kRounds,
           .unit = "epochs",
           .specification = {Section::method},
           .config = {"early_stopping_patience"},
           .identity = {Part::length, "patience"}},
    trained(Option{.name = "early-stopping",
                   .field = field<R, &R::early_stopping>,
                   .group = Group::training,
                   .help = "plain, or reference (the counter of the Python project, which stops one epoch "
                           "earlier after an improvement)"},
            "early_stopping"),
    Option{.name = "seed",
           .field = field<R, &R::seed>,
           .group = Group::training,
           .help = "Seed of weights, dropout and training pairs",
           .is_common = true,
           .range = kSeed,
           .config = {"seed"},
           .identity = {Part::training, "seed"}},
    Option{.name = "seeds",
           .field = field<R, &R::seeds>,
           .group = Group::training,
           .help = "Number of runs, with consecutive seeds from --seed. score reports their mean and spread",
           .is_common = true,
           .range = whole(1, 1'000),
           .unit = "runs"}};

constexpr std::array kEncoderTuning = {
    Option{.name = "finetune-encoder",
           .field = field<R, &R::finetune_encoder>,
           .group = Group::fine_tuning,
           .help = "Train the last layers of the encoder together with the head (unimol). The frozen layers "
                   "run once per molecule, on the CPU",
           .is_common = true,
           .is_in_plan = true,
           .conditions = {kTunable},
           .specification = {Section::method},
           .config = optional_key("finetune_encoder"),
           .identity = {Part::training, "finetune_encoder"}},
    Option{.name = "freeze-layers",
           .field = field<R, &R::freeze_layers>,
           .group = Group::fine_tuning,
           .help = "With --finetune-encoder: frozen layers as numbers and inclusive ranges (0-12 are 13 "
                   "layers), or none. Any frozen layer also freezes the embedding and the distance kernels",
           .is_in_plan = true,
           .conditions = {kTunable, kTuning},
           .specification = {Section::method},
           .config = optional_key("freeze_layers"),
           .identity = {Part::training, "freeze_layers"}},
    Option{.name = "encoder-lr",
           .field = field<R, &R::encoder_lr>,
           .group = Group::fine_tuning,
           .help = "With --finetune-encoder: learning rate of AdamW for the encoder, multiplied by 0.9 every "
                   "10 epochs",
           .range = above(0, 1'000),
           .conditions = {kTunable, kTuning},
           .specification = {Section::method},
           .config = optional_key("encoder_lr"),
           .identity = {Part::training, "encoder_lr"}}};

constexpr std::array kMemorySaving = {
    Option{.name = "gradient-accumulation",
           .field = field<R, &R::gradient_accumulation>,
           .group = Group::memory,
           .help = "Number of parts per training step, or auto (as many as the memory requires). The result "
                   "stays the same",
           .is_in_plan = true,
           .range = kBatch,
           .unit = "parts",
           .choices = {"auto"},
           .specification = {Section::method},
           .config = optional_key("gradient_accumulation")},
    Option{.name = "checkpoint-activations",
           .field = field<R, &R::checkpoint_activations>,
           .group = Group::memory,
           .help = "Recompute activations in the backward pass: auto (if the plan needs it or memory runs "
                   "out), on or off. The result stays the same",
           .is_in_plan = true,
           .specification = {Section::method},
           .config = optional_key("checkpoint_activations")},
    Option{.name = "autocast",
           .field = field<R, &R::autocast>,
           .group = Group::memory,
           .help = "Number format of products and activations: off (float32), bf16, or fp16 (GPU, with loss "
                   "scaling)",
           .is_in_plan = true,
           .specification = {Section::method},
           .config = optional_key("autocast"),
           .identity = {Part::training, "autocast"}},
    Option{
        .name = "optimizer-state",
        .field = field<R, &R::optimizer_state>,
        .group = Group::memory,
        .help = "Number format of the moments of AdamW: fp32, or bf16 (half the memory, stochastic rounding)",
        .is_in_plan = true,
        .specification = {Section::method},
        .config = optional_key("optimizer_state"),
        .identity = {Part::training, "optimizer_state"}},
    Option{.name = "empty-cache",
           .field = field<R, &R::empty_cache>,
           .group = Group::memory,
           .help = "GPU: release cached memory if memory runs out (auto), also after each epoch (epoch), or "
                   "never (never)",
           .is_in_plan = true,
           .specification = {Section::method}}};

constexpr std::array kFiles = {strict_row<R>({"strict"}),
                               spreadsheet_row<R>(),
                               store_row<R>(),
                               weights_row<R>(),
                               precision_row<R>(optional_key("precision")),
                               random_weights_row<R>(optional_key("random_weights"))};

constexpr auto kTable = joined(
    kMolecules, size_rows<R>({kBenchmark, kDrawing}), std::array{allow_overlap_row<R>({kBenchmark})}, kRun,
    kLoss, kTraining, kEncoderTuning, kMemorySaving, placement_rows<R>(/*in_config=*/true), kFiles,
    compute_rows<R>({"threads", "precision", "gradient-accumulation", "checkpoint-activations"}));

}  // namespace

template <>
std::span<const Option> table<TrainRequest>() {
  return kTable;
}

}  // namespace molgauge::options
