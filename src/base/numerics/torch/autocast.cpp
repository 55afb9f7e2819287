#include "base/numerics/torch/autocast.h"

#include <cstddef>
#include <mutex>

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>

#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

std::mutex settings_mutex;
std::size_t tf32_users = 0;  ///< number of Tf32Products objects that allow TF32
std::size_t orders = 0;      ///< number of active DeterministicSums objects
bool former_fill = true;     ///< setting that was active before the first DeterministicSums object

}  // namespace

Autocast::Autocast(c10::Device device, c10::ScalarType type)
    : device_(device), is_active_(type != c10::ScalarType::Float) {
  if (is_active_) {
    former_type_ = autocast_type(device_);
    former_cache_ = at::autocast::is_autocast_cache_enabled();
    // The autocast cache is switched off, because it would keep rounded weights and their autograd graph
    // after the pass.
    at::autocast::set_autocast_cache_enabled(false);
    set_autocast(device_, true, type);
  }
}

Autocast::~Autocast() {
  if (is_active_) {
    set_autocast(device_, false, former_type_);
    at::autocast::set_autocast_cache_enabled(former_cache_);
  }
}

Tf32Products::Tf32Products(bool allow) : allow_(allow) {
  if (!allow_) {
    refusal_.emplace();
    return;
  }
  const std::scoped_lock lock(settings_mutex);
  if (++tf32_users == 1) {
    at::globalContext().setAllowTF32CuBLAS(true);
  }
}

Tf32Products::~Tf32Products() {
  const std::scoped_lock lock(settings_mutex);
  if (allow_ && --tf32_users == 0) {
    at::globalContext().setAllowTF32CuBLAS(false);
  }
}

DeterministicSums::DeterministicSums(c10::Device device) : is_active_(!device.is_cpu()) {
  const std::scoped_lock lock(settings_mutex);
  if (is_active_ && ++orders == 1) {
    // If ATen has no deterministic version of an operator, it prints a warning and continues.
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    former_fill = fills_empty_tensors();
    fill_empty_tensors(false);
  }
}

DeterministicSums::~DeterministicSums() {
  const std::scoped_lock lock(settings_mutex);
  if (is_active_ && --orders == 0) {
    at::globalContext().setDeterministicAlgorithms(false, false);
    fill_empty_tensors(former_fill);
  }
}

}  // namespace molgauge::torch
