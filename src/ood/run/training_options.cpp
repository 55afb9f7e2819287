#include "ood/run/training_options.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace headroom::ood {
namespace {

void require(bool holds, const char* rule) {
  if (!holds) {
    throw UsageError(rule);
  }
}

}  // namespace

void validate(const TrainingOptions& options) {
  constexpr std::size_t kMostRows = 1'000'000'000;  // twice as many are counted in 64 bits, with a sign
  const auto positive = [](double number) { return std::isfinite(number) && number > 0; };
  const auto not_negative = [](double number) { return std::isfinite(number) && number >= 0; };
  require(options.hidden_dim >= 2 && options.hidden_dim % 2 == 0, "hidden-dim must be even and at least 2");
  require(not_negative(options.dropout) && options.dropout < 1, "dropout must be at least 0 and below 1");
  require(options.epochs >= 1, "epochs must be at least 1");
  require(options.batch_size >= 1, "batch-size must be at least 1");
  require(options.eval_batch_size >= 1 && options.eval_batch_size <= kMostRows,
          "eval-batch-size must be from 1 to 1e9");
  require(options.patience >= 1, "patience must be at least 1");
  require(positive(options.learning_rate), "learning-rate must be above 0");
  require(not_negative(options.weight_decay), "weight-decay must not be negative");
  require(not_negative(options.grad_clip), "grad-clip must not be negative");
  require(positive(options.loss.dpo_beta), "dpo-beta must be above 0");
  require(not_negative(options.loss.lambda_reg), "lambda-reg must not be negative");
  require(std::isfinite(options.loss.hinge_margin), "hinge-margin must be a number");
  require(not_negative(options.loss.hinge_topk) && options.loss.hinge_topk <= 1,
          "hinge-topk must be from 0 (all pairs) to 1");
}

std::string resume_identity(const TrainingOptions& options) {
  nlohmann::json identity{{"loss", to_string(options.loss.kind)},
                          {"dpo_beta", options.loss.dpo_beta},
                          {"hinge_margin", options.loss.hinge_margin},
                          {"hinge_topk", options.loss.hinge_topk},
                          {"hinge_squared", options.loss.hinge_squared},
                          {"lambda_reg", options.loss.lambda_reg},
                          {"hidden_dim", options.hidden_dim},
                          {"dropout", options.dropout},
                          {"batch_size", options.batch_size},
                          {"eval_batch_size", options.eval_batch_size},
                          {"learning_rate", options.learning_rate},
                          {"weight_decay", options.weight_decay},
                          {"grad_clip", options.grad_clip},
                          {"eval_steps", options.eval_steps},
                          {"early_stopping", to_string(options.early_stopping)},
                          {"seed", options.seed}};
  // Younger than the first checkpoints, which were written without.
  if (options.frugality.autocast != train::Autocast::off) {
    identity["autocast"] = to_string(options.frugality.autocast);
  }
  if (options.frugality.optimizer_state != train::MomentType::fp32) {
    identity["optimizer_state"] = to_string(options.frugality.optimizer_state);
  }
  return identity.dump();
}

}  // namespace headroom::ood
