#include <functional>
#include <map>
#include <set>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/io/bytes/inflate.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/npz.h"
#include "base/numerics/torch/arrays.h"
#include "minimol_fixtures.h"
#include "molecules/encoders/minimol/parameters.h"
#include "molecules/encoders/minimol/torch_encoder.h"
#include "support/fixtures.h"

namespace molgauge::encoders::minimol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const io::TensorMap& tensors) {
  try {
    select_tensors(tensors, "some.safetensors");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using PlainNetwork = Network<ops::Operators>;
using TorchNetwork = Network<torch::Operators>;

/// Receives an intermediate result of the network and its name.
using Show = std::function<void(const std::string& name, const at::Tensor& value)>;

at::Tensor fingerprints(const PlainNetwork& network, const std::vector<Inputs>& molecules,
                        const Show& show = {}) {
  PlainNetwork::Trace trace;
  if (show) {
    trace = [&](const std::string& name, const ops::Floats& value) { show(name, torch::as_tensor(value)); };
  }
  return torch::as_tensor(network.forward(pack(test::pointers(molecules)), trace));
}

/// The network on LibTorch tensors.
TorchNetwork torch_network(const std::map<std::string, at::Tensor>& parameters) {
  return TorchNetwork(
      [&](const std::string& name, const std::vector<std::int64_t>&) { return parameters.at(name); });
}

std::map<std::string, at::Tensor> tensors_of(const io::TensorMap& weights) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& [name, tensor] : weights) {
    tensors.emplace(name, torch::as_tensor(to_floats(tensor)));
  }
  return tensors;
}

TEST(MinimolParameters, AreThoseOfThePaper) {
  std::int64_t numbers = 0;
  const auto shapes = parameter_shapes();
  for (const auto& [name, shape] : shapes) {
    numbers += shape.size() == 2 ? shape[0] * shape[1] : shape[0];
  }
  EXPECT_EQ(shapes.size(), 286U);
  EXPECT_EQ(numbers, 7'919'944);
}

TEST(MinimolParameters, AcceptThePrefixAndOtherTensors) {
  io::TensorMap prefixed;
  for (auto& [name, tensor] : test::formula_weights()) {
    prefixed.emplace("model." + name, tensor);
  }
  prefixed.emplace("model.task_heads.weight", prefixed.begin()->second);
  EXPECT_EQ(select_tensors(prefixed, "some.safetensors").size(), 286U);
}

TEST(MinimolParameters, NameEverythingThatDoesNotFit) {
  io::TensorMap tensors = test::formula_weights();
  tensors.erase("gnn.layers.7.norm_layer.bias");
  tensors.at("pre_nn.layers.0.linear.weight").shape = {117, 256};
  tensors.at("pre_nn.layers.1.linear.bias").type = io::DataType::int32;
  const std::string text = refusal(tensors);
  EXPECT_THAT(text, HasSubstr("some.safetensors"));
  EXPECT_THAT(text, HasSubstr("gnn.layers.7.norm_layer.bias is missing"));
  EXPECT_THAT(text, HasSubstr("pre_nn.layers.0.linear.weight has shape [117, 256] instead of [256, 117]"));
  EXPECT_THAT(text, HasSubstr("pre_nn.layers.1.linear.bias is int32"));
  EXPECT_THAT(text, HasSubstr("molgauge weights install minimol"));
}

TEST(MinimolParameters, OfAnotherModelAreNotListedWithoutEnd) {
  EXPECT_THAT(refusal({}), HasSubstr("and 278 more"));
}

TEST(MinimolBatch, OrdersEdgesByTargetAndNumbersTheirKinds) {
  const std::vector<Inputs> molecules = {test::chain_molecule(3), test::chain_molecule(1),
                                         test::chain_molecule(2)};
  const Batch batch = pack(test::pointers(molecules));
  EXPECT_THAT(batch.edges.target.numbers(), ElementsAre(0, 1, 1, 2, 4, 5));
  EXPECT_THAT(batch.edges.source.numbers(), ElementsAre(1, 0, 2, 1, 5, 4));
  EXPECT_THAT(batch.edges.first.numbers(), ElementsAre(0, 1, 3, 4, 4, 5, 6));
  EXPECT_THAT(batch.edges.kind.numbers(), ElementsAre(0, 0, 1, 1, 0, 0));
  EXPECT_EQ(batch.edge_kinds.size(0), 2);
  EXPECT_THAT(batch.molecules.of.numbers(), ElementsAre(0, 0, 0, 1, 2, 2));
}

TEST(MinimolBatch, RefusesEdgesThatLeaveTheMolecule) {
  std::vector<Inputs> molecules = {test::chain_molecule(3), test::chain_molecule(3)};
  molecules[0].edge_source[1] = 3;
  EXPECT_THROW(pack(test::pointers(molecules)), std::invalid_argument);
}

TEST(MinimolNetwork, TakesOneAtomAndNoMolecule) {
  const PlainNetwork network = test::plain_network(test::formula_weights());
  EXPECT_EQ(fingerprints(network, {}).sizes(), at::IntArrayRef({0, 512}));
  const at::Tensor one = fingerprints(network, {test::chain_molecule(1)});
  EXPECT_EQ(one.sizes(), at::IntArrayRef({1, 512}));
  EXPECT_TRUE(at::isfinite(one).all().item<bool>());
}

TEST(MinimolNetwork, DoesNotMixMolecules) {
  const PlainNetwork network = test::plain_network(test::formula_weights());
  const std::vector<Inputs> molecules = {test::chain_molecule(9), test::chain_molecule(1),
                                         test::chain_molecule(40)};
  const at::Tensor together = fingerprints(network, molecules);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const at::Tensor alone = fingerprints(network, {molecules[i]});
    EXPECT_TRUE(at::equal(together[static_cast<std::int64_t>(i)], alone[0]));
  }
}

/// The network has only one definition. It is used with the operators on plain arrays and with the operators
/// on LibTorch tensors.
TEST(MinimolNetwork, TorchOperatorsGiveTheSameAndCarryGradients) {
  auto parameters = tensors_of(test::formula_weights());
  const std::vector<Inputs> molecules = {test::chain_molecule(9), test::chain_molecule(4)};
  const at::Tensor fast = fingerprints(test::plain_network(test::formula_weights()), molecules);
  for (auto& [name, tensor] : parameters) {
    tensor.requires_grad_(true);
  }
  const at::Tensor slow =
      torch_network(parameters).forward(on_device(pack(test::pointers(molecules)), at::kCPU));
  EXPECT_LE(test::largest_difference(fast, slow.detach()), 1e-5);

  slow.sum().backward();
  for (const auto& [name, tensor] : parameters) {
    const bool used = !name.starts_with("encoder_manager.pe_encoders.rw_pos.first_normalization");
    EXPECT_EQ(tensor.grad().defined(), used) << name;
  }
}

/// The smallest cosine between a row of `left` and the same row of `right`.
double smallest_cosine(const at::Tensor& left, const at::Tensor& right) {
  return at::cosine_similarity(left.to(at::kDouble), right.to(at::kDouble), 1).min().item<double>();
}

TEST(MinimolNetwork, LowerPrecisionsAreCloseToFp32) {
  const io::TensorMap weights = test::formula_weights();
  const std::vector<Inputs> molecules = {test::chain_molecule(9), test::chain_molecule(1),
                                         test::chain_molecule(40)};
  const at::Tensor exact = fingerprints(test::plain_network(weights), molecules);
  const at::Tensor bf16 = fingerprints(test::plain_network(weights, ops::Precision::bf16), molecules);
  const at::Tensor int8 = fingerprints(test::plain_network(weights, ops::Precision::int8), molecules);
  EXPECT_GE(smallest_cosine(bf16, exact), 0.9995);
  EXPECT_GE(smallest_cosine(int8, exact), 0.998);
  EXPECT_GT(test::largest_difference(bf16, exact), 0.0);
  EXPECT_GT(test::largest_difference(int8, exact), 0.0);
}

TEST(MinimolNetworkParity, FormulaWeightsGiveTheReferenceTrace) {
  REQUIRE_REFERENCE("minimol/random_weight_trace.npz");
  if (!io::can_inflate()) {
    GTEST_SKIP() << "the reference is compressed, and this build has no zlib";
  }
  const io::TensorMap expected = io::read_npz(test::reference_data("minimol/random_weight_trace.npz"));
  const std::vector<Inputs> molecules = test::reference_inputs();
  const PlainNetwork network = test::plain_network(test::formula_weights());
  std::size_t compared = 0;
  std::set<std::size_t> traced;
  for (const auto& [name, values] : expected) {
    traced.insert(test::number_after("mol", name));
  }
  for (const std::size_t molecule : traced) {
    // A batch holds the edges ordered by target.
    const at::Tensor target = at::tensor(molecules[molecule].edge_target, at::kLong);
    const at::Tensor by_target = std::get<1>(target.sort(/*stable=*/true, 0, /*descending=*/false));
    fingerprints(network, {molecules[molecule]}, [&](const std::string& name, const at::Tensor& value) {
      const auto reference = test::to_float64(expected.at(fmt::format("mol{}_{}", molecule, name)));
      const bool of_edges = name == "pre_nn_edges";
      EXPECT_LE(test::largest_difference(value, of_edges ? reference.index_select(0, by_target) : reference),
                1e-5)
          << molecule << ' ' << name;
      ++compared;
    });
  }
  EXPECT_EQ(compared, expected.size());
}

TEST(MinimolNetworkParity, LowerPrecisionsAreCloseToFp32ForEveryReferenceMolecule) {
  REQUIRE_REFERENCE("minimol/reference_fingerprints.npy");
  const auto parameters = test::published_weights();
  if (!parameters) {
    GTEST_SKIP() << "published weights are not here: set MOLGAUGE_TEST_WEIGHTS to a folder, wheel or .pth";
  }
  const std::vector<Inputs> molecules = test::reference_inputs();
  const at::Tensor exact = fingerprints(test::plain_network(*parameters), molecules);
  const double bf16 =
      smallest_cosine(fingerprints(test::plain_network(*parameters, ops::Precision::bf16), molecules), exact);
  const double int8 =
      smallest_cosine(fingerprints(test::plain_network(*parameters, ops::Precision::int8), molecules), exact);
  EXPECT_GE(bf16, 0.9995);
  EXPECT_GE(int8, 0.998);
  RecordProperty("smallest_cosine_bf16", std::to_string(bf16));
  RecordProperty("smallest_cosine_int8", std::to_string(int8));
}

}  // namespace
}  // namespace molgauge::encoders::minimol
