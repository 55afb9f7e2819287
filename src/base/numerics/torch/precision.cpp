#include "base/numerics/torch/precision.h"

#include "base/core/error.h"
#include "base/numerics/torch/device.h"

namespace molgauge::torch {

ops::Precision parse_precision(const std::string& text) {
  for (const ops::Precision precision : {ops::Precision::fp16, ops::Precision::tf32}) {
    if (text == ops::to_string(precision)) {
      return precision;
    }
  }
  const ops::Precision precision = ops::parse_precision(text);
  if (precision == ops::Precision::int8) {
    throw UsageError("--precision int8: a GPU has fp32, tf32, bf16, fp16 and fast. int8 is for --device cpu");
  }
  return precision;
}

ops::Precision fastest_precision(c10::Device device) {
  return multiplies_bf16(device) ? ops::Precision::bf16 : ops::Precision::fp32;
}

}  // namespace molgauge::torch
