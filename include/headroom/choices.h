#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

/// The fixed choices of requests and reports. Options, JSON, config.json, TOML and CSV contain their words.
namespace headroom {

/// The words of an enum, in the order of its values. The values count from 0. If a word is empty, it is the
/// first one.
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
  parent,  ///< the molecule without counter-ions and solvents, with normalised functional groups, neutral
  /// The canonical tautomer of the parent. RDKit's rules and scores follow Sitzmann et al. (2010, DOI
  /// 10.1007/s10822-010-9346-4).
  tautomer,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Standardize> = {"none", "parent", "tautomer"};

/// The treatment of a molecule that cannot be embedded in three dimensions.
enum class ConformerFallback {
  by_default,  ///< the user has not chosen, so `drawing` applies
  drawing,     ///< the atoms get the coordinates of the drawing
  fail,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<ConformerFallback> = {"", "2d", "fail"};

/// The type of the numbers in the files of a shard.
enum class PartType { float32, float16 };
template <>
inline constexpr std::array<std::string_view, 2> kWords<PartType> = {"float32", "float16"};

// Benchmarks

/// The rules by which molecules are drawn from a benchmark.
enum class DatasetType {
  automatic,  ///< the rules that the benchmark names, else drugood
  drugood,
  good,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<DatasetType> = {"auto", "drugood", "good"};

/// The property by which a split groups molecules.
enum class DomainKind { scaffold, size, assay };
template <>
inline constexpr std::array<std::string_view, 3> kWords<DomainKind> = {"scaffold", "size", "assay"};

/// The shift between training and test of a split.
enum class Shift {
  covariate,      ///< the parts contain different domains
  concept_shift,  ///< good: the relation of labels and domains differs between the parts
  none,           ///< parts at random, for the program of GOOD
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Shift> = {"covariate", "concept", "none"};

/// The program whose rules a split follows.
enum class SplitAlgorithm { good, drugood };
template <>
inline constexpr std::array<std::string_view, 2> kWords<SplitAlgorithm> = {"good", "drugood"};

/// GOOD's programs, which differ in the order of domains and in the labels of a concept shift.
enum class GoodStyle {
  classes,  ///< GOOD-HIV and GOOD-PCBA: labels are classes
  values,   ///< GOOD-ZINC: labels are measured values
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<GoodStyle> = {"classes", "values"};

/// DrugOOD's filters of assays.
enum class AssaySubset { core, refined, general };
template <>
inline constexpr std::array<std::string_view, 3> kWords<AssaySubset> = {"core", "refined", "general"};

// Training

/// The losses of energy heads.
enum class Loss { dpo, bce, mse, hinge };
template <>
inline constexpr std::array<std::string_view, 4> kWords<Loss> = {"dpo", "bce", "mse", "hinge"};

enum class EarlyStoppingRule {
  /// Stop after `patience` consecutive epochs without an improvement. An improvement counts within an epoch
  /// and at its end. NaN is not an improvement.
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

/// The type of products and activations.
enum class Autocast {
  off,  ///< float32
  bf16,
  fp16,  ///< GPU
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Autocast> = {"off", "bf16", "fp16"};

/// The type of the moments of AdamW.
enum class MomentType { fp32, bf16 };
template <>
inline constexpr std::array<std::string_view, 2> kWords<MomentType> = {"fp32", "bf16"};

/// When cached GPU memory is released.
enum class EmptyCache { after_out_of_memory, never, every_epoch };
template <>
inline constexpr std::array<std::string_view, 3> kWords<EmptyCache> = {"auto", "never", "epoch"};

// Baselines

/// The labels of a benchmark that a classifier learns.
enum class LabelChoice {
  automatic,    ///< `tasks` if the benchmark has several labels for each molecule, else `two_outputs`
  two_outputs,  ///< cls_label, softmax over two outputs
  one_output,   ///< cls_label, sigmoid of one output
  multi_class,  ///< reg_label, which holds the classes 0, 1, 2 ...
  tasks,        ///< the list "labels" of every item, with one output for each label (0, 1 or unknown)
  value,        ///< reg_label as measured, squared error
};
template <>
inline constexpr std::array<std::string_view, 6> kWords<LabelChoice> = {"auto",        "class", "one-output",
                                                                        "multi-class", "tasks", "value"};

/// The baselines, in the order in which tables list them. BaselineRequest::method holds one of the words, or
/// "all" for the first ten.
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
  dam_msp_two_outputs,
  dam_energy_two_outputs,
  ood_classifier,
  outlier_exposure,
};
template <>
inline constexpr std::array<std::string_view, 14> kWords<BaselineMethod> = {"msp",
                                                                            "odin",
                                                                            "energy",
                                                                            "mahalanobis",
                                                                            "knn",
                                                                            "lof",
                                                                            "mc_dropout",
                                                                            "conformal",
                                                                            "dam_msp",
                                                                            "dam_energy",
                                                                            "dam_msp_two_outputs",
                                                                            "dam_energy_two_outputs",
                                                                            "ood_classifier",
                                                                            "outlier_exposure"};

enum class DropoutUncertainty {
  entropy,   ///< entropy of the mean prediction; for tasks the mean over the tasks
  variance,  ///< unbiased variance, over the passes, of the largest probability (tasks: the largest sigmoid)
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<DropoutUncertainty> = {"entropy", "variance"};

/// The molecules that calibrate conformal p-values.
enum class CalibrationMolecules {
  held_out,    ///< half of the validation molecules. The other half chooses the classifier
  validation,  ///< all validation molecules, as in the published program. The p-values are not valid, because
               ///< the same molecules choose the classifier
};
template <>
inline constexpr std::array<std::string_view, 2> kWords<CalibrationMolecules> = {"held-out", "validation"};

/// Two published ways to turn scores into AUPR and FPR95. AUROC is the same in both.
enum class MetricVariant {
  /// As for energy models. AUPR: trapezoid rule over the precision-recall points. FPR95: false-positive rate
  /// of the first ROC point with a true-positive rate of at least 0.95. The points are thinned as in
  /// scikit-learn 1.2 (a point with the same increments as the previous step is dropped).
  evaluation,
  /// As for baselines. AUPR: average precision. FPR95: share of the ID scores that are at least the OOD score
  /// at position floor(0.05 m) of the ascending OOD scores.
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
  coverage,     ///< share of the environments that near molecules lack (environment_index.h)
  mahalanobis,  ///< distance of the features to the mean of the training features (mahalanobis_distance.h)
  density,      ///< -ln of the kernel density of the features (reference.h)
};
template <>
inline constexpr std::array<std::string_view, 7> kWords<DomainMethod> = {
    "combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"};

/// How the width of prediction intervals varies.
enum class IntervalMethod {
  automatic,    ///< distance, both or quantiles: the method with the lowest Winkler score in calibration
  constant,     ///< all intervals have the same width
  distance,     ///< normalised by a difficulty that is linear in the distance
  uncertainty,  ///< normalised by a difficulty that is linear in the uncertainty that the user provides
  both,         ///< normalised by a difficulty that is linear in distance and uncertainty
  mondrian,     ///< up to five distance groups, with one width for each group
  quantiles,    ///< conformalised quantile regression (Romano et al. 2019, arXiv:1905.03222)
};
template <>
inline constexpr std::array<std::string_view, 7> kWords<IntervalMethod> = {
    "auto", "constant", "distance", "uncertainty", "both", "mondrian", "quantiles"};

enum class Verdict { inside, borderline, outside, unreadable };
template <>
inline constexpr std::array<std::string_view, 4> kWords<Verdict> = {"inside", "borderline", "outside",
                                                                    "unreadable"};

/// How a training molecule corresponds to a candidate. The kinds from `same` to `tautomer` are the same
/// molecule after standardisation.
enum class MatchKind : std::uint8_t {
  none,
  same,          ///< both drawings are the same
  same_parent,   ///< the drawings differ: salts, charges, functional groups
  tautomer,      ///< the parents differ, but the canonical tautomers are the same
  stereoisomer,  ///< only the stereochemistry differs, or only one drawing has it
};
template <>
inline constexpr std::array<std::string_view, 5> kWords<MatchKind> = {"", "same", "same parent", "tautomer",
                                                                      "stereoisomer"};

// RNA pockets

/// The kind of the files that pockets are built from.
enum class PocketInput { amber, structures, graphs };
template <>
inline constexpr std::array<std::string_view, 3> kWords<PocketInput> = {"amber", "structures", "graphs"};

/// The pockets that stay in one part of a split.
enum class SplitUnit {
  complex,  ///< "1aju_arg": all models of a complex
  ligand,   ///< "arg": all pockets with this ligand
  pdb,      ///< "1aju": all pockets of this PDB entry
  model,    ///< each pocket is split separately, as in the Python project. Models of one complex occur in all
            ///< parts
};
template <>
inline constexpr std::array<std::string_view, 4> kWords<SplitUnit> = {"complex", "ligand", "pdb", "model"};

/// The losses of pocket encoders.
enum class PocketLoss {
  mse,         ///< mean square of all differences
  cosine,      ///< mean over rows of 1 - cosine
  cosine_mse,  ///< weighted sum of both losses above
  infonce,     ///< contrastive loss: a row and its target are compared with all rows and targets of the batch
};
template <>
inline constexpr std::array<std::string_view, 4> kWords<PocketLoss> = {"mse", "cosine", "cosine_mse",
                                                                       "infonce"};

/// How a pocket gets its invariants from its atoms.
enum class Pooling {
  attention,
  mean,
  sum,
  max,
  heads,  ///< attention with several heads, V3 only
};
template <>
inline constexpr std::array<std::string_view, 5> kWords<Pooling> = {"attention", "mean", "sum", "max",
                                                                    "multihead"};

/// How V3 normalises the rows of atoms before and after the messages of a layer.
enum class StreamNorm {
  layer,  ///< a layer norm, described in EquivariantNorm
  rms,    ///< the whole row is divided by the root of its mean square, and each number is multiplied by a
          ///< learnt scale
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
  plateau,  ///< halved if the validation loss has not fallen by 0.01% for more than five epochs
  cosine,   ///< decreases to a hundredth over all epochs, along half a cosine
  none,
};
template <>
inline constexpr std::array<std::string_view, 3> kWords<RateSchedule> = {"plateau", "cosine", "none"};

/// The distance of a pocket and a ligand.
enum class PocketMetric { cosine, euclidean };
template <>
inline constexpr std::array<std::string_view, 2> kWords<PocketMetric> = {"cosine", "euclidean"};

/// The pockets that are evaluated.
enum class PocketPart { train, validation, test, all };
template <>
inline constexpr std::array<std::string_view, 4> kWords<PocketPart> = {"train", "val", "test", "all"};

}  // namespace headroom
