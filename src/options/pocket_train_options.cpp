// `headroom pocket train`, and config.json of its run folders, whose keys are those of the Python project
// where it has them.

#include "headroom/pocket_train.h"
#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using R = PocketTrainRequest;
using E = PocketEncoderOptions;

/// The Python project's config.json lacks what it has no option for.
constexpr ConfigKey key(std::string_view name) { return {.name = name, .may_be_missing = true}; }

/// An option that the trained encoder depends on. An empty `label` is the name.
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
           .help = "Graph set, as headroom pocket build makes it",
           .is_required = true,
           .is_in_plan = true,
           .files = {.does = FileUse::Does::reads, .folder = FolderKind::graph_set},
           .config = key("graph_dir")},
    Option{.name = "ligands",
           .field = field<R, &R::ligands>,
           .help =
               "Rows of the ligands by complex (1aju_ARG) or ligand code (ARG): .h5, .npz or .safetensors; "
               "the encoder is trained to place pockets there",
           .is_common = true,
           .is_required = true,
           .is_in_plan = true,
           .files = {.does = FileUse::Does::reads},
           .config = key("embeddings_path")}};

constexpr std::array kParts = {
    Option{
        .name = "splits",
        .field = field<R, &R::splits>,
        .help = "JSON with the lists train, val and test of pockets' names [drawn; splits.json of the run]",
        .is_common = true,
        .is_in_plan = true,
        .files = {.does = FileUse::Does::reads},
        .config = key("splits_file")},
    Option{.name = "split-by",
           .field = field<R, &R::split_by>,
           .help =
               "What stays in one part: complex (all models of it), ligand, pdb, or model (none: models of "
               "a complex come into all parts, as in the Python project)",
           .is_common = true,
           .is_in_plan = true,
           .conditions = {kDrawn},
           .config = key("split_by")},
    Option{.name = "train-ratio",
           .field = field<R, &R::train_ratio>,
           .help = "Share of the pockets that is trained on",
           .is_in_plan = true,
           .range = kRatio,
           .conditions = {kDrawn},
           .config = key("train_ratio")},
    Option{.name = "val-ratio",
           .field = field<R, &R::val_ratio>,
           .help = "Share of the pockets that chooses the epoch; the rest is test",
           .is_in_plan = true,
           .range = kRatio,
           .conditions = {kDrawn},
           .config = key("val_ratio")},
    Option{.name = "allow-overlap",
           .field = field<R, &R::allow_overlap>,
           .help = "Accept a file of --splits in which models of one complex stand in several parts",
           .is_in_plan = true,
           .needs = {"splits"},
           .config = key("allow_overlap")}};

constexpr std::array kEncoder = {
    trained(Option{.name = "hidden-irreps",
                   .field = field<R, &R::encoder, &E::hidden_irreps>,
                   .help = "Channels of an atom: scalars, vectors, tensors",
                   .is_common = true,
                   .is_in_plan = true},
            "hidden_irreps"),
    trained(Option{.name = "num-layers",
                   .field = field<R, &R::encoder, &E::num_layers>,
                   .help = "Layers of messages",
                   .is_common = true,
                   .is_in_plan = true,
                   .range = whole(1, 64)},
            "num_layers"),
    trained(Option{.name = "feature-hidden-dim",
                   .field = field<R, &R::encoder, &E::feature_hidden_dim>,
                   .help = "Width of the network that reads charge, element and mass",
                   .is_in_plan = true,
                   .range = whole(1, 4096)},
            "feature_hidden_dim"),
    trained(Option{.name = "num-radial-basis",
                   .field = field<R, &R::encoder, &E::num_radial_basis>,
                   .help = "Functions of an edge's length",
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
                   .help = "No messages between pairs that are not bonded",
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
    trained(
        Option{.name = "pooling",
               .field = field<R, &R::encoder, &E::pooling>,
               .help =
                   "How atoms become a pocket: attention, mean, sum, max [attention; with --v3 attention of "
                   "--attention-heads, multihead]",
               .is_in_plan = true},
        "pooling_type", "pooling"),
    trained(Option{.name = "dropout",
                   .field = field<R, &R::encoder, &E::dropout>,
                   .help = "Share of the scalars that a training step drops",
                   .range = below(0, 1)},
            "dropout"),
    trained(
        Option{
            .name = "v3",
            .field = field<R, &R::encoder, &E::v3>,
            .help =
                "The encoder V3, which is told the angles in space; it tells a pocket from its mirror image",
            .is_common = true,
            .is_in_plan = true},
        "use_v3_model", "v3"),
    trained(Option{.name = "enhanced-invariants",
                   .field = field<R, &R::encoder, &E::enhanced_invariants>,
                   .help = "V3: cosines between the channels of an atom are pooled, too",
                   .is_in_plan = true,
                   .conditions = {kThird}},
            "use_enhanced_invariants", "enhanced_invariants"),
    trained(Option{.name = "improved-layers",
                   .field = field<R, &R::encoder, &E::improved_layers>,
                   .help = "V3: the gate acts on the messages alone",
                   .is_in_plan = true,
                   .conditions = {kThird}},
            "use_improved_layers", "improved_layers"),
    trained(Option{.name = "norm",
                   .field = field<R, &R::encoder, &E::norm>,
                   .help = "V3 with --improved-layers: layer, or rms, which turning a pocket changes",
                   .is_in_plan = true,
                   .conditions = {kThird, kImproved}},
            "norm_type", "norm"),
    trained(Option{.name = "attention-heads",
                   .field = field<R, &R::encoder, &E::attention_heads>,
                   .help = "V3: heads of the pooling; 1: --pooling",
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
                   .help = "The Python project's layer norm, whose rows change when a pocket is turned",
                   .is_in_plan = true},
            "reference_compatible")};

constexpr Condition with_loss(Names losses, std::string_view remark) {
  return {.option = "loss", .values = losses, .remark = remark};
}

constexpr std::array kTraining = {
    trained(
        Option{
            .name = "loss",
            .field = field<R, &R::loss>,
            .help = "mse, cosine, cosine_mse (both), or infonce (each pocket finds its ligand in the batch)",
            .is_common = true,
            .is_in_plan = true},
        "loss_fn", "loss"),
    trained(Option{.name = "cosine-weight",
                   .field = field<R, &R::cosine_weight>,
                   .help = "cosine_mse: weight of the cosine",
                   .range = kWeight,
                   .conditions = {with_loss({"cosine_mse"}, "it belongs to the loss cosine_mse")}},
            "cosine_weight"),
    trained(Option{.name = "mse-weight",
                   .field = field<R, &R::mse_weight>,
                   .help = "cosine_mse: weight of the mean square",
                   .range = kWeight,
                   .conditions = {with_loss({"cosine_mse"}, "it belongs to the loss cosine_mse")}},
            "mse_weight"),
    trained(Option{.name = "temperature",
                   .field = field<R, &R::temperature>,
                   .help = "infonce: cosines are divided by it",
                   .range = above(0, 1e3),
                   .conditions = {with_loss({"infonce"}, "it belongs to the loss infonce")}},
            "temperature"),
    trained(
        Option{
            .name = "physics-weight",
            .field = field<R, &R::physics_weight>,
            .help =
                "Adds so much of the pockets' bonded energies to the losses, as the Python project's physics "
                "loss; it changes no parameter; 0: none",
            .is_in_plan = true,
            .range = kWeight},
        "physics_loss_weight", "physics_weight"),
    trained(Option{.name = "physics-nonbonded",
                   .field = field<R, &R::physics_nonbonded>,
                   .help = "The physics loss counts Lennard-Jones energies, too",
                   .needs = {"physics-weight"}},
            "physics_use_nonbonded", "physics_nonbonded"),
    Option{.name = "epochs",
           .field = field<R, &R::epochs>,
           .help = "Most epochs",
           .is_common = true,
           .range = kRounds,
           .config = key("num_epochs"),
           .identity = {Part::length, "epochs"}},
    Option{.name = "patience",
           .field = field<R, &R::patience>,
           .help = "Epochs without a lower validation loss after which the training stops",
           .is_common = true,
           .range = kRounds,
           .config = key("patience"),
           .identity = {Part::length, "patience"}},
    trained(Option{.name = "batch-size",
                   .field = field<R, &R::batch_size>,
                   .help = "Pockets of a batch",
                   .is_common = true,
                   .is_in_plan = true,
                   .range = kBatch,
                   .unit = "pockets"},
            "batch_size"),
    trained(Option{.name = "accumulation-steps",
                   .field = field<R, &R::accumulation_steps>,
                   .help = "Batches of an optimiser step",
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
                   .help = "adamw, or adam, whose weight decay is L2",
                   .is_in_plan = true},
            "optimizer"),
    trained(
        Option{
            .name = "scheduler",
            .field = field<R, &R::scheduler>,
            .help =
                "Learning rate: plateau (halved where the validation loss does not fall for more than five "
                "epochs), cosine (to a hundredth over all epochs) or none"},
        "scheduler"),
    trained(Option{.name = "grad-clip",
                   .field = field<R, &R::grad_clip>,
                   .help = "Most L2 norm of a step's gradient; 0: by the loss (infonce 2, cosine 1.5, mse 1)",
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
