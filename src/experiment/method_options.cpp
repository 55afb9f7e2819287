#include "experiment/method_options.h"

#include <array>

#include "experiment/option_table.h"
#include "headroom/baseline_options.h"

namespace headroom::experiment {
namespace {

using Train = TrainRequest;

/// "auto", or a number, which TOML writes without quotes.
void set_accumulation(Train& request, const OptionValue& value) {
  if (const auto* const parts = std::get_if<std::int64_t>(&value)) {
    request.gradient_accumulation = std::to_string(*parts);
  } else {
    assign(request.gradient_accumulation, value);
  }
}

constexpr std::array kEnergyOptions = {
    Option<Train>{"loss", set_field<&Train::loss>},
    Option<Train>{"dpo-beta", set_field<&Train::dpo_beta>},
    Option<Train>{"hinge-margin", set_field<&Train::hinge_margin>},
    Option<Train>{"hinge-topk", set_field<&Train::hinge_topk>},
    Option<Train>{"hinge-squared", set_field<&Train::hinge_squared>},
    Option<Train>{"lambda-reg", set_field<&Train::lambda_reg>},
    Option<Train>{"hidden-dim", set_field<&Train::hidden_dim>},
    Option<Train>{"dropout", set_field<&Train::dropout>},
    Option<Train>{"epochs", set_field<&Train::epochs>},
    Option<Train>{"batch-size", set_field<&Train::batch_size>},
    Option<Train>{"eval-batch-size", set_field<&Train::eval_batch_size>},
    Option<Train>{"lr", set_field<&Train::learning_rate>},
    Option<Train>{"weight-decay", set_field<&Train::weight_decay>},
    Option<Train>{"grad-clip", set_field<&Train::grad_clip>},
    Option<Train>{"eval-steps", set_field<&Train::eval_steps>},
    Option<Train>{"patience", set_field<&Train::patience>},
    Option<Train>{"early-stopping", set_field<&Train::early_stopping>},
    Option<Train>{"gradient-accumulation", set_accumulation},
    Option<Train>{"checkpoint-activations", set_field<&Train::checkpoint_activations>},
    Option<Train>{"autocast", set_field<&Train::autocast>},
    Option<Train>{"optimizer-state", set_field<&Train::optimizer_state>},
    Option<Train>{"empty-cache", set_field<&Train::empty_cache>},
};

using Baseline = BaselineRequest;
constexpr std::array kBaselineOptions = {
    Option<Baseline>{"labels", set_field<&Baseline::labels>},
    Option<Baseline>{"hidden-channels", set_field<&Baseline::hidden_channels>},
    Option<Baseline>{"num-layers", set_field<&Baseline::num_layers>},
    Option<Baseline>{"dropout", set_field<&Baseline::dropout>},
    Option<Baseline>{"lr", set_field<&Baseline::learning_rate>},
    Option<Baseline>{"weight-decay", set_field<&Baseline::weight_decay>},
    Option<Baseline>{"epochs", set_field<&Baseline::epochs>},
    Option<Baseline>{"batch-size", set_field<&Baseline::batch_size>},
    Option<Baseline>{"patience", set_field<&Baseline::patience>},
    Option<Baseline>{"eval-batch-size", set_field<&Baseline::eval_batch_size>},
    Option<Baseline>{"calibration", set_field<&Baseline::calibration>},
    Option<Baseline>{"metrics", set_field<&Baseline::metrics>},
    Option<Baseline>{"odin-temperature", set_field<&Baseline::odin_temperature>},
    Option<Baseline>{"odin-noise", set_field<&Baseline::odin_noise>},
    Option<Baseline>{"knn-k", set_field<&Baseline::knn_k>},
    Option<Baseline>{"lof-neighbors", set_field<&Baseline::lof_neighbors>},
    Option<Baseline>{"mc-dropout-samples", set_field<&Baseline::mc_dropout_samples>},
    Option<Baseline>{"mc-dropout-metric", set_field<&Baseline::mc_dropout_metric>},
    Option<Baseline>{"dam-lr", set_field<&Baseline::dam_learning_rate>},
    Option<Baseline>{"dam-margin", set_field<&Baseline::dam_margin>},
};

}  // namespace

void set_energy_option(TrainRequest& request, const std::string& name, const OptionValue& value) {
  set_option<TrainRequest>(kEnergyOptions, "energy methods", request, name, value);
}

void set_baseline_option(BaselineRequest& request, const std::string& name, const OptionValue& value) {
  if (const auto why = why_without_effect(name, request.method); !why.empty()) {
    throw UsageError(fmt::format("'{}' has no effect on {}: {}", name, request.method, why));
  }
  set_option<BaselineRequest>(kBaselineOptions, "baselines", request, name, value);
}

}  // namespace headroom::experiment
