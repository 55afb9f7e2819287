#include "ood/head_pass.h"

#include <gtest/gtest.h>

#include "ood/serial_tensors.h"

namespace headroom::ood {
namespace {

PassPlan on_threads(std::size_t threads) {
  PassPlan plan;
  plan.threads = threads;
  return plan;
}

TEST(HeadPass, EqualsAnOrdinaryForwardAndBackward) {
  const EnergyHead head(32, 16, 1), plain(32, 16, 1);
  const at::Tensor x = at::randn({1700, 32}), gradient = at::randn({1700});
  HeadPass pass(head, x, {}, on_threads(2));
  pass.backward(gradient);
  const at::Tensor energies = plain.forward(x);
  energies.backward(gradient);
  EXPECT_TRUE(at::allclose(pass.energies(), energies, 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(energies_of(head, x, on_threads(2)), energies, 1e-5, 1e-6));
  for (std::size_t i = 0; i < head.parameters().size(); ++i) {
    EXPECT_TRUE(
        at::allclose(head.parameters()[i].value.grad(), plain.parameters()[i].value.grad(), 1e-4, 1e-4));
  }
}

TEST(HeadPass, HasTheSameBytesForAnyNumberOfThreads) {
  const at::Tensor x = at::randn({2400, 512}), gradient = at::randn({2400});
  const EnergyHead head(512, 256, 1);
  std::vector<at::Tensor> energies, gradients;
  for (const std::size_t threads : {1, 2, 3}) {
    HeadPass pass(head, x, {}, on_threads(threads));
    pass.backward(gradient);
    energies.push_back(pass.energies());
    gradients.push_back(head.parameters()[0].value.grad().clone());
  }
  for (const std::size_t i : {1, 2}) {
    EXPECT_TRUE(at::equal(energies[0], energies[i]));
    EXPECT_TRUE(at::equal(gradients[0], gradients[i]));
  }
}

TEST(SerialTensors, GivesTheThreadsBack) {
  const int before = at::get_num_threads();
  {
    const SerialTensors serial;
    EXPECT_EQ(at::get_num_threads(), 1);
    EXPECT_EQ(serial.threads(), static_cast<std::size_t>(before));
  }
  EXPECT_EQ(at::get_num_threads(), before);
}

}  // namespace
}  // namespace headroom::ood
