#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/io/tensors/tensor_data.h"
#include "base/train/schedule.h"

namespace molgauge::train {

/// A parameter tensor, with its name in files.
struct Parameter {
  std::string name;
  /// float32. value.grad() is the gradient, which Autograd or a custom backward pass of the model sets.
  at::Tensor value;
};

/// The options for training the parameters of a group.
struct GroupOptions {
  double learning_rate = 1e-3;  ///< learning rate before the schedule
  double weight_decay = 0;      ///< weight decay. The optimizer decides whether it is decoupled
  Schedule schedule = constant_rate();
  /// Frozen parameters get no gradient and do not change, but are part of checkpoints.
  bool frozen = false;

  double rate(const Clock& clock) const { return learning_rate * schedule(clock); }
};

struct ParameterGroup {
  std::string name;
  std::vector<Parameter> parameters;
  GroupOptions options = {};
};

/// The parameters of a model in training, in groups. Copies of this object share the parameter tensors.
class Parameters {
 public:
  /// Throws Error if two parameters have the same name. Autograd no longer tracks the parameters of a frozen
  /// group.
  explicit Parameters(std::vector<ParameterGroup> groups);

  const std::vector<ParameterGroup>& groups() const { return groups_; }
  /// All parameters, including frozen ones, group by group.
  std::vector<Parameter> all() const;
  /// Calls visit(group, parameter) for all parameters that are not frozen, in order.
  template <typename Visit>
  void for_each_trained(const Visit& visit) const {
    for (const ParameterGroup& group : groups_) {
      if (group.options.frozen) {
        continue;
      }
      for (const Parameter& parameter : group.parameters) {
        visit(group, parameter);
      }
    }
  }

  std::uint64_t bytes() const;
  std::uint64_t trained_bytes() const;

  /// Saves the parameters as `prefix` + name.
  void save(io::TensorMap& tensors, const std::string& prefix) const;
  /// Restores the numbers. Throws InputError with `source` if a tensor is missing or has another shape.
  void restore(const io::TensorMap& tensors, const std::string& prefix, const std::string& source) const;

 private:
  std::vector<ParameterGroup> groups_;
};

/// Limits of gradients before a step. 0 means no limit.
struct Clipping {
  double value = 0;  ///< maximum magnitude of each gradient entry; applied first
  double norm = 0;   ///< maximum L2 norm over all parameters
};

/// Clips the gradients. Returns the L2 norm of all gradients after `value` and before `norm` was applied. The
/// norm does not depend on the number of threads.
double clip_gradients(const Parameters& parameters, const Clipping& clipping);

}  // namespace molgauge::train
