// Compares the network of Uni-Mol on LibTorch tensors and its gradients with the public implementation, if
// the reference data is installed.

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/npz.h"
#include "molecules/encoders/minimol/parameters.h"
#include "molecules/encoders/unimol/tensor_operators.h"
#include "support/fixtures.h"
#include "tensors.h"
#include "unimol_reference.h"

namespace molgauge::encoders::unimol {
namespace {

using molgauge::test::batches_in;
using molgauge::test::reference_data;

struct SmallNetwork {
  std::map<std::string, at::Tensor> parameters;
  std::optional<Network<TensorOperators>> network;

  explicit SmallNetwork(bool with_gradients) {
    const std::filesystem::path file = reference_data("unimol/small_model.pt");
    const io::TensorMap tensors = select_tensors(io::read_checkpoint(file), file);
    network.emplace(shape_of(tensors, file), [&](const std::string& name, const std::vector<std::int64_t>&) {
      return parameters[name] =
                 torch::as_tensor(minimol::to_floats(tensors.at(name))).requires_grad_(with_gradients);
    });
  }
};

std::vector<const Inputs*> pointers_to(const std::vector<Inputs>& molecules) {
  std::vector<const Inputs*> pointers;
  for (const Inputs& molecule : molecules) {
    pointers.push_back(&molecule);
  }
  return pointers;
}

TEST(UnimolTensorsParity, OutputsOfASmallNetwork) {
  REQUIRE_REFERENCE("unimol/small_model.pt");
  const SmallNetwork small(/*with_gradients=*/false);
  const io::TensorMap inputs = io::read_npz(reference_data("unimol/small_inputs.npz"));
  const io::TensorMap expected = io::read_npz(reference_data("unimol/small_outputs.npz"));
  for (const std::string& batch : batches_in(inputs)) {
    SCOPED_TRACE(batch);
    const std::vector<Inputs> molecules = molgauge::test::unpadded(inputs, batch);
    const auto outputs = small.network->forward(as_tensors(pack(pointers_to(molecules))));
    const auto places = static_cast<std::size_t>(inputs.at(batch + "_src_tokens").shape[1]);
    EXPECT_LE(molgauge::test::difference_of_outputs(molecules, places, expected, batch,
                                                    outputs.tokens.data_ptr<float>(),
                                                    outputs.pairs.data_ptr<float>()),
              1e-4);
  }
}

/// Compares the same outputs on a GPU. The network uses the kernels of base/numerics/torch/packed_attention.h
/// if they are built.
TEST(UnimolTensorsParity, OutputsOfASmallNetworkOnAGpu) {
  REQUIRE_REFERENCE("unimol/small_model.pt");
  if (!at::hasCUDA()) {
    GTEST_SKIP() << "no GPU";
  }
  const c10::NoGradGuard no_gradients;
  const std::filesystem::path file = reference_data("unimol/small_model.pt");
  const io::TensorMap tensors = select_tensors(io::read_checkpoint(file), file);
  const Network<TensorOperators> network(
      shape_of(tensors, file), [&](const std::string& name, const std::vector<std::int64_t>&) {
        return torch::as_tensor(minimol::to_floats(tensors.at(name))).to(c10::Device(c10::kCUDA, 0));
      });
  const io::TensorMap inputs = io::read_npz(reference_data("unimol/small_inputs.npz"));
  const io::TensorMap expected = io::read_npz(reference_data("unimol/small_outputs.npz"));
  for (const std::string& batch : batches_in(inputs)) {
    SCOPED_TRACE(batch);
    const std::vector<Inputs> molecules = molgauge::test::unpadded(inputs, batch);
    const auto outputs =
        network.forward(as_tensors(pack(pointers_to(molecules)), c10::Device(c10::kCUDA, 0)));
    const auto places = static_cast<std::size_t>(inputs.at(batch + "_src_tokens").shape[1]);
    const at::Tensor made = outputs.tokens.cpu().contiguous(), pairs = outputs.pairs.cpu().contiguous();
    EXPECT_LE(molgauge::test::difference_of_outputs(molecules, places, expected, batch,
                                                    made.data_ptr<float>(), pairs.data_ptr<float>()),
              1e-4);
  }
}

TEST(UnimolTensorsParity, GradientsOfASmallNetwork) {
  REQUIRE_REFERENCE("unimol/small_grads.npz");
  const SmallNetwork small(/*with_gradients=*/true);
  const io::TensorMap expected = io::read_npz(reference_data("unimol/small_grads.npz"));
  const io::TensorMap inputs = io::read_npz(reference_data("unimol/small_inputs.npz"));
  const std::vector<Inputs> molecules = molgauge::test::unpadded(inputs, batches_in(inputs).front());
  const at::Tensor rows =
      small.network->forward(as_tensors(pack(pointers_to(molecules))), Wanted::class_tokens).tokens;
  const at::Tensor weights = torch::as_tensor(minimol::to_floats(expected.at("R")));
  const at::Tensor loss = (rows * weights).sum();
  EXPECT_NEAR(loss.item<float>(), expected.at("loss").to_float32().front(), 1e-3);
  loss.backward();
  std::size_t compared = 0;
  for (const auto& [key, gradient] : expected) {
    if (!key.starts_with("grad:")) {
      continue;
    }
    const at::Tensor ours = small.parameters.at(key.substr(5)).grad();
    ASSERT_TRUE(ours.defined()) << key;
    const at::Tensor theirs = torch::as_tensor(minimol::to_floats(gradient));
    ASSERT_EQ(ours.sizes(), theirs.sizes()) << key;
    EXPECT_LE((ours - theirs).abs().max().item<float>(), 1e-4) << key;
    ++compared;
  }
  EXPECT_EQ(compared + 2, expected.size()) << "all but R and the loss are gradients";
}

}  // namespace
}  // namespace molgauge::encoders::unimol
