#include "base/train/step.h"

#include <array>
#include <barrier>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/train/adamw.h"

namespace molgauge::train {
namespace {

/// The sum of (x w - y)^2 / 2 over the rows, with a custom backward pass.
class SquaredErrors final : public Batch {
 public:
  SquaredErrors(at::Tensor weight, at::Tensor x, at::Tensor y, int& committed)
      : weight_(std::move(weight)), x_(std::move(x)), y_(std::move(y)), committed_(committed) {}

  void forward(const PassPlan& /*plan*/) override { residual_ = at::mv(x_, weight_) - y_; }
  void backward(double factor) override { weight_.mutable_grad() = at::mv(x_.t(), residual_) * factor; }
  void commit() noexcept override { ++committed_; }

 private:
  at::Tensor weight_, x_, y_, residual_;
  int& committed_;
};

/// A model with its optimizer, for one process.
struct Regression {
  explicit Regression(const StepOptions& options, double rate = 0.1)
      : weight(at::zeros({3})),
        parameters({{.name = "all", .parameters = {{"weight", weight}}, .options = {.learning_rate = rate}}}),
        optimizer(parameters, {}),
        step(parameters, optimizer, options) {}

  double train(const at::Tensor& x, const at::Tensor& y) {
    const double norm = step.run(
        x.size(0), [&] { return std::make_unique<SquaredErrors>(weight, x, y, committed); }, {}, scale);
    return norm;
  }

  at::Tensor weight;
  Parameters parameters;
  AdamW optimizer;
  Step step;
  LossScale scale;
  int committed = 0;
};

/// Sums the gradients of two "processes", which are threads here.
class TwoRanks {
 public:
  SumGradients of(std::size_t rank) {
    return [this, rank](const Parameters& parameters) {
      mine_[rank] = parameters.all()[0].value.grad().clone();
      met_.arrive_and_wait();
      const at::Tensor sum = mine_[0] + mine_[1];
      met_.arrive_and_wait();
      parameters.all()[0].value.mutable_grad() = sum;
    };
  }

 private:
  std::array<at::Tensor, 2> mine_;
  std::barrier<> met_{2};
};

TEST(Step, SumsGradientsOfProcessesBeforeItClips) {
  const at::Tensor x = at::randn({8, 3}), y = at::randn({8});
  StepOptions options;
  options.clipping.norm = 0.5;
  Regression whole(options);
  std::vector<double> norms;
  for (int step = 0; step < 5; ++step) {
    norms.push_back(whole.train(x, y));
  }
  EXPECT_GT(norms[0], 0.5);

  TwoRanks ranks;
  std::array<at::Tensor, 2> weights;
  std::array<std::vector<double>, 2> norms_of_rank;
  const auto run = [&](std::size_t rank) {
    StepOptions own = options;
    own.sum_gradients = ranks.of(rank);
    Regression part(own);
    const auto rows = [&](const at::Tensor& all) {
      return all.narrow(0, static_cast<std::int64_t>(4 * rank), 4);
    };
    for (int step = 0; step < 5; ++step) {
      norms_of_rank[rank].push_back(part.train(rows(x), rows(y)));
    }
    weights[rank] = part.weight;
  };
  std::thread other([&] { run(1); });
  run(0);
  other.join();
  EXPECT_TRUE(at::equal(weights[0], weights[1]));
  EXPECT_TRUE(at::allclose(weights[0], whole.weight, 1e-4, 1e-6));
  EXPECT_EQ(norms_of_rank[0], norms_of_rank[1]);
  for (std::size_t step = 0; step < norms.size(); ++step) {
    EXPECT_NEAR(norms_of_rank[0][step], norms[step], 1e-4 * norms[step]);
  }
}

TEST(Step, MeasuresNoNormThatNothingNeeds) {
  StepOptions options;
  options.measure_norm = false;
  Regression model(options);
  EXPECT_EQ(model.train(at::randn({4, 3}), at::randn({4})), 0);
  options.clipping.value = 10;
  Regression clipped(options);
  EXPECT_GT(clipped.train(at::randn({4, 3}), at::randn({4})), 0);
}

TEST(Step, IsDoneAgainWhenMemoryRunsOut) {
  StepOptions options;
  memory::Workload workload;
  workload.name = "a test";
  workload.planned = workload.smallest = 4;
  options.workload = workload;
  const at::Tensor x = at::randn({4, 3}), y = at::randn({4});
  Regression undisturbed(options), disturbed(options);
  undisturbed.train(x, y);
  int attempts = 0;
  disturbed.step.run(
      4,
      [&]() -> std::unique_ptr<Batch> {
        if (++attempts == 1) {
          throw std::bad_alloc();
        }
        return std::make_unique<SquaredErrors>(disturbed.weight, x, y, disturbed.committed);
      },
      {}, disturbed.scale);
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(disturbed.committed, 1);
  EXPECT_EQ(disturbed.step.memory().recoveries, 1U);
  EXPECT_TRUE(at::equal(disturbed.weight, undisturbed.weight));
}

/// An optimizer that runs out of memory at its first step.
class Forgetful final : public Optimizer {
 public:
  explicit Forgetful(const Parameters& parameters) : optimizer_(parameters, {}) {}
  void step(const Clock& clock) override {
    if (++steps_ == 1) {
      throw std::bad_alloc();
    }
    optimizer_.step(clock);
  }
  std::uint64_t state_bytes() const override { return optimizer_.state_bytes(); }

 private:
  AdamW optimizer_;
  int steps_ = 0;
};

TEST(Step, SumsOnceAlthoughTheOptimizerRunsOutOfMemory) {
  StepOptions options;
  memory::Workload workload;
  workload.name = "a test";
  workload.planned = workload.smallest = 4;
  options.workload = workload;
  int sums = 0;
  options.sum_gradients = [&](const Parameters&) { ++sums; };
  const at::Tensor x = at::randn({4, 3}), y = at::randn({4});
  Regression undisturbed(options), disturbed(options);
  undisturbed.train(x, y);
  Forgetful optimizer(disturbed.parameters);
  Step step(disturbed.parameters, optimizer, options);
  const auto draw = [&] {
    return std::make_unique<SquaredErrors>(disturbed.weight, x, y, disturbed.committed);
  };
  step.run(4, draw, {}, disturbed.scale);
  EXPECT_EQ(sums, 2);
  EXPECT_EQ(disturbed.committed, 1);
  EXPECT_EQ(step.memory().recoveries, 1U);
  EXPECT_TRUE(at::equal(disturbed.weight, undisturbed.weight));
}

TEST(Step, InFloat16TheScaleFollowsTheOverflows) {
  StepOptions options;
  options.pass.precision = at::kHalf;
  const at::Tensor x = at::ones({4, 3}), y = at::zeros({4});
  Regression model(options);
  model.weight.fill_(1);
  model.scale.factor = 1e38;  // 12 times this value overflows float32
  const double norm = model.train(x, y);
  EXPECT_LT(model.scale.factor, 1e38);
  EXPECT_EQ(model.scale.steps, 1U);
  EXPECT_NEAR(norm, 12 * std::sqrt(3.0), 1e-4);

  Regression hopeless(options);
  hopeless.weight.fill_(std::numeric_limits<float>::infinity());
  EXPECT_THROW(hopeless.train(x, y), Error);
  EXPECT_EQ(hopeless.committed, 0);
  EXPECT_EQ(hopeless.scale.factor, LossScale::kFirst);
}

}  // namespace
}  // namespace molgauge::train
