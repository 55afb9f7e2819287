#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

/// The enumerations of requests and reports. Each value has a word. Options, JSON, config.json, TOML and CSV
/// contain the word.
namespace molgauge {

/// The words of an enum, in the order of its values, which count from 0. The first word may be empty. It then
/// means that no value was chosen.
template <typename Enum>
inline constexpr std::array<std::string_view, 0> kWords = {};

template <typename Enum>
concept Choice = std::is_enum_v<Enum> && !kWords<Enum>.empty();

template <Choice Enum>
std::string to_string(Enum value) {
  return std::string(kWords<Enum>.at(static_cast<std::size_t>(value)));
}

/// Returns the word of an optional choice, or an empty text if the choice has no value.
template <Choice Enum>
std::string to_string(const std::optional<Enum>& value) {
  return value ? to_string(*value) : "";
}

/// Returns the value of a word, or nothing if the enum has no such word.
template <Choice Enum>
constexpr std::optional<Enum> from_word(std::string_view word) {
  for (std::size_t i = 0; i < kWords<Enum>.size(); ++i) {
    if (kWords<Enum>[i] == word) {
      return static_cast<Enum>(i);
    }
  }
  return std::nullopt;
}

// Molecules

/// The form in which molecules are compared. Names and rules follow RDKit's MolStandardize.
enum class Standardize {
  none,    ///< molecules as drawn
  parent,  ///< the neutral molecule without counter-ions and solvents, with normalised functional groups
  /// The canonical tautomer of the parent. RDKit's rules and scores follow Sitzmann et al. (2010, DOI
  /// 10.1007/s10822-010-9346-4).
  tautomer,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Standardize> = {"none", "parent", "tautomer"};

/// The treatment of a molecule that cannot be embedded in three dimensions.
enum class ConformerFallback {
  by_default,  ///< the user has not chosen, so `drawing` applies
  drawing,     ///< the atoms get the 2D coordinates of a drawing
  fail,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<ConformerFallback> = {"", "2d", "fail"};

/// The program that generates conformers.
enum class ConformerEngine {
  by_default,  ///< the user has not chosen, so `exact` applies
  exact,       ///< RDKit, bit-identical coordinates
  fast,        ///< the vectorised engine of Molgauge, with the parameters of RDKit
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<ConformerEngine> = {"", "exact", "fast"};

/// The number format of the files of a shard.
enum class PartType { float32, float16 };
template <>
inline constexpr std::array<std::string_view, 2> kWords<PartType> = {"float32", "float16"};

// Benchmarks

/// The rules by which molecules are drawn from a benchmark.
enum class DatasetType {
  automatic,  ///< the rules that the benchmark file names, or `drugood` if it names none
  drugood,
  good,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<DatasetType> = {"auto", "drugood", "good"};

/// The property by which a split groups molecules into domains.
enum class DomainKind { scaffold, size, assay };
template <>
inline constexpr std::array<std::string_view, 3> kWords<DomainKind> = {"scaffold", "size", "assay"};

/// The distribution shift between the training part and the test part of a split.
enum class Shift {
  covariate,      ///< the parts contain different domains
  concept_shift,  ///< only for `good`: the relation of labels and domains differs between the parts
  none,           ///< only for `good`: the parts are random
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Shift> = {"covariate", "concept", "none"};

/// The program whose rules a split follows.
enum class SplitAlgorithm { good, drugood };
template <>
inline constexpr std::array<std::string_view, 2> kWords<SplitAlgorithm> = {"good", "drugood"};

/// The variants of GOOD's algorithm. They differ in the order of domains and in the labels of a concept
/// shift.
enum class GoodStyle {
  classes,  ///< GOOD-HIV and GOOD-PCBA: labels are classes
  values,   ///< GOOD-ZINC: labels are measured values
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<GoodStyle> = {"classes", "values"};

/// The published rules of DrugOOD that select assays.
enum class AssaySubset { core, refined, general };
template <>
inline constexpr std::array<std::string_view, 3> kWords<AssaySubset> = {"core", "refined", "general"};

// Training

/// The losses of energy heads.
enum class Loss { dpo, bce, mse, hinge };
template <>
inline constexpr std::array<std::string_view, 4> kWords<Loss> = {"dpo", "bce", "mse", "hinge"};

enum class EarlyStoppingRule {
  /// Stop after `patience` consecutive epochs without an improvement. Improvements within an epoch and at its
  /// end both count. NaN is not an improvement.
  plain,
  /// The rule of the published Python program. After the last evaluation of an epoch, the counter is
  /// increased if the AUROC is at most the best AUROC + 1e-12. The best AUROC may be from the same epoch. An
  /// improvement therefore sets the counter to 1 instead of 0. An improvement within an epoch does not reset
  /// the counter. NaN leaves it unchanged.
  reference,
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<EarlyStoppingRule> = {"plain", "reference"};

/// Whether activations are computed again in the backward pass.
enum class Checkpointing {
  automatic,  ///< activations are recomputed if memory requires it
  on,
  off,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Checkpointing> = {"auto", "on", "off"};

/// The number format of matrix products and activations.
enum class Autocast {
  off,  ///< float32
  bf16,
  fp16,  ///< GPU
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Autocast> = {"off", "bf16", "fp16"};

/// The number format of the moments of AdamW.
enum class MomentType { fp32, bf16 };
template <>
inline constexpr std::array<std::string_view, 2> kWords<MomentType> = {"fp32", "bf16"};

/// When cached GPU memory is released.
enum class EmptyCache { after_out_of_memory, never, every_epoch };
template <>
inline constexpr std::array<std::string_view, 3> kWords<EmptyCache> = {"auto", "never", "epoch"};

// Baselines

/// The labels of a benchmark that a classifier learns, and the outputs of the classifier.
enum class LabelChoice {
  automatic,    ///< `tasks` if each molecule has several labels, otherwise `two_outputs`
  two_outputs,  ///< cls_label, softmax over two outputs
  one_output,   ///< cls_label, sigmoid of one output
  multi_class,  ///< reg_label, which holds the classes 0, 1, 2 ...
  tasks,        ///< the list "labels" of every item, with one output for each label (0, 1 or unknown)
  value,        ///< reg_label as measured, squared error
};
template <>
inline constexpr std::array<std::string_view, 6> kWords<LabelChoice> = {"auto",        "class", "one-output",
                                                                        "multi-class", "tasks", "value"};

/// The baselines, in the order in which tables of results list them. BaselineRequest::method contains one of
/// the words, or "all", which stands for the first twelve baselines.
enum class BaselineMethod {
  msp,
  odin,
  energy,
  mahalanobis,
  knn,
  lof,
  mc_dropout,
  conformal,
  dam_msp,
  dam_energy,
  raw_mahalanobis,
  raw_knn,
  dam_msp_two_outputs,
  dam_energy_two_outputs,
  ood_classifier,
  outlier_exposure,
  logistic_regression,
};
template <>
inline constexpr std::array<std::string_view, 17> kWords<BaselineMethod> = {"msp",
                                                                            "odin",
                                                                            "energy",
                                                                            "mahalanobis",
                                                                            "knn",
                                                                            "lof",
                                                                            "mc_dropout",
                                                                            "conformal",
                                                                            "dam_msp",
                                                                            "dam_energy",
                                                                            "raw_mahalanobis",
                                                                            "raw_knn",
                                                                            "dam_msp_two_outputs",
                                                                            "dam_energy_two_outputs",
                                                                            "ood_classifier",
                                                                            "outlier_exposure",
                                                                            "logistic_regression"};

enum class DropoutUncertainty {
  entropy,  ///< entropy of the mean prediction. For several tasks, the mean of their entropies
  /// Unbiased variance of the largest probability over the dropout passes. Several tasks use the largest
  /// sigmoid instead.
  variance,
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<DropoutUncertainty> = {"entropy", "variance"};

/// The molecules that calibrate conformal p-values.
enum class CalibrationMolecules {
  held_out,  ///< half of the validation molecules. The other half is used to choose the best epoch
  /// All validation molecules, as in the published program. The p-values are then not valid, because the best
  /// epoch of the classifier is chosen with the same molecules.
  validation,
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<CalibrationMolecules> = {"held-out", "validation"};

/// Two published ways to turn scores into AUPR and FPR95. AUROC is the same in both.
enum class MetricVariant {
  /// The metrics of the published energy models. AUPR is the area under the precision-recall points by the
  /// trapezoid rule. FPR95 is the false-positive rate at the first ROC point with a true-positive rate of at
  /// least 0.95. As in scikit-learn 1.2, an inner point is skipped if both counts increase by equal amounts
  /// in the steps before and after it.
  evaluation,
  /// The metrics of the published baselines. AUPR is the average precision. FPR95 is the share of the ID
  /// scores that reach a threshold. The threshold is the OOD score at index floor(0.05 m) of the m OOD
  /// scores in ascending order.
  baseline,
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<MetricVariant> = {"evaluation", "baseline"};

// Applicability domains

/// The ways to measure the distance of a molecule to a training set.
enum class DomainMethod {
  combined,     ///< Fisher's combination of knn, rarity and coverage (score_tail.h)
  knn,          ///< mean cosine distance to the features of the k nearest training molecules
  tanimoto,     ///< 1 - Tanimoto similarity of environment counts to the nearest training molecule
  rarity,       ///< weighted Tanimoto (environment_index.h)
  coverage,     ///< share of its environments that the nearest molecules lack (environment_index.h)
  mahalanobis,  ///< distance of the features to the mean of the training features (mahalanobis_distance.h)
  density,      ///< -ln of the kernel density of the features (reference.h)
};
template <>
inline constexpr std::array<std::string_view, 7> kWords<DomainMethod> = {
    "combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"};

/// How the width of prediction intervals varies.
enum class IntervalMethod {
  automatic,    ///< whichever of `constant`, `distance`, `both`, `opinion` and `quantiles` has the lowest
                ///< Winkler score in calibration
  constant,     ///< all intervals have the same width
  distance,     ///< normalised by a difficulty that is linear in the distance
  uncertainty,  ///< normalised by a difficulty that is linear in the uncertainty that the user provides
  both,         ///< normalised by a difficulty that is linear in distance and uncertainty
  mondrian,     ///< up to five groups by distance, with one width for each group
  quantiles,    ///< conformalised quantile regression (Romano et al. 2019, arXiv:1905.03222)
  opinion,      ///< normalised by a difficulty that is linear in distance, uncertainty and the second opinion
};
template <>
inline constexpr std::array<std::string_view, 8> kWords<IntervalMethod> = {
    "auto", "constant", "distance", "uncertainty", "both", "mondrian", "quantiles", "opinion"};

enum class Verdict { inside, borderline, outside, unreadable };
template <>
inline constexpr std::array<std::string_view, 4> kWords<Verdict> = {"inside", "borderline", "outside",
                                                                    "unreadable"};

/// How a training molecule corresponds to a candidate. For `same`, `same_parent` and `tautomer`, they are the
/// same molecule after standardisation.
enum class MatchKind : std::uint8_t {
  none,
  same,          ///< both drawings are the same
  same_parent,   ///< the drawings differ in salts, charges or functional groups
  tautomer,      ///< the parents differ, but the canonical tautomers are the same
  stereoisomer,  ///< only the stereochemistry differs, or only one drawing specifies it
};
template <>
inline constexpr std::array<std::string_view, 5> kWords<MatchKind> = {"", "same", "same parent", "tautomer",
                                                                      "stereoisomer"};

// RNA pockets

/// The kind of files from which pockets are built.
enum class PocketInput { amber, structures, graphs };
template <>
inline constexpr std::array<std::string_view, 3> kWords<PocketInput> = {"amber", "structures", "graphs"};

/// The groups of pockets that a split keeps together in one part.
enum class SplitUnit {
  complex,  ///< "1aju_arg": all models of a complex
  ligand,   ///< "arg": all pockets with this ligand
  pdb,      ///< "1aju": all pockets of this PDB entry
  /// Each pocket is its own group, as in the Python project. Models of one complex then occur in several
  /// parts.
  model,
};
template <>
inline constexpr std::array<std::string_view, 4> kWords<SplitUnit> = {"complex", "ligand", "pdb", "model"};

/// The losses of pocket encoders.
enum class PocketLoss {
  mse,         ///< mean square of all differences
  cosine,      ///< mean over rows of 1 - cosine
  cosine_mse,  ///< weighted sum of `mse` and `cosine`
  infonce,     ///< contrastive loss: a row and its target are compared with all rows and targets of the batch
};
template <>
inline constexpr std::array<std::string_view, 4> kWords<PocketLoss> = {"mse", "cosine", "cosine_mse",
                                                                       "infonce"};

/// How the pocket encoder pools the features of atoms into the invariant features of a pocket.
enum class Pooling {
  attention,
  mean,
  sum,
  max,
  heads,  ///< attention with several heads. Only for encoder V3
};
template <>
inline constexpr std::array<std::string_view, 5> kWords<Pooling> = {"attention", "mean", "sum", "max",
                                                                    "multihead"};

/// How encoder V3 normalises the features of atoms before and after the messages of a layer.
enum class StreamNorm {
  layer,  ///< layer norm as in EquivariantNorm
  /// Divides the whole row by the root of its mean square, and multiplies each number by a learnt scale.
  rms,
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<StreamNorm> = {"layer", "rms"};

enum class Optimizer {
  adam,   ///< weight decay is L2
  adamw,  ///< weight decay is decoupled
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<Optimizer> = {"adam", "adamw"};

/// How the learning rate changes from epoch to epoch.
enum class RateSchedule {
  plateau,  ///< halved if the validation loss has not improved by 0.01 % for more than five epochs
  cosine,   ///< decreases to 1 % over all epochs, along half a cosine
  none,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<RateSchedule> = {"plateau", "cosine", "none"};

/// The measure of the distance between a pocket and a ligand.
enum class PocketMetric { cosine, euclidean };
template <>
inline constexpr std::array<std::string_view, 2> kWords<PocketMetric> = {"cosine", "euclidean"};

/// The pockets that are evaluated.
enum class PocketPart { train, validation, test, all };
template <>
inline constexpr std::array<std::string_view, 4> kWords<PocketPart> = {"train", "val", "test", "all"};

}  // namespace molgauge
