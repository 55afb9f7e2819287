// Options of `molgauge baseline` and of the baselines in a specification. The config.json of a run folder
// contains their values.

#include "base/options/run_rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using R = BaselineRequest;

constexpr Condition only_with_method(const Names& methods, std::string_view remark) {
  return {.option = "method", .values = methods, .remark = remark};
}
constexpr Condition kOdin = only_with_method({"all", "odin"}, "it belongs to odin");
constexpr Condition kNearest = only_with_method({"all", "knn", "raw_knn"}, "it belongs to knn and raw_knn");
constexpr Condition kLocalOutliers = only_with_method({"all", "lof"}, "it belongs to lof");
constexpr Condition kDropout = only_with_method({"all", "mc_dropout"}, "it belongs to mc_dropout");
constexpr Condition kAucMargin =
    only_with_method({"all", "dam_msp", "dam_energy", "dam_msp_two_outputs", "dam_energy_two_outputs"},
                     "it belongs to dam_msp and dam_energy");
constexpr Condition kSupervised = {
    .option = "method",
    .values = {"dam_msp", "dam_energy", "dam_msp_two_outputs", "dam_energy_two_outputs"},
    .is_wanted = false,
    .remark = "the learning rate of dam_msp and dam_energy is dam-lr"};

constexpr Names kWithoutClassifier = {"raw_mahalanobis", "raw_knn", "logistic_regression"};
constexpr Condition kClassifying = {.option = "method",
                                    .values = kWithoutClassifier,
                                    .is_wanted = false,
                                    .remark = "this method has no classifier"};
constexpr Condition kLabelled = {.option = "method",
                                 .values = {"ood_classifier"},
                                 .is_wanted = false,
                                 .remark = "ood_classifier learns which molecules are OOD"};

/// The key of an option. Run folders may lack this key.
constexpr ConfigKey unread_key(std::string_view name) { return {.name = name, .may_be_missing = true}; }

constexpr Option unread_row(Option option) {
  option.config.may_be_missing = true;
  return option;
}

template <std::size_t count>
constexpr auto unread_rows(std::array<Option, count> options) {
  for (Option& option : options) {
    option = unread_row(option);
  }
  return options;
}

/// An option on which the results of a method depend.
constexpr Option fitted(Option row, ConfigKey key, Identity identity) {
  row.specification = {Section::method};
  row.config = key;
  row.identity = identity;
  return row;
}

// Rows with a key are listed in the order of the keys in config.json.

constexpr auto kWhat = joined(
    std::array{benchmark_row<R>(), encoder_row<R>({"foundation_model"}), data_path_row<R>()},
    run_rows<R>("Run folder. Finished methods are kept"),
    std::array{Option{.name = "method",
                      .field = field<R, &R::method>,
                      .group = Group::detector,
                      .help = "all, msp, odin, energy, mahalanobis, knn, lof, mc_dropout, conformal, "
                              "dam_msp, dam_energy, raw_mahalanobis or raw_knn (on the features of "
                              "the encoder, without labels). dam_msp_two_outputs and dam_energy_two_outputs "
                              "also read the untrained second output, as in the Python project",
                      .is_common = true,
                      .is_in_plan = true}});

constexpr std::array kClassifier = {
    fitted(
        Option{.name = "labels",
               .field = field<R, &R::labels>,
               .group = Group::model,
               .help =
                   "Labels of the classifier: class (cls_label, two outputs), one-output (cls_label, one "
                   "output), multi-class (reg_label as 0, 1, 2 ...), tasks (several label columns, without "
                   "unknown labels), value (reg_label as measured, not with dam_msp and dam_energy) or auto "
                   "(tasks if the benchmark has several label columns, otherwise class)",
               .is_common = true,
               .is_in_plan = true,
               .conditions = {kClassifying, kLabelled}},
        {"labels"}, {Part::classifier, "labels"}),
    fitted(Option{.name = "hidden-channels",
                  .field = field<R, &R::hidden_channels>,
                  .group = Group::model,
                  .help = "Width of the hidden layers of the classifier",
                  .is_in_plan = true,
                  .range = whole(1, 65'536),
                  .unit = "numbers",
                  .conditions = {kClassifying}},
           unread_key("hidden_channels"), {Part::classifier, "hidden"}),
    fitted(Option{.name = "num-layers",
                  .field = field<R, &R::num_layers>,
                  .group = Group::model,
                  .help = "Linear layers of the classifier, at least 2",
                  .is_in_plan = true,
                  .range = whole(2, 100),
                  .conditions = {kClassifying}},
           unread_key("num_layers"), {Part::classifier, "layers"}),
    fitted(Option{.name = "dropout",
                  .field = field<R, &R::dropout>,
                  .group = Group::model,
                  .help = "Dropout rate after each hidden layer, in [0, 1)",
                  .range = below(0, 1),
                  .conditions = {kClassifying}},
           {"dropout"}, {Part::classifier, "dropout"}),
    fitted(Option{.name = "lr",
                  .field = field<R, &R::learning_rate>,
                  .group = Group::training,
                  .help = "Learning rate of Adam",
                  .is_common = true,
                  .range = above(0, 1'000),
                  .conditions = {kClassifying, kSupervised}},
           unread_key("lr"), {Part::classifier, "lr"}),
    fitted(Option{.name = "weight-decay",
                  .field = field<R, &R::weight_decay>,
                  .group = Group::training,
                  .help = "L2 penalty of the parameters",
                  .range = real(0, 1'000),
                  .conditions = {kClassifying}},
           unread_key("weight_decay"), {Part::classifier, "weight-decay"}),
    fitted(Option{.name = "epochs",
                  .field = field<R, &R::epochs>,
                  .group = Group::training,
                  .help = "Maximum number of epochs",
                  .is_common = true,
                  .range = kRounds,
                  .unit = "epochs",
                  .conditions = {kClassifying}},
           unread_key("epochs"), {Part::classifier, "epochs"}),
    fitted(Option{.name = "batch-size",
                  .field = field<R, &R::batch_size>,
                  .group = Group::training,
                  .help = "Molecules per training step",
                  .is_common = true,
                  .is_in_plan = true,
                  .range = kBatch,
                  .unit = "molecules",
                  .conditions = {kClassifying}},
           unread_key("batch_size"), {Part::classifier, "batch"}),
    fitted(Option{.name = "patience",
                  .field = field<R, &R::patience>,
                  .group = Group::training,
                  .help = "Stop after this many epochs without a better validation accuracy (dam: AUROC)",
                  .range = kRounds,
                  .unit = "epochs",
                  .conditions = {kClassifying}},
           unread_key("patience"), {Part::classifier, "patience"}),
    Option{.name = "eval-batch-size",
           .field = field<R, &R::eval_batch_size>,
           .group = Group::memory,
           .help = "Molecules per scoring batch of a thread. It does not change the scores",
           .is_in_plan = true,
           .range = kBatch,
           .unit = "molecules",
           .specification = {Section::method}}};

constexpr std::array kDetectors = {
    fitted(Option{.name = "odin-temperature",
                  .field = field<R, &R::odin_temperature>,
                  .group = Group::detector,
                  .help = "odin: temperature, the divisor of the logits",
                  .range = above(0, 1e6),
                  .conditions = {kOdin}},
           {"T"}, {Part::detector, "odin"}),
    fitted(Option{.name = "odin-noise",
                  .field = field<R, &R::odin_noise>,
                  .group = Group::detector,
                  .help = "odin: size of the perturbation of the features",
                  .range = real(0, 1e6),
                  .conditions = {kOdin}},
           {"noise"}, {Part::detector, ""}),
    fitted(Option{.name = "knn-k",
                  .field = field<R, &R::knn_k>,
                  .group = Group::detector,
                  .help = "knn, raw_knn: number of nearest training molecules",
                  .is_in_plan = true,
                  .range = kNeighbourCount,
                  .unit = "molecules",
                  .conditions = {kNearest}},
           {"knn_k"}, {Part::detector, "knn"}),
    fitted(Option{.name = "lof-neighbors",
                  .field = field<R, &R::lof_neighbors>,
                  .group = Group::detector,
                  .help = "lof: number of nearest training molecules",
                  .is_in_plan = true,
                  .range = kNeighbourCount,
                  .unit = "molecules",
                  .conditions = {kLocalOutliers}},
           {"lof_neighbors"}, {Part::detector, "lof"}),
    fitted(Option{.name = "mc-dropout-samples",
                  .field = field<R, &R::mc_dropout_samples>,
                  .group = Group::detector,
                  .help = "mc_dropout: number of passes with dropout",
                  .is_in_plan = true,
                  .range = kRounds,
                  .conditions = {kDropout}},
           {"mc_dropout_samples"}, {Part::detector, "mc"}),
    fitted(Option{.name = "mc-dropout-metric",
                  .field = field<R, &R::mc_dropout_metric>,
                  .group = Group::detector,
                  .help = "mc_dropout: entropy or variance",
                  .conditions = {kDropout}},
           {"mc_dropout_metric"}, {Part::detector, ""}),
    fitted(Option{.name = "dam-lr",
                  .field = field<R, &R::dam_learning_rate>,
                  .group = Group::detector,
                  .help = "dam_msp, dam_energy: learning rate of PESG",
                  .range = above(0, 1'000),
                  .conditions = {kAucMargin}},
           unread_key("dam_lr"), {Part::auc_margin, "dam-lr"}),
    fitted(Option{.name = "dam-margin",
                  .field = field<R, &R::dam_margin>,
                  .group = Group::detector,
                  .help = "dam_msp, dam_energy: margin of the AUC loss",
                  .range = above(0, 1e6),
                  .conditions = {kAucMargin}},
           unread_key("dam_margin"), {Part::auc_margin, "margin"}),
    fitted(Option{.name = "calibration",
                  .field = field<R, &R::calibration>,
                  .group = Group::detector,
                  .help = "held-out (half of the validation molecules select the classifier, the other half "
                          "calibrates conformal) or validation (all do both, as in the Python project)",
                  .is_in_plan = true},
           unread_key("calibration"), {Part::classifier, "calibration"}),
    fitted(Option{.name = "metrics",
                  .field = field<R, &R::metrics>,
                  .group = Group::detector,
                  .help = "evaluation (as for energy heads) or baseline (AUPR and FPR95 as in the baseline "
                          "tables of the Python project)"},
           unread_key("metrics"), {Part::detector, "metrics"})};

constexpr std::array kDraw = {Option{.name = "seed",
                                     .field = field<R, &R::seed>,
                                     .group = Group::training,
                                     .help = "Seed of weights, molecule order and dropout",
                                     .is_common = true,
                                     .range = kSeed,
                                     .config = {"seed"},
                                     .identity = {Part::classifier, "seed"}},
                              unread_row(data_seed_row<R>()), features_row<R>({"features"}),
                              unread_row(dataset_type_row<R>())};

constexpr std::array kFiles = {
    precision_row<R>({.name = "precision", .may_be_missing = true, .is_remark = true}),
    allow_overlap_row<R>(),
    strict_row<R>(),
    spreadsheet_row<R>(),
    store_row<R>(),
    weights_row<R>(),
    random_weights_row<R>({.name = "random_weights", .may_be_missing = true, .is_remark = true})};

constexpr auto kTable = joined(kWhat, kClassifier, kDetectors, kDraw, unread_rows(size_rows<R>()),
                               placement_rows<R>(/*in_config=*/true), kFiles, compute_rows<R>());

}  // namespace

template <>
std::span<const Option> table<BaselineRequest>() {
  return kTable;
}

}  // namespace molgauge::options
