#include "base/numerics/ops/training/layer_kernels.h"

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {

void relu_dropout(Rows rows, const float* input, const Dropout& dropout, std::size_t place, float* output,
                  float* slope) {
  cpu::loops().relu_dropout(rows, input, dropout, place, output, slope);
}

void multiply(std::size_t count, const float* slope, float* gradient) {
  cpu::loops().multiply(count, slope, gradient);
}

void sum_rows(Rows rows, const float* values, float* sum) { cpu::loops().sum_rows(rows, values, sum); }

void normalize_batch(Rows rows, const Normalization& norm, float* values, float* normalized,
                     float* inverse_deviation) {
  cpu::loops().normalize_batch(rows, norm, values, normalized, inverse_deviation);
}

void normalize_running(Rows rows, const Normalization& norm, float* values, float* inverse_deviation) {
  cpu::loops().normalize_running(rows, norm, values, inverse_deviation);
}

void normalize_batch_backward(Rows rows, const float* weight, const float* normalized,
                              const float* inverse_deviation, float* gradient, float* weight_gradient,
                              float* bias_gradient) {
  cpu::loops().normalize_batch_backward(rows, weight, normalized, inverse_deviation, gradient,
                                        weight_gradient, bias_gradient);
}

void normalize_running_backward(Rows rows, const float* weight, const float* inverse_deviation,
                                float* gradient) {
  cpu::loops().normalize_running_backward(rows, weight, inverse_deviation, gradient);
}

}  // namespace molgauge::ops
