// `headroom train`, the method "energy-head" of a specification, and config.json of its run folders.

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
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

/// An option of a method that the trained head depends on. An empty `label` is the key.
constexpr Option trained(Option row, std::string_view key, std::string_view label = {}) {
  row.specification = {Section::method};
  row.config = {key};
  row.identity = {Part::training, label.empty() ? key : label};
  return row;
}

constexpr std::array kMolecules = {
    benchmark_row<R>(),
    data_path_row<R>({kBenchmark}),
    Option{
        .name = "ood",
        .field = field<R, &R::ood>,
        .help =
            "Molecules out of distribution, any molecule file, or nci (the NCI molecules of rdkit-data): "
            "BENCHMARK is then a file of molecules in distribution, and a benchmark of both is made in the "
            "run folder",
        .is_common = true,
        .is_in_plan = true,
        .excludes = {"splits-cache"},
        .files = {.does = FileUse::Does::reads},
        .config = optional_key("ood_file")},
    Option{.name = "smiles-column",
           .field = field<R, &R::smiles_column>,
           .help = "With --ood: column of a .csv or .tsv in place of BENCHMARK that holds the SMILES",
           .is_in_plan = true,
           .conditions = {kOwnMolecules},
           .config = optional_key("smiles_column")},
    Option{.name = "ood-smiles-column",
           .field = field<R, &R::ood_smiles_column>,
           .help = "With --ood: column of a .csv or .tsv of --ood that holds the SMILES",
           .is_in_plan = true,
           .conditions = {kOwnMolecules},
           .config = optional_key("ood_smiles_column")},
    Option{
        .name = "ood-similarity",
        .field = field<R, &R::ood_similarity>,
        .help =
            "With --ood: background molecules are left out whose ECFP Tanimoto similarity to a molecule in "
            "distribution is that or more",
        .is_in_plan = true,
        .range = above(0, 1),
        .conditions = {kOwnMolecules},
        .config = optional_key("ood_similarity")},
    Option{.name = "splits-cache",
           .field = field<R, &R::splits_cache>,
           .help = "The Python project's cache of drawn molecules (JSON): use these, draw none",
           .files = {.does = FileUse::Does::reads},
           .config = optional_key("splits_cache_file")},
    data_seed_row<R>(),
    dataset_type_row<R>({kBenchmark, kDrawing})};

constexpr auto kRun = joined(run_rows<R>(), std::array{encoder_row<R>({"foundation_model"}),
                                                       features_row<R>(optional_key("features"))});

constexpr std::array kLoss = {
    trained(Option{.name = "loss",
                   .field = field<R, &R::loss>,
                   .help = "dpo (pairwise preference), bce, mse or hinge (pairwise margin)",
                   .is_common = true,
                   .is_in_plan = true},
            "loss_type", "loss"),
    trained(Option{.name = "dpo-beta",
                   .field = field<R, &R::dpo_beta>,
                   .help = "dpo: inverse temperature of a pair",
                   .range = above(0, 1e6),
                   .conditions = {kDpo}},
            "dpo_beta"),
    trained(Option{.name = "hinge-margin",
                   .field = field<R, &R::hinge_margin>,
                   .help = "hinge: energy an OOD molecule must lie above an ID one",
                   .range = real(-1e6, 1e6),
                   .conditions = {kHinge}},
            "hinge_margin"),
    trained(Option{.name = "hinge-topk",
                   .field = field<R, &R::hinge_topk>,
                   .help = "hinge: share of the hardest pairs kept, in (0, 1]; 0: all",
                   .range = real(0, 1),
                   .conditions = {kHinge}},
            "hinge_topk"),
    trained(Option{.name = "hinge-squared",
                   .field = field<R, &R::hinge_squared>,
                   .help = "hinge: square each pair's value",
                   .conditions = {kHinge}},
            "hinge_squared"),
    trained(Option{.name = "lambda-reg",
                   .field = field<R, &R::lambda_reg>,
                   .help = "Weight of the squared energies",
                   .range = real(0, 1e6)},
            "lambda_reg")};

constexpr std::array kTraining = {
    trained(Option{.name = "hidden-dim",
                   .field = field<R, &R::hidden_dim>,
                   .help = "Width of the head's first hidden layer",
                   .is_in_plan = true,
                   .range = whole(2, 65'536),
                   .unit = "numbers"},
            "hidden_dim"),
    trained(Option{.name = "dropout",
                   .field = field<R, &R::dropout>,
                   .help = "Share of the activations dropped after each hidden layer, in [0, 1)",
                   .is_in_plan = true,
                   .range = below(0, 1)},
            "dropout"),
    Option{.name = "epochs",
           .field = field<R, &R::epochs>,
           .help = "Largest number of passes over the training pairs",
           .is_common = true,
           .range = kRounds,
           .unit = "epochs",
           .specification = {Section::method},
           .config = {"epochs"},
           .identity = {Part::length, "epochs"}},
    trained(Option{.name = "batch-size",
                   .field = field<R, &R::batch_size>,
                   .help = "Molecules per side and step; all their pairs are compared",
                   .is_common = true,
                   .is_in_plan = true,
                   .range = kBatch,
                   .unit = "molecules"},
            "batch_size"),
    trained(Option{.name = "eval-batch-size",
                   .field = field<R, &R::eval_batch_size>,
                   .help = "Molecules per side and batch in validation",
                   .is_in_plan = true,
                   .range = kBatch,
                   .unit = "molecules"},
            "eval_batch_size"),
    trained(Option{.name = "lr",
                   .field = field<R, &R::learning_rate>,
                   .help = "AdamW's learning rate; times 0.9 every 10 epochs",
                   .is_common = true,
                   .range = above(0, 1'000)},
            "lr", "learning_rate"),
    trained(Option{.name = "weight-decay",
                   .field = field<R, &R::weight_decay>,
                   .help = "AdamW's decoupled decay",
                   .range = real(0, 1'000)},
            "weight_decay"),
    trained(Option{.name = "grad-clip",
                   .field = field<R, &R::grad_clip>,
                   .help = "Largest norm of the gradient; 0: no clipping",
                   .range = real(0, 1e9)},
            "grad_clip"),
    trained(Option{.name = "eval-steps",
                   .field = field<R, &R::eval_steps>,
                   .help = "Also validate every so many steps; 0: at epoch ends only",
                   .range = whole(0, 1'000'000'000),
                   .unit = "steps"},
            "eval_steps"),
    Option{.name = "patience",
           .field = field<R, &R::patience>,
           .help = "Stop after so many epochs without a better validation AUROC",
           .is_common = true,
           .range = kRounds,
           .unit = "epochs",
           .specification = {Section::method},
           .config = {"early_stopping_patience"},
           .identity = {Part::length, "patience"}},
    trained(Option{.name = "early-stopping",
                   .field = field<R, &R::early_stopping>,
                   .help = "plain, or reference: the Python program's counter, which stops one epoch sooner "
                           "after a gain"},
            "early_stopping"),
    Option{.name = "seed",
           .field = field<R, &R::seed>,
           .help = "Seed of weights, dropout and training pairs",
           .is_common = true,
           .range = kSeed,
           .config = {"seed"},
           .identity = {Part::training, "seed"}},
    Option{.name = "seeds",
           .field = field<R, &R::seeds>,
           .help =
               "Number of runs, with --seed and the seeds after it; score takes their mean and shows their "
               "spread",
           .is_common = true,
           .range = whole(1, 1'000),
           .unit = "runs"}};

constexpr std::array kEncoderTuning = {
    Option{
        .name = "finetune-encoder",
        .field = field<R, &R::finetune_encoder>,
        .help =
            "Train the encoder's last layers together with the head (unimol); the frozen layers are run once "
            "for each molecule, on the CPU",
        .is_common = true,
        .is_in_plan = true,
        .conditions = {kTunable},
        .specification = {Section::method},
        .config = optional_key("finetune_encoder"),
        .identity = {Part::training, "finetune_encoder", /*only_if_changed=*/true}},
    Option{
        .name = "freeze-layers",
        .field = field<R, &R::freeze_layers>,
        .help =
            "With --finetune-encoder: layers that stay as they are, numbers and ranges with both ends (0-12 "
            "are 13 layers), or none; with any of them, embedding and distance kernels are frozen, too",
        .is_in_plan = true,
        .conditions = {kTunable, kTuning},
        .specification = {Section::method},
        .config = optional_key("freeze_layers"),
        .identity = {Part::training, "freeze_layers", /*only_if_changed=*/true}},
    Option{
        .name = "encoder-lr",
        .field = field<R, &R::encoder_lr>,
        .help = "With --finetune-encoder: AdamW's learning rate for the encoder; times 0.9 every 10 epochs",
        .range = above(0, 1'000),
        .conditions = {kTunable, kTuning},
        .specification = {Section::method},
        .config = optional_key("encoder_lr"),
        .identity = {Part::training, "encoder_lr", /*only_if_changed=*/true}}};

constexpr std::array kMemorySaving = {
    Option{
        .name = "gradient-accumulation",
        .field = field<R, &R::gradient_accumulation>,
        .help =
            "Parts that the rows of a step are worked on in, one after the other: auto (as memory demands), "
            "or a number; the result stays the same",
        .is_in_plan = true,
        .range = kBatch,
        .unit = "parts",
        .choices = {"auto"},
        .specification = {Section::method},
        .config = optional_key("gradient_accumulation")},
    Option{.name = "checkpoint-activations",
           .field = field<R, &R::checkpoint_activations>,
           .help =
               "Compute activations again in the backward pass rather than keep them: auto (where the plan "
               "needs it, or memory runs out), on or off; the result stays the same",
           .is_in_plan = true,
           .specification = {Section::method},
           .config = optional_key("checkpoint_activations")},
    Option{.name = "autocast",
           .field = field<R, &R::autocast>,
           .help = "Type of products and activations: off (float32), bf16, or fp16 (GPU; the loss is scaled)",
           .is_in_plan = true,
           .specification = {Section::method},
           .config = optional_key("autocast"),
           .identity = {Part::training, "autocast", /*only_if_changed=*/true}},
    Option{.name = "optimizer-state",
           .field = field<R, &R::optimizer_state>,
           .help = "Type of AdamW's moments: fp32, or bf16 (half the memory, rounded at random)",
           .is_in_plan = true,
           .specification = {Section::method},
           .config = optional_key("optimizer_state"),
           .identity = {Part::training, "optimizer_state", /*only_if_changed=*/true}},
    Option{
        .name = "empty-cache",
        .field = field<R, &R::empty_cache>,
        .help =
            "GPU: give cached memory back when it runs out (auto), after each epoch as well (epoch), never",
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

}  // namespace headroom::options
