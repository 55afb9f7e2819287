// Options of `headroom pocket train`, and of config.json in its run folders. The keys are those of the Python
// project if it has the option.

#include "headroom/pocket_train.h"
#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using R = PocketTrainRequest;
using E = PocketEncoderOptions;

/// The config.json of the Python project has no key for options that it does not have.
constexpr ConfigKey key(std::string_view name) { return {.name = name, .may_be_missing = true}; }

/// An option that the trained encoder depends on. If `label` is empty, the name is the label.
constexpr Option trained(Option row, std::string_view name, std::string_view label = {}) {
  row.config = key(name);
  row.identity = {Part::training, label.empty() ? name : label};
  return row;
}

constexpr Condition kThird = {.option = "v3", .remark = "it belongs to V3 (--v3)"};
constexpr Condition kMultiHop = {.option = "no-multi-hop",
                                 .remark = "there are no angles and dihedrals (--no-multi-hop)"};
constexpr Condition kNonbonded = {.option = "no-nonbonded", .remark = "there are no pairs (--no-nonbonded)"};
constexpr Condition kImproved = {.option = "improved-layers", .remark = "it belongs to --improved-layers"};
constexpr Condition kDrawn = {.option = "splits", .is_wanted = false, .remark = "the file says the parts"};

constexpr NumericRange kRatio = inside(0, 1), kWeight = real(0, 1e6);

constexpr std::array kInput = {
    Option{.name = "GRAPHS",
           .field = field<R, &R::graphs>,
           .help = "Graph set of headroom pocket build",
           .is_required = true,
           .is_in_plan = true,
           .files = {.does = FileUse::Does::reads, .folder = FolderKind::graph_set},
           .config = key("graph_dir")},
    Option{.name = "ligands",
           .field = field<R, &R::ligands>,
           .help = "Ligand features as training targets, by complex (1aju_ARG) or ligand code (ARG): .h5, "
                   ".npz or .safetensors",
           .is_common = true,
           .is_required = true,
           .is_in_plan = true,
           .files = {.does = FileUse::Does::reads},
           .config = key("embeddings_path")}};

constexpr std::array kParts = {
    Option{.name = "splits",
           .field = field<R, &R::splits>,
           .help = "JSON with the lists train, val and test of pocket names [random, written to splits.json "
                   "of the run]",
           .is_common = true,
           .is_in_plan = true,
           .files = {.does = FileUse::Does::reads},
           .config = key("splits_file")},
    Option{.name = "split-by",
           .field = field<R, &R::split_by>,
           .help = "Unit to keep in one part: complex (with all its models), ligand, pdb or model (models of "
                   "one complex can be in several parts, as in the Python project)",
           .is_common = true,
           .is_in_plan = true,
           .conditions = {kDrawn},
           .config = key("split_by")},
    Option{.name = "train-ratio",
           .field = field<R, &R::train_ratio>,
           .help = "Share of pockets for training",
           .is_in_plan = true,
           .range = kRatio,
           .conditions = {kDrawn},
           .config = key("train_ratio")},
    Option{.name = "val-ratio",
           .field = field<R, &R::val_ratio>,
           .help = "Share of pockets for validation. The rest is for the test",
           .is_in_plan = true,
           .range = kRatio,
           .conditions = {kDrawn},
           .config = key("val_ratio")},
    Option{.name = "allow-overlap",
           .field = field<R, &R::allow_overlap>,
           .help = "Accept --splits with models of one complex in several parts",
           .is_in_plan = true,
           .needs = {"splits"},
           .config = key("allow_overlap")}};

constexpr std::array kEncoder = {
    trained(Option{.name = "hidden-irreps",
                   .field = field<R, &R::encoder, &E::hidden_irreps>,
                   .help = "Channels per atom: scalars, vectors, tensors",
                   .is_common = true,
                   .is_in_plan = true},
            "hidden_irreps"),
    trained(Option{.name = "num-layers",
                   .field = field<R, &R::encoder, &E::num_layers>,
                   .help = "Number of message-passing layers",
                   .is_common = true,
                   .is_in_plan = true,
                   .range = whole(1, 64)},
            "num_layers"),
    trained(Option{.name = "feature-hidden-dim",
                   .field = field<R, &R::encoder, &E::feature_hidden_dim>,
                   .help = "Hidden width of the network for charge, element and mass",
                   .is_in_plan = true,
                   .range = whole(1, 4096)},
            "feature_hidden_dim"),
    trained(Option{.name = "num-radial-basis",
                   .field = field<R, &R::encoder, &E::num_radial_basis>,
                   .help = "Number of radial basis functions for edge lengths",
                   .is_in_plan = true,
                   .range = whole(1, 256)},
            "num_radial_basis"),
    trained(Option{.name = "no-multi-hop",
                   .field = field<R, &R::encoder, &E::multi_hop>,
                   .help = "No messages along angles and dihedrals",
                   .clears = true,
                   .is_in_plan = true},
            "use_multi_hop", "multi_hop"),
    trained(Option{.name = "no-nonbonded",
                   .field = field<R, &R::encoder, &E::nonbonded>,
                   .help = "No messages between non-bonded pairs",
                   .clears = true,
                   .is_in_plan = true},
            "use_nonbonded", "nonbonded"),
    trained(Option{.name = "no-gate",
                   .field = field<R, &R::encoder, &E::gate>,
                   .help = "No gate after the messages",
                   .clears = true,
                   .is_in_plan = true},
            "use_gate", "gate"),
    trained(Option{.name = "no-layer-norm",
                   .field = field<R, &R::encoder, &E::layer_norm>,
                   .help = "No layer norm after the messages",
                   .clears = true,
                   .is_in_plan = true},
            "use_layer_norm", "layer_norm"),
    trained(Option{.name = "pooling",
                   .field = field<R, &R::encoder, &E::pooling>,
                   .help = "Pooling of atoms to a pocket: attention, mean, sum or max [attention, or "
                           "multihead attention with --v3]",
                   .is_in_plan = true},
            "pooling_type", "pooling"),
    trained(Option{.name = "dropout",
                   .field = field<R, &R::encoder, &E::dropout>,
                   .help = "Dropout rate of scalars in training",
                   .range = below(0, 1)},
            "dropout"),
    trained(Option{.name = "v3",
                   .field = field<R, &R::encoder, &E::v3>,
                   .help = "Use encoder V3. It reads 3D angles and distinguishes mirror images of a pocket",
                   .is_common = true,
                   .is_in_plan = true},
            "use_v3_model", "v3"),
    trained(Option{.name = "enhanced-invariants",
                   .field = field<R, &R::encoder, &E::enhanced_invariants>,
                   .help = "V3: also pool cosines between the channels of an atom",
                   .is_in_plan = true,
                   .conditions = {kThird}},
            "use_enhanced_invariants", "enhanced_invariants"),
    trained(Option{.name = "improved-layers",
                   .field = field<R, &R::encoder, &E::improved_layers>,
                   .help = "V3: apply the gate only to messages",
                   .is_in_plan = true,
                   .conditions = {kThird}},
            "use_improved_layers", "improved_layers"),
    trained(
        Option{.name = "norm",
               .field = field<R, &R::encoder, &E::norm>,
               .help =
                   "V3 with --improved-layers: layer or rms. Rotation of a pocket changes the results of rms",
               .is_in_plan = true,
               .conditions = {kThird, kImproved}},
        "norm_type", "norm"),
    trained(Option{.name = "attention-heads",
                   .field = field<R, &R::encoder, &E::attention_heads>,
                   .help = "V3: attention heads of the pooling. 1 selects --pooling",
                   .is_in_plan = true,
                   .range = whole(1, 128),
                   .conditions = {kThird}},
            "num_attention_heads", "attention_heads"),
    trained(Option{.name = "angle-weight",
                   .field = field<R, &R::encoder, &E::angle_weight>,
                   .help = "V3: weight of the messages along angles",
                   .range = kWeight,
                   .conditions = {kThird, kMultiHop}},
            "initial_angle_weight", "angle_weight"),
    trained(Option{.name = "dihedral-weight",
                   .field = field<R, &R::encoder, &E::dihedral_weight>,
                   .help = "V3: weight of the messages along dihedrals",
                   .range = kWeight,
                   .conditions = {kThird, kMultiHop}},
            "initial_dihedral_weight", "dihedral_weight"),
    trained(Option{.name = "nonbonded-weight",
                   .field = field<R, &R::encoder, &E::nonbonded_weight>,
                   .help = "V3: weight of the messages between pairs",
                   .range = kWeight,
                   .conditions = {kThird, kNonbonded}},
            "initial_nonbonded_weight", "nonbonded_weight"),
    trained(Option{.name = "reference-compatible",
                   .field = field<R, &R::encoder, &E::reference_compatible>,
                   .help = "Use the layer norm of the Python project. Its rows change if a pocket is rotated",
                   .is_in_plan = true},
            "reference_compatible")};

constexpr Condition with_loss(Names losses, std::string_view remark) {
  return {.option = "loss", .values = losses, .remark = remark};
}

constexpr std::array kTraining = {
    trained(
        Option{.name = "loss",
               .field = field<R, &R::loss>,
               .help = "mse, cosine, cosine_mse (both) or infonce (contrast with other ligands in the batch)",
               .is_common = true,
               .is_in_plan = true},
        "loss_fn", "loss"),
    trained(Option{.name = "cosine-weight",
                   .field = field<R, &R::cosine_weight>,
                   .help = "cosine_mse: weight of the cosine loss",
                   .range = kWeight,
                   .conditions = {with_loss({"cosine_mse"}, "it belongs to the loss cosine_mse")}},
            "cosine_weight"),
    trained(Option{.name = "mse-weight",
                   .field = field<R, &R::mse_weight>,
                   .help = "cosine_mse: weight of the mean squared error",
                   .range = kWeight,
                   .conditions = {with_loss({"cosine_mse"}, "it belongs to the loss cosine_mse")}},
            "mse_weight"),
    trained(Option{.name = "temperature",
                   .field = field<R, &R::temperature>,
                   .help = "infonce: temperature, the divisor of cosines",
                   .range = above(0, 1e3),
                   .conditions = {with_loss({"infonce"}, "it belongs to the loss infonce")}},
            "temperature"),
    trained(Option{.name = "physics-weight",
                   .field = field<R, &R::physics_weight>,
                   .help = "Weight of bonded energies in the reported losses, as in the physics loss of the "
                           "Python project. It does not change the training. 0 turns it off",
                   .is_in_plan = true,
                   .range = kWeight},
            "physics_loss_weight", "physics_weight"),
    trained(Option{.name = "physics-nonbonded",
                   .field = field<R, &R::physics_nonbonded>,
                   .help = "Include Lennard-Jones energies in the physics loss",
                   .needs = {"physics-weight"}},
            "physics_use_nonbonded", "physics_nonbonded"),
    Option{.name = "epochs",
           .field = field<R, &R::epochs>,
           .help = "Maximum number of epochs",
           .is_common = true,
           .range = kRounds,
           .config = key("num_epochs"),
           .identity = {Part::length, "epochs"}},
    Option{.name = "patience",
           .field = field<R, &R::patience>,
           .help = "Stop after this many epochs without a lower validation loss",
           .is_common = true,
           .range = kRounds,
           .config = key("patience"),
           .identity = {Part::length, "patience"}},
    trained(Option{.name = "batch-size",
                   .field = field<R, &R::batch_size>,
                   .help = "Pockets per batch",
                   .is_common = true,
                   .is_in_plan = true,
                   .range = kBatch,
                   .unit = "pockets"},
            "batch_size"),
    trained(Option{.name = "accumulation-steps",
                   .field = field<R, &R::accumulation_steps>,
                   .help = "Batches per optimiser step",
                   .is_in_plan = true,
                   .range = kRounds,
                   .unit = "batches"},
            "accumulation_steps"),
    trained(Option{.name = "lr",
                   .field = field<R, &R::learning_rate>,
                   .help = "Learning rate",
                   .is_common = true,
                   .range = above(0, 1'000)},
            "lr", "learning_rate"),
    trained(Option{.name = "weight-decay",
                   .field = field<R, &R::weight_decay>,
                   .help = "Weight decay",
                   .range = real(0, 1'000)},
            "weight_decay"),
    trained(Option{.name = "optimizer",
                   .field = field<R, &R::optimizer>,
                   .help = "adamw, or adam (with L2 weight decay)",
                   .is_in_plan = true},
            "optimizer"),
    trained(
        Option{.name = "scheduler",
               .field = field<R, &R::scheduler>,
               .help = "Schedule of the learning rate: plateau (halve it after more than five epochs without "
                       "a lower validation loss), cosine (decrease it to 1 % over all epochs) or none"},
        "scheduler"),
    trained(Option{.name = "grad-clip",
                   .field = field<R, &R::grad_clip>,
                   .help = "Maximum gradient norm for clipping. 0 selects a default for the loss (infonce 2, "
                           "cosine 1.5, mse 1)",
                   .range = real(0, 1e9)},
            "grad_clip"),
    Option{.name = "monitor-gradients",
           .field = field<R, &R::monitor_gradients>,
           .help = "Log the norm of every step's gradient",
           .config = key("monitor_gradients")},
    Option{
        .name = "checkpoint-activations",
        .field = field<R, &R::checkpoint_activations>,
        .help = "Compute activations again in the backward pass: auto (where memory requires it), on or off",
        .is_in_plan = true,
        .config = key("checkpoint_activations")},
    Option{.name = "autocast",
           .field = field<R, &R::autocast>,
           .help =
               "Type of the products in perceptrons and irreps linears: off (float32), bf16, or fp16 (GPU; "
               "the loss is scaled); messages stay in float32",
           .is_in_plan = true,
           .config = key("autocast"),
           .identity = {Part::training, "autocast", /*only_if_changed=*/true}},
    Option{.name = "loader-threads",
           .field = field<R, &R::loader_threads>,
           .help = "Threads that read the next batch ahead; 0: it is read when it is wanted",
           .range = kThreads,
           .config = key("num_workers")},
    Option{.name = "process-timeout",
           .field = field<R, &R::process_timeout>,
           .help =
               "Of several processes (RANK and WORLD_SIZE in the environment): time in which all must have "
               "come, and after which a silent one counts as lost",
           .range = whole(1, 86'400),
           .unit = "seconds"},
    Option{.name = "save-every",
           .field = field<R, &R::save_every>,
           .help = "Epochs from one kept checkpoint to the next; the newest state is written twice a second",
           .range = kRounds,
           .unit = "epochs",
           .config = key("save_every")},
    trained(Option{.name = "seed",
                   .field = field<R, &R::seed>,
                   .help = "Seed of parameters, order, dropout and split",
                   .is_common = true,
                   .is_in_plan = true,
                   .range = kSeed},
            "seed")};

constexpr auto kTable = joined(kInput, run_rows<R>(), kParts, kEncoder, kTraining,
                               compute_rows<R>({"threads", "checkpoint-activations"}));

}  // namespace

template <>
std::span<const Option> table<PocketTrainRequest>() {
  return kTable;
}

}  // namespace headroom::options
