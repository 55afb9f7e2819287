// Reads a checkpoint of the Python project and its config.json, and compares the rows with the reference
// data.

#include <filesystem>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/numerics/torch/arrays.h"
#include "fixture_arrays.h"
#include "pockets/retrieval/stored_encoder.h"
#include "reference_batch.h"
#include "reference_encoders.h"
#include "support/fixtures.h"

namespace molgauge::pocket {
namespace {

using test::floats_in;
using test::reference_data;

/// The rows of the Python encoder. --reference-compatible restores its layer norm.
TEST(StoredEncoderParity, ThePythonProjectsFilesGiveItsRows) {
  REQUIRE_REFERENCE("pocket/v2_small_state.pt");
  const test::TemporaryFolder folder;
  const test::ReferenceEncoder normalised = test::reference_encoder("v2_small");
  std::filesystem::copy_file(reference_data(normalised.state), folder / "best_model.pt");
  for (const test::ReferenceEncoder& encoder : {normalised, test::reference_encoder("v2_small_noln")}) {
    nlohmann::json config = encoder.config;
    config["use_v3_model"] = false;
    config["num_attention_heads"] = 4;
    config["dropout"] = 0.1;
    replace_file(folder / "config.json", config.dump());
    const StoredEncoder stored = read_encoder(folder / "best_model.pt", /*reference_compatible=*/true);
    const at::Tensor own = torch::as_tensor(stored.encode(test::batch_in(encoder.batch)));
    const at::Tensor expected = torch::as_tensor(floats_in(encoder.arrays, "out"));
    EXPECT_LE((own - expected).abs().max().item<double>(), 1e-5) << encoder.name;
  }
  const StoredEncoder ours = read_encoder(folder / "best_model.pt", /*reference_compatible=*/false);
  EXPECT_EQ(ours.shape.channel_norm, ops::ChannelNorm::length);
}

}  // namespace
}  // namespace molgauge::pocket
