#include "molecules/encoders/chemprop/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/random_access.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/checkpoint_archive.h"
#include "molecules/encoders/chemprop/checkpoint_tensors.h"
#include "molecules/encoders/chemprop/checkpoint_values.h"
#include "molecules/encoders/chemprop/known_names.h"

namespace molgauge::encoders::chemprop {
namespace {

/// Maximum depth of the message passing. Without a limit, a hostile file could cause endless work.
constexpr std::int64_t kMaxDepth = 100;
constexpr std::int64_t kMaxLayers = 1000;
constexpr float kBatchNormEpsilon = 1e-5F;

/// Sets the sizes of the network from the tensors of the message passing. Their names begin with `prefix`.
/// `has_bias`: whether W_i and W_h have a bias. W_o always has one.
void take_messages(Tensors& tensors, const std::string& prefix, bool has_bias, Model& model) {
  const std::vector<std::int64_t> out = tensors.shape(prefix + "W_o.weight");
  const std::int64_t in = tensors.width(prefix + "W_i");
  if (out.size() != 2 || out[0] < 1 || out[1] <= out[0] || in < 1) {
    tensors.refuse("the sizes of its message passing do not fit each other. The file is damaged");
  }
  model.hidden = out[0];
  const std::int64_t atom = out[1] - model.hidden;
  const std::int64_t bond =
      model.form.atom_messages ? tensors.width(prefix + "W_h") - model.hidden : in - atom;
  const auto features = find_features(atom, bond);
  if (!features) {
    tensors.refuse(
        fmt::format("has {} features of an atom and {} of a bond. The sets of chemprop have 133 and 14 (v1), "
                    "72 and 14 (v2), "
                    "44 and 14 (organic), or 52 and 2 (RIGR). Models with additional atom or bond features, "
                    "and models of "
                    "reactions, are not supported: predict with chemprop",
                    atom, bond));
  }
  model.form.features = *features;
  const std::int64_t message = model.form.atom_messages ? model.hidden + bond : model.hidden;
  model.input = tensors.take_linear(prefix + "W_i", model.hidden,
                                    model.form.atom_messages ? atom : atom + bond, has_bias);
  model.message = tensors.take_linear(prefix + "W_h", model.hidden, message, has_bias);
  model.output = tensors.take_linear(prefix + "W_o", model.hidden, atom + model.hidden, /*has_bias=*/true);
}

/// Takes the learned slope of a PReLU.
float take_slope(Tensors& tensors, const std::string& name) {
  const std::vector<float> slope = tensors.take_numbers(name);
  if (slope.size() != 1) {
    tensors.refuse(fmt::format("the tensor {} holds {} slopes of PReLU, expected 1", name, slope.size()));
  }
  return slope.front();
}

/// The numbers in a name such as predictor.ffn.1.2.weight after its prefix. Layers are sorted by these
/// numbers.
std::vector<int> numbers_in(const std::string& name, std::size_t from) {
  std::vector<int> numbers;
  int number = -1;
  for (const char letter : name.substr(from)) {
    if (letter >= '0' && letter <= '9' && number < 100'000) {
      number = std::max(number, 0) * 10 + (letter - '0');
    } else if (number >= 0) {
      numbers.push_back(std::exchange(number, -1));
    }
  }
  return numbers;
}

/// Takes the layers of the head, whose names begin with `prefix`. `wanted`: the number of layers in the
/// settings, if they contain one.
void take_layers(Tensors& tensors, const std::string& prefix, const std::optional<std::int64_t>& wanted,
                 Model& model) {
  std::map<std::vector<int>, std::string> layers;
  std::vector<std::string> slopes;
  for (const auto& [name, tensor] : tensors.all()) {
    if (name.starts_with(prefix) && name.ends_with(".weight")) {
      if (tensor.shape.size() == 2) {
        layers[numbers_in(name, prefix.size())] = name.substr(0, name.size() - std::string(".weight").size());
      } else {
        slopes.push_back(name);
      }
    }
  }
  if (layers.empty()) {
    tensors.refuse("has no feed-forward layers. It is not a model of chemprop");
  }
  if (wanted && std::cmp_not_equal(*wanted, layers.size())) {
    tensors.refuse(fmt::format("has {} feed-forward layers, but its settings name {}. The file is damaged",
                               layers.size(), *wanted));
  }
  std::int64_t width = tensors.width(layers.begin()->second);
  if (width < model.hidden) {
    tensors.refuse(fmt::format("its head takes {} numbers and the messages give {}. The file is damaged",
                               width, model.hidden));
  }
  model.descriptors.count = static_cast<std::size_t>(width - model.hidden);
  for (const auto& [place, name] : layers) {
    const std::vector<std::int64_t> shape = tensors.shape(name + ".weight");
    if (shape[0] < 1) {
      tensors.refuse(fmt::format("the tensor {}.weight has no outputs. The file is damaged", name));
    }
    model.layers.push_back(tensors.take_linear(name, shape[0], width, /*has_bias=*/true));
    width = shape[0];
  }
  const bool is_prelu = model.head_activation.kind == ActivationKind::prelu;
  if (slopes.size() != (is_prelu ? layers.size() - 1 : 0)) {
    tensors.refuse(
        fmt::format("has {} slopes of PReLU in its head, but its settings name {}. The file is damaged",
                    slopes.size(), is_prelu ? layers.size() - 1 : 0));
  }
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const float slope = take_slope(tensors, slopes[i]);
    if (i > 0 && slope != model.head_activation.slope) {
      tensors.refuse(
          fmt::format("the slopes {} and {} differ, although all layers share one activation. The "
                      "file is damaged",
                      slopes[0], slopes[i]));
    }
    model.head_activation.slope = slope;
  }
}

/// Batch normalisation with running statistics as x * scale + shift.
void take_batch_norm(Tensors& tensors, Model& model) {
  const std::vector<std::int64_t> shape = {model.hidden};
  const ops::Floats weight = tensors.take("bn.weight", shape), bias = tensors.take("bn.bias", shape);
  const ops::Floats mean = tensors.take("bn.running_mean", shape);
  const ops::Floats variance = tensors.take("bn.running_var", shape);
  for (std::int64_t i = 0; i < model.hidden; ++i) {
    const float scale = weight.data()[i] / std::sqrt(variance.data()[i] + kBatchNormEpsilon);
    if (!std::isfinite(scale)) {
      tensors.refuse("the tensor bn.running_var has a negative variance. The file is damaged");
    }
    model.bn_scale.push_back(scale);
    model.bn_shift.push_back(bias.data()[i] - mean.data()[i] * scale);
  }
}

/// Sets the scaling of the descriptors.
void set_scaling(const std::string& file, std::vector<double> mean, std::vector<double> scale,
                 bool scales_in_single, Model& model) {
  Descriptors& descriptors = model.descriptors;
  if (mean.size() != descriptors.count || scale.size() != descriptors.count ||
      std::any_of(scale.begin(), scale.end(),
                  [](double number) { return number == 0 || !std::isfinite(number); }) ||
      !std::all_of(mean.begin(), mean.end(), [](double number) { return std::isfinite(number); })) {
    throw InputError(
        fmt::format("{}: scales {} descriptors by {} means and {} standard deviations. The file "
                    "is damaged",
                    file, descriptors.count, mean.size(), scale.size()));
  }
  descriptors.mean = std::move(mean);
  descriptors.scale = std::move(scale);
  descriptors.scales_in_single = scales_in_single;
}

std::size_t checked_depth(const Settings& settings) {
  const std::int64_t depth = settings.integer("depth").value_or(3);
  if (depth < 1 || depth > kMaxDepth) {
    settings.refuse("depth", fmt::format("is {}. Models of 1 to {} steps are supported", depth, kMaxDepth));
  }
  return static_cast<std::size_t>(depth);
}

void set_norm(const Settings& settings, const char* key, Model& model) {
  const double norm = settings.number(key).value_or(100);
  if (!std::isfinite(norm) || norm == 0) {
    settings.refuse(key, "is not a divisor");
  }
  model.norm = static_cast<float>(norm);
}

/// Sets the number of tasks from the last layer, and checks scales and names.
void finish_head(const std::string& file, Model& model) {
  Head& head = model.head;
  const auto outputs = static_cast<std::size_t>(model.layers.back().weight.size(0));
  const auto refuse = [&](const std::string& reason) { throw InputError(file + ": " + reason); };
  const std::size_t targets = head.targets();
  if (targets == 0 || outputs == 0 || outputs % targets != 0) {
    refuse(fmt::format("its last layer has {} outputs, which are not {} for each task. The file is damaged",
                       outputs, targets));
  }
  head.tasks = outputs / targets;
  if (head.scale.size() != head.mean.size() || (!head.scale.empty() && head.scale.size() != head.tasks)) {
    refuse(fmt::format("has {} means and {} scales of targets for {} tasks. The file is damaged",
                       head.mean.size(), head.scale.size(), head.tasks));
  }
  model.has_task_names = !model.tasks.empty();
  if (!model.has_task_names) {
    for (std::size_t task = 0; task < head.tasks; ++task) {
      model.tasks.push_back(fmt::format("pred_{}", task));
    }
  }
  if (model.tasks.size() != head.tasks) {
    refuse(
        fmt::format("names {} tasks and predicts {}. The file is damaged", model.tasks.size(), head.tasks));
  }
}

// Version 1.

void refuse_unsupported(const Settings& args) {
  const auto refuse_if = [&](bool is_set, const char* key, const char* part) {
    if (is_set) {
      args.refuse(key, fmt::format("{} are not supported. Predict with chemprop", part));
    }
  };
  refuse_if(args.integer("number_of_molecules").value_or(1) != 1, "number_of_molecules",
            "models of several molecules");
  refuse_if(args.truth("reaction"), "reaction", "models of reactions");
  refuse_if(args.truth("reaction_solvent"), "reaction_solvent", "models of reactions");
  refuse_if(args.truth("features_only"), "features_only", "models without messages");
  refuse_if(args.has("atom_descriptors"), "atom_descriptors", "atom descriptors");
  refuse_if(args.has("bond_descriptors"), "bond_descriptors", "bond descriptors");
  refuse_if(args.truth("is_atom_bond_targets"), "is_atom_bond_targets", "targets of atoms and bonds");
  if (args.truth("bias")) {
    args.refuse(
        "bias",
        "chemprop 1 lets the bias of padded rows change the predictions, which then depend on the other "
        "molecules of a batch. Train the model without --bias, or with chemprop 2");
  }
  refuse_if(args.truth("adding_h"), "adding_h", "models with added hydrogens");
  refuse_if(args.truth("explicit_h"), "explicit_h", "models with explicit hydrogens");
}

/// Sets the generator of the descriptors.
void set_generator(const Settings& args, Model& model) {
  constexpr std::size_t kDescriptors = 200;
  const std::vector<std::string> names = args.texts("features_generator");
  if (names.empty()) {
    return;
  }
  if (names.size() != 1 || (names[0] != "rdkit_2d" && names[0] != "rdkit_2d_normalized")) {
    args.refuse("features_generator",
                "generated features other than rdkit_2d are not supported. Predict with chemprop");
  }
  if (model.descriptors.count != kDescriptors) {
    args.refuse("features_generator",
                fmt::format("names {}, which has {} descriptors, but the head takes {}. The file is damaged",
                            names[0], kDescriptors, model.descriptors.count));
  }
  model.descriptors.generator = names[0];
}

HeadKind head_kind_v1(const Settings& args) {
  const std::string type = args.text("dataset_type").value_or("regression");
  const std::string loss = args.text("loss_function").value_or("");
  if (type == "regression") {
    if (loss == "mve") {
      return HeadKind::mean_variance;
    }
    if (loss == "evidential") {
      return HeadKind::evidential;
    }
    if (loss == "quantile_interval") {
      return HeadKind::quantile;
    }
    if (loss.empty() || loss == "mse" || loss == "bounded_mse") {
      return HeadKind::regression;
    }
  } else if (type == "classification") {
    if (loss == "dirichlet") {
      return HeadKind::binary_dirichlet;
    }
    if (loss.empty() || loss == "binary_cross_entropy" || loss == "mcc") {
      return HeadKind::binary;
    }
  } else if (type == "multiclass") {
    if (loss == "dirichlet") {
      return HeadKind::multiclass_dirichlet;
    }
    if (loss.empty() || loss == "cross_entropy" || loss == "mcc") {
      return HeadKind::multiclass;
    }
  }
  args.refuse(
      "dataset_type",
      fmt::format("models of the type '{}' with the loss '{}' are not supported. Predict with chemprop",
                  type.substr(0, 40), loss.substr(0, 40)));
}

/// Older versions do not number the encoder and do not call the head "readout".
std::string message_prefix_v1(const Tensors& tensors) {
  for (const char* const prefix : {"encoder.encoder.0.", "encoder.encoder.", "encoder."}) {
    if (tensors.has(std::string(prefix) + "W_i.weight")) {
      return prefix;
    }
  }
  return "encoder.encoder.0.";
}

std::string head_prefix_v1(const Tensors& tensors) {
  const bool has_readout = std::any_of(tensors.all().begin(), tensors.all().end(), [](const auto& tensor) {
    return tensor.first.starts_with("readout.");
  });
  return has_readout ? "readout." : "ffn.";
}

Pooling pooling_of(const Settings& settings, const char* key, const std::string& name) {
  if (name == "mean" || name == "MeanAggregation") {
    return Pooling::mean;
  }
  if (name == "sum" || name == "SumAggregation") {
    return Pooling::sum;
  }
  if (name == "norm" || name == "NormAggregation") {
    return Pooling::norm;
  }
  settings.refuse(key,
                  fmt::format("the aggregation '{}' is not supported. Train the model with mean, sum or norm "
                              "aggregation, or predict with chemprop",
                              name.substr(0, 60)));
}

std::vector<float> in_single(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

/// `pickle`: the bytes of the pickle.
Model read_v1(const Settings& root, const io::RandomAccess& pickle, Tensors tensors) {
  const Settings args = root.inner("args");
  refuse_unsupported(args);
  Model model;
  model.form.atom_messages = args.truth("atom_messages");
  model.form.undirected = args.truth("undirected");
  if (model.form.atom_messages && model.form.undirected) {
    args.refuse("undirected", "together with atom_messages is not supported. Predict with chemprop");
  }
  model.form.depth = checked_depth(args);
  model.message_activation = model.head_activation = read_activation(args);
  const std::string prefix = message_prefix_v1(tensors);
  tensors.drop(prefix + "cached_zero_vector");
  take_messages(tensors, prefix, /*has_bias=*/false, model);
  if (model.message_activation.kind == ActivationKind::prelu) {
    model.message_activation.slope = take_slope(tensors, prefix + "act_func.weight");
  }
  model.pooling = pooling_of(args, "aggregation", args.text("aggregation").value_or("mean"));
  set_norm(args, "aggregation_norm", model);
  take_layers(tensors, head_prefix_v1(tensors), args.integer("ffn_num_layers"), model);
  set_generator(args, model);
  tensors.require_nothing_left();
  model.head.kind = head_kind_v1(args);
  model.head.classes =
      static_cast<std::size_t>(std::max<std::int64_t>(args.integer("multiclass_num_classes").value_or(3), 0));
  model.tasks = args.texts("task_names");
  const Settings scaler = root.inner("data_scaler");
  if (args.text("dataset_type").value_or("regression") == "regression") {  // chemprop scales all such targets
    model.head.mean = in_single(read_numbers(scaler, "means", pickle));
    model.head.scale = in_single(read_numbers(scaler, "stds", pickle));
  }
  const Settings features = root.inner("features_scaler");
  const bool is_scaled = args.has("no_features_scaling") && !args.truth("no_features_scaling");
  if (model.descriptors.count > 0 && (is_scaled || features.has("means") || features.has("stds"))) {
    set_scaling(root.name(), read_numbers(features, "means", pickle), read_numbers(features, "stds", pickle),
                /*scales_in_single=*/false, model);
  }
  finish_head(root.name(), model);
  return model;
}

// Version 2.

HeadKind head_kind_v2(const Settings& predictor) {
  const std::string name = predictor.class_name("cls");
  constexpr std::pair<const char*, HeadKind> kHeads[] = {
      {"RegressionFFN", HeadKind::regression},
      {"MveFFN", HeadKind::mean_variance},
      {"EvidentialFFN", HeadKind::evidential},
      {"QuantileFFN", HeadKind::quantile},
      {"BinaryClassificationFFN", HeadKind::binary},
      {"BinaryDirichletFFN", HeadKind::binary_dirichlet},
      {"MulticlassClassificationFFN", HeadKind::multiclass},
      {"MulticlassDirichletFFN", HeadKind::multiclass_dirichlet},
  };
  for (const auto& [known, kind] : kHeads) {
    if (name == known) {
      return kind;
    }
  }
  predictor.refuse("cls",
                   fmt::format("the head '{}' is not supported. Predict with chemprop", name.substr(0, 60)));
}

bool is_atom_messages(const Settings& messages) {
  const std::string name = messages.class_name("cls");
  if (name != "BondMessagePassing" && name != "AtomMessagePassing") {
    messages.refuse("cls", fmt::format("'{}' is not supported, only messages along bonds and between atoms "
                                       "of one molecule. Predict with chemprop",
                                       name.substr(0, 60)));
  }
  return name == "AtomMessagePassing";
}

/// Whether a setting is a transform that has tensors.
bool is_transform(const Settings& settings, const char* key) {
  return settings.has(key) && settings.class_name(key) != "Identity";
}

void take_scaler(Tensors& tensors, const Settings& predictor, Head& head) {
  if (is_transform(predictor, "output_transform") || tensors.has("predictor.output_transform.mean")) {
    head.mean = tensors.take_numbers("predictor.output_transform.mean");
    head.scale = tensors.take_numbers("predictor.output_transform.scale");
  }
}

void take_descriptor_scaler(Tensors& tensors, const Settings& hyper, const std::string& file, Model& model) {
  if (is_transform(hyper, "X_d_transform") || tensors.has("X_d_transform.mean")) {
    const std::vector<float> mean = tensors.take_numbers("X_d_transform.mean");
    const std::vector<float> scale = tensors.take_numbers("X_d_transform.scale");
    set_scaling(file, {mean.begin(), mean.end()}, {scale.begin(), scale.end()}, /*scales_in_single=*/true,
                model);
  }
}

Model read_v2(const Settings& root, Tensors tensors) {
  const Settings hyper = root.inner("hyper_parameters");
  const Settings messages = hyper.inner("message_passing"), pooling = hyper.inner("agg");
  const Settings predictor = hyper.inner("predictor");
  for (const char* const prefix : {"predictor.criterion.", "metrics.", "bn.num_batches_tracked"}) {
    tensors.drop(prefix);
  }
  Model model;
  model.form.atom_messages = is_atom_messages(messages);
  model.form.undirected = messages.truth("undirected");
  model.form.depth = checked_depth(messages);
  model.message_activation = read_activation(messages);
  model.head_activation = read_activation(predictor);
  take_messages(tensors, "message_passing.", messages.truth("bias"), model);
  if (model.message_activation.kind == ActivationKind::prelu) {
    model.message_activation.slope = take_slope(tensors, "message_passing.tau.weight");
  }
  model.pooling = pooling_of(pooling, "cls", pooling.class_name("cls"));
  set_norm(pooling, "norm", model);
  if (hyper.has("batch_norm") ? hyper.truth("batch_norm") : tensors.has("bn.running_mean")) {
    take_batch_norm(tensors, model);
  }
  model.head.kind = head_kind_v2(predictor);
  const std::optional<std::int64_t> hidden_layers = predictor.integer("n_layers");
  const bool is_count = hidden_layers && *hidden_layers >= 0 && *hidden_layers < kMaxLayers;
  take_layers(tensors, "predictor.ffn.", is_count ? std::optional(*hidden_layers + 1) : hidden_layers, model);
  take_scaler(tensors, predictor, model.head);
  take_descriptor_scaler(tensors, hyper, root.name(), model);
  tensors.require_nothing_left();
  const std::int64_t classes = predictor.integer("n_classes").value_or(0);
  model.head.classes = static_cast<std::size_t>(std::max<std::int64_t>(classes, 0));
  model.tasks = root.texts("output_columns");
  finish_head(root.name(), model);
  return model;
}

}  // namespace

Model read_model(const std::filesystem::path& path) { return read_model(io::open_random_access(path)); }

Model read_model(std::unique_ptr<io::RandomAccess> bytes) {
  const std::string name = bytes->name();
  const io::CheckpointArchive archive(std::move(bytes));
  const io::PickleDocument document = archive.structure(io::kModelLimits);
  require_known_names(document, name);
  const Settings root(document.root(), name);
  const bool is_v1 = root.has("args");
  if (!is_v1 && !root.has("hyper_parameters")) {
    throw InputError(name +
                     ": is not a model of chemprop, because it has neither `args` nor `hyper_parameters`. "
                     "Give a .pt or .ckpt file that chemprop has saved");
  }
  if (!root.has("state_dict") || root.has("model_state_dict")) {
    throw InputError(
        name +
        ": does not have exactly one set of weights, called `state_dict`, as models of chemprop do. "
        "Save the model again with chemprop");
  }
  Tensors tensors(io::read_checkpoint(archive, document), name);
  const auto pickle = io::random_access_in_memory(name, archive.read("data.pkl"));
  return is_v1 ? read_v1(root, *pickle, std::move(tensors)) : read_v2(root, std::move(tensors));
}

}  // namespace molgauge::encoders::chemprop
