#include "pockets/training/request_options.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "pockets/encoder_shape.h"

namespace molgauge::pocket {
namespace {

constexpr double kRounding = 1e-9;  ///< tolerance for the rounding error of the sum of two shares

Pooling pooling_of(const PocketEncoderOptions& options) {
  const bool has_heads = options.v3 && options.attention_heads > 1;
  if (!options.pooling) {
    return has_heads ? Pooling::heads : Pooling::attention;
  }
  if (*options.pooling == Pooling::heads && !options.v3) {
    throw UsageError("--pooling multihead belongs to V3 (--v3)");
  }
  if (*options.pooling != Pooling::heads && has_heads) {
    throw UsageError(
        fmt::format("--pooling {}: V3 with {} attention heads pools by attention. Add --attention-heads 1",
                    to_string(*options.pooling), options.attention_heads));
  }
  return *options.pooling;
}

}  // namespace

EncoderShape encoder_shape(const PocketEncoderOptions& options, std::int64_t output) {
  EncoderShape shape;
  shape.hidden = ops::Irreps::parse(options.hidden_irreps);
  shape.feature_hidden = static_cast<std::int64_t>(options.feature_hidden_dim);
  shape.output = output;
  shape.layers = static_cast<std::int64_t>(options.num_layers);
  shape.radial_basis.functions = static_cast<std::int64_t>(options.num_radial_basis);
  shape.gate = options.gate;
  shape.layer_norm = options.layer_norm;
  shape.multi_hop = options.multi_hop;
  shape.nonbonded = options.nonbonded;
  shape.pooling = pooling_of(options);
  shape.heads = static_cast<std::int64_t>(options.attention_heads);
  shape.channel_norm = options.reference_compatible ? ops::ChannelNorm::variance : ops::ChannelNorm::length;
  if (options.v3) {
    shape.third = V3Layers{.improved_layers = options.improved_layers,
                           .enhanced_invariants = options.enhanced_invariants,
                           .norm = options.norm,
                           .angle_weight = options.angle_weight,
                           .dihedral_weight = options.dihedral_weight,
                           .nonbonded_weight = options.nonbonded_weight};
  }
  return shape;
}

TrainingOptions training_options(const PocketTrainRequest& request, std::int64_t output) {
  TrainingOptions options;
  options.shape = encoder_shape(request.encoder, output);
  require_possible(options.shape);
  if (request.splits.empty() && request.train_ratio + request.val_ratio > 1 + kRounding) {
    throw UsageError(fmt::format("--train-ratio {} and --val-ratio {}: their sum must be at most 1",
                                 request.train_ratio, request.val_ratio));
  }
  options.dropout = request.encoder.dropout;
  options.loss = {request.loss, request.cosine_weight, request.mse_weight, request.temperature};
  if (options.loss.kind == PocketLoss::infonce && request.batch_size < 2) {
    throw UsageError("--loss infonce needs batches of at least two pockets. Raise --batch-size");
  }
  options.batch_size = request.batch_size;
  options.accumulation_steps = request.accumulation_steps;
  options.epochs = request.epochs;
  options.patience = request.patience;
  options.learning_rate = request.learning_rate;
  options.weight_decay = request.weight_decay;
  options.decoupled_decay = request.optimizer == Optimizer::adamw;
  options.schedule = request.scheduler;
  options.grad_clip = request.grad_clip;
  options.monitor_gradients = request.monitor_gradients;
  options.physics_weight = request.physics_weight;
  options.physics_nonbonded = request.physics_nonbonded;
  options.loader_threads = request.compute.conservative ? 0 : request.loader_threads;
  options.save_every = request.save_every;
  options.seed = request.seed;
  options.resume = request.resume;
  options.quiet = request.compute.quiet;
  options.memory_saving.checkpoint_activations = request.checkpoint_activations;
  options.memory_saving.autocast = request.autocast;
  options.memory_saving.is_conservative = request.compute.conservative;
  return options;
}

}  // namespace molgauge::pocket
