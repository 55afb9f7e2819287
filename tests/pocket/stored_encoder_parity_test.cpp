// A checkpoint of the Python project beside the config.json that it writes.

#include <filesystem>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "fixture_arrays.h"
#include "io/tensors/npz.h"
#include "pocket/retrieval/stored_encoder.h"
#include "reference_batch.h"
#include "support/fixtures.h"
#include "torch/arrays.h"

namespace headroom::pocket {
namespace {

using test::floats_in;
using test::reference_data;

/// The rows of the Python project's encoder, whose layer norm --reference-compatible brings back.
TEST(StoredEncoderParity, ThePythonProjectsFilesGiveItsRows) {
  REQUIRE_REFERENCE("pocket/v2_small_state.pt");
  const test::TemporaryFolder folder;
  std::filesystem::copy_file(reference_data("pocket/v2_small_state.pt"), folder / "best_model.pt");
  const Batch batch = test::batch_in("pocket/batch_small.npz");
  for (const bool layer_norm : {true, false}) {
    replace_file(folder / "config.json",
                 std::string(R"({"hidden_irreps": "8x0e + 4x1o + 2x2e", "output_dim": 32, "num_layers": 2,
                      "use_multi_hop": true, "use_nonbonded": true, "use_gate": true, "pooling_type": "attention",
                      "dropout": 0.1, "use_v3_model": false, "num_attention_heads": 4, "use_amp": false,
                      "use_layer_norm": )") +
                     (layer_norm ? "true}" : "false}"));
    const StoredEncoder stored = read_encoder(folder / "best_model.pt", /*reference_compatible=*/true);
    const at::Tensor own = torch::as_tensor(stored.encode(batch));
    const io::TensorMap data =
        io::read_npz(reference_data(layer_norm ? "pocket/v2_small.npz" : "pocket/v2_small_noln.npz"));
    const at::Tensor expected = torch::as_tensor(floats_in(data, "out"));
    EXPECT_LE((own - expected).abs().max().item<double>(), 1e-5) << layer_norm;
  }
  const StoredEncoder ours = read_encoder(folder / "best_model.pt", /*reference_compatible=*/false);
  EXPECT_EQ(ours.shape.channel_norm, ops::ChannelNorm::length);
}

}  // namespace
}  // namespace headroom::pocket
