#pragma once

#include <utility>

#include <torch/csrc/autograd/custom_function.h>

namespace molgauge::torch {

template <typename Value>
struct SavedValue : ::torch::CustomClassHolder {
  explicit SavedValue(Value saved) : value(std::move(saved)) {}
  Value value;
};

/// Stores a value for the backward pass that is not a tensor or a number. A context holds one such value.
template <typename Value>
void save_value(::torch::autograd::AutogradContext* context, Value value) {
  context->saved_data["value"] =
      c10::IValue::make_capsule(c10::make_intrusive<SavedValue<Value>>(std::move(value)));
}

/// The value of save_value(), which must have the same type. Valid while the context exists.
template <typename Value>
const Value& saved_value(::torch::autograd::AutogradContext* context) {
  return c10::static_intrusive_pointer_cast<SavedValue<Value>>(context->saved_data["value"].toCapsule())
      ->value;
}

}  // namespace molgauge::torch
