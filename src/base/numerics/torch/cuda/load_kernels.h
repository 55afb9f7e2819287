#pragma once

/// Each function loads the kernels of a file into the memory of the current GPU. Returns the error code of
/// CUDA, 0 for success.
namespace molgauge::torch::cuda {

int load_attention_steps();
int load_dropout_steps();
int load_irreps_steps();
int load_message_steps();
int load_optimizer_steps();
int load_packed_attention();
int load_perceptron_steps();
int load_row_steps();
int load_tiled_attention();

}  // namespace molgauge::torch::cuda
