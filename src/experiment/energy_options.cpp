#include "experiment/energy_options.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace headroom::experiment {
namespace {

[[noreturn]] void refuse(const char* wanted, const OptionValue& value) {
  throw UsageError(fmt::format("takes {}, not {}", wanted, to_text(value)));
}

void assign(bool& target, const OptionValue& value) {
  const auto* const held = std::get_if<bool>(&value);
  held != nullptr ? void(target = *held) : refuse("true or false", value);
}

void assign(std::size_t& target, const OptionValue& value) {
  const auto* const held = std::get_if<std::int64_t>(&value);
  held != nullptr&&* held >= 0 ? void(target = static_cast<std::size_t>(*held))
                               : refuse("a whole number", value);
}

void assign(double& target, const OptionValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    target = static_cast<double>(*whole);
  } else if (const auto* const held = std::get_if<double>(&value)) {
    target = *held;
  } else {
    refuse("a number", value);
  }
}

void assign(std::string& target, const OptionValue& value) {
  const auto* const held = std::get_if<std::string>(&value);
  held != nullptr ? void(target = *held) : refuse("a text", value);
}

template <auto member>
void set(TrainRequest& request, const OptionValue& value) {
  assign(request.*member, value);
}

struct EnergyOption {
  const char* name;
  void (*set)(TrainRequest&, const OptionValue&);
};

constexpr std::array kOptions = {
    EnergyOption{"loss", set<&TrainRequest::loss>},
    EnergyOption{"dpo-beta", set<&TrainRequest::dpo_beta>},
    EnergyOption{"hinge-margin", set<&TrainRequest::hinge_margin>},
    EnergyOption{"hinge-topk", set<&TrainRequest::hinge_topk>},
    EnergyOption{"hinge-squared", set<&TrainRequest::hinge_squared>},
    EnergyOption{"lambda-reg", set<&TrainRequest::lambda_reg>},
    EnergyOption{"hidden-dim", set<&TrainRequest::hidden_dim>},
    EnergyOption{"dropout", set<&TrainRequest::dropout>},
    EnergyOption{"epochs", set<&TrainRequest::epochs>},
    EnergyOption{"batch-size", set<&TrainRequest::batch_size>},
    EnergyOption{"eval-batch-size", set<&TrainRequest::eval_batch_size>},
    EnergyOption{"lr", set<&TrainRequest::learning_rate>},
    EnergyOption{"weight-decay", set<&TrainRequest::weight_decay>},
    EnergyOption{"grad-clip", set<&TrainRequest::grad_clip>},
    EnergyOption{"eval-steps", set<&TrainRequest::eval_steps>},
    EnergyOption{"patience", set<&TrainRequest::patience>},
    EnergyOption{"early-stopping", set<&TrainRequest::early_stopping>},
};

}  // namespace

void set_energy_option(TrainRequest& request, const std::string& name, const OptionValue& value) {
  const auto* const option =
      std::find_if(kOptions.begin(), kOptions.end(), [&](const auto& known) { return name == known.name; });
  if (option == kOptions.end()) {
    std::vector<std::string> names;
    for (const auto& known : kOptions) {
      names.emplace_back(known.name);
    }
    throw UsageError(
        fmt::format("energy methods have no option '{}'; they have {}", name, fmt::join(names, ", ")));
  }
  try {
    option->set(request, value);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("'{}' {}", name, problem.what()));
  }
}

}  // namespace headroom::experiment
