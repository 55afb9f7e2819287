#pragma once

#include <optional>

#include <ATen/Context.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace molgauge::torch {

/// While an object of this class exists, operators of ATen in this thread compute products in `type`
/// (bfloat16, or float16 on a GPU). The operator list of LibTorch determines which operators sum in float32.
/// If `type` is float32, the object has no effect. Operators of Molgauge always work in float32 (see
/// FullPrecision).
class Autocast {
 public:
  Autocast(c10::Device device, c10::ScalarType type);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  const c10::Device device_;
  const bool is_active_;
  c10::ScalarType former_type_ = c10::ScalarType::Float;
  bool former_cache_ = true;
};

/// Disables autocast in this thread during the lifetime of the object.
class FullPrecision {
 public:
  FullPrecision() : exclude_(c10::autocast_dispatch_keyset) {}

 private:
  c10::impl::ExcludeDispatchKeyGuard exclude_;
};

/// While an object of this class exists, float32 matrix products that this thread starts on a GPU use TF32 if
/// `allow` is true, and do not use it otherwise. TF32 is a setting of the process, so products in threads
/// without such an object use TF32 while another thread allows it.
class Tf32Products {
 public:
  explicit Tf32Products(bool allow);
  ~Tf32Products();
  Tf32Products(const Tf32Products&) = delete;
  Tf32Products& operator=(const Tf32Products&) = delete;

 private:
  const bool allow_;
  std::optional<at::NoTF32Guard> refusal_;
};

/// Makes GPU operators of ATen deterministic during the lifetime of the object, if ATen has a deterministic
/// version. By default, the deterministic mode of ATen also fills new tensors with NaN. The object switches
/// this filling off. cuBLAS repeats its results if each handle and stream has its own workspace, which
/// LibTorch provides. The setting applies to the process, not to a thread. Objects in several threads may
/// overlap. Sums on a CPU always have a fixed order.
class DeterministicSums {
 public:
  explicit DeterministicSums(c10::Device device);
  ~DeterministicSums();
  DeterministicSums(const DeterministicSums&) = delete;
  DeterministicSums& operator=(const DeterministicSums&) = delete;

 private:
  const bool is_active_;
};

}  // namespace molgauge::torch
