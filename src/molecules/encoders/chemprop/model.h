#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/dense.h"
#include "molecules/encoders/chemprop/featuriser.h"

namespace molgauge::encoders::chemprop {

enum class ActivationKind { relu, leaky_relu, prelu, tanh, elu, selu };

struct ModelActivation {
  ActivationKind kind = ActivationKind::relu;
  float slope = 0;  ///< factor for negative numbers of leaky ReLU and PReLU; alpha of ELU
  bool operator==(const ModelActivation&) const = default;
};

/// The form of the messages of a model. Models with the same form share the plan of a batch.
struct GraphForm {
  FeatureSet features = FeatureSet::v2;
  bool atom_messages = false;  ///< states belong to atoms; if false, to directed bonds
  bool undirected = false;     ///< both directions of a bond are averaged before each message
  std::size_t depth = 3;       ///< states are computed `depth` times
  bool operator==(const GraphForm&) const = default;
};

enum class Pooling { mean, sum, norm };

/// The kinds of feed-forward heads, with the numbers that they predict for each task.
enum class HeadKind {
  regression,     ///< one number for each task: the value
  mean_variance,  ///< two numbers for each task: mean and variance (Nix and Weigend 1994)
  evidential,     ///< four numbers for each task: mean, v, alpha, beta (Amini et al. 2020, arXiv:1910.02600)
  quantile,       ///< two numbers for each task: middle and width of an interval
  binary,         ///< one number for each task: the probability of class 1
  binary_dirichlet,      ///< two numbers for each task: probability of class 1, uncertainty (0 to 1)
  multiclass,            ///< one number for each class: the probability of the class
  multiclass_dirichlet,  ///< one number for each class: the probability of the class
};

/// The name for messages and reports, for example "regression-mve".
const char* to_string(HeadKind kind);

struct Head {
  HeadKind kind = HeadKind::regression;
  std::size_t tasks = 1;
  std::size_t classes = 0;  ///< number of classes for multiclass heads
  /// Scale and mean of the values of each task. If empty, the outputs are not scaled.
  std::vector<float> scale, mean;

  /// The number of outputs of the last layer for each task, which equals the number of predictions for it.
  std::size_t targets() const;
};

/// Numbers that the head takes in addition to the learned features of a molecule. Each is scaled as
/// (number - mean) / scale.
struct Descriptors {
  std::size_t count = 0;
  std::vector<double> mean, scale;  ///< if empty, the numbers are not scaled
  /// Version 2 of chemprop scales in single precision, version 1 in double precision.
  bool scales_in_single = true;
  /// The name of the generator in a checkpoint of version 1: "rdkit_2d" or "rdkit_2d_normalized". Empty if
  /// the checkpoint names none.
  std::string generator = {};

  /// Scales the numbers of one molecule. `numbers` and `scaled` have `count` elements.
  void scale_into(std::span<const double> numbers, std::span<float> scaled) const;
};

/// A trained chemprop model from a checkpoint. Matrices are [outputs, inputs]. There is no dropout.
struct Model {
  GraphForm form;
  std::int64_t hidden = 0;
  ModelActivation message_activation, head_activation;
  ops::Linear input, message, output;  ///< W_i, W_h and W_o; a missing bias is zero
  Pooling pooling = Pooling::mean;
  float norm = 1;                         ///< divisor of Pooling::norm
  std::vector<float> bn_scale, bn_shift;  ///< batch normalisation as x * scale + shift; empty if unused
  std::vector<ops::Linear> layers;        ///< layers of the head
  Descriptors descriptors;                ///< inputs of the head after the learned features
  Head head;
  std::vector<std::string> tasks;  ///< names; pred_0, pred_1, ... if the file has none
  bool has_task_names = false;
};

}  // namespace molgauge::encoders::chemprop
