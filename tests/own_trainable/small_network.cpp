#include "small_network.h"

#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>

#include "base/io/tensors/safetensors.h"
#include "base/numerics/torch/tensor_files.h"
#include "base/train/sharded_pass.h"

namespace molgauge::test {
namespace {

constexpr std::int64_t kWidth = 6, kHidden = 16;
constexpr double kKept = 0.9;
constexpr const char* kGenerator = "dropout";

at::Tensor drawn(at::IntArrayRef shape, std::uint64_t seed) {
  at::Generator generator = at::detail::createCPUGenerator(seed);
  return at::empty(shape, at::kFloat).normal_(0, 0.4, generator);
}

at::Tensor outputs(const at::Tensor& first, const at::Tensor& second, const at::Tensor& rows,
                   const at::Tensor& mask) {
  const at::Tensor hidden = at::tanh(at::linear(rows, first));
  return at::mv(mask.defined() ? hidden * mask : hidden, second);
}

train::Parameters grouped(const at::Tensor& first, const at::Tensor& second, bool frozen) {
  return train::Parameters(
      {{.name = "first",
        .parameters = {{"first", first}},
        .options = {.learning_rate = 1e-3, .frozen = frozen}},
       {.name = "second",
        .parameters = {{"second", second}},
        .options = {.learning_rate = 1e-2, .weight_decay = 1e-4, .schedule = train::falling_rate(2, 0.5)}}});
}

class LeastSquares final : public train::Batch {
 public:
  LeastSquares(const train::Parameters& parameters, Measured batch, at::Generator& dropout)
      : parameters_(parameters.all()), batch_(std::move(batch)), dropout_(dropout), next_(dropout.clone()) {
    mask_ =
        at::empty({batch_.rows.size(0), kHidden}, at::kFloat).uniform_(0, 1, next_).lt_(kKept).div_(kKept);
  }

  void forward(const train::PassPlan& plan) override {
    pass_.reset();
    pass_.emplace(
        parameters_, batch_.rows.size(0), at::kCPU,
        [this](const std::vector<train::Parameter>& own, const train::RowRange& range) {
          return outputs(own[0].value, own[1].value, range.of(batch_.rows), range.of(mask_));
        },
        plan);
  }
  void backward(double factor) override {
    const at::Tensor missing = pass_->outputs() - batch_.values;
    pass_->backward(missing.mul_(2 * factor / static_cast<double>(missing.size(0))));
  }
  void release() override {
    pass_.reset();
    mask_.reset();
  }
  void commit() noexcept override { std::swap(dropout_, next_); }

 private:
  std::vector<train::Parameter> parameters_;
  Measured batch_;
  at::Generator& dropout_;
  at::Generator next_;
  at::Tensor mask_;
  std::optional<train::ShardedPass> pass_;
};

}  // namespace

Measured made_up_measurements(std::int64_t rows) {
  at::Generator generator = at::detail::createCPUGenerator(3);
  const at::Tensor numbers = at::empty({rows, kWidth}, at::kFloat).normal_(0, 1, generator);
  return {numbers, at::sin(numbers.select(1, 0)) + 0.5 * numbers.select(1, 1)};
}

SmallNetwork::SmallNetwork(Measured training, Measured validation, bool frozen,
                           std::optional<std::filesystem::path> run)
    : training_(std::move(training)),
      validation_(std::move(validation)),
      first_(drawn({kHidden, kWidth}, 1).requires_grad_(true)),
      second_(drawn({kHidden}, 2).requires_grad_(true)),
      parameters_(grouped(first_, second_, frozen)),
      optimizer_(parameters_, {}),
      dropout_(at::detail::createCPUGenerator(4)),
      run_(std::move(run)) {}

std::unique_ptr<train::Batch> SmallNetwork::draw(std::size_t batch) {
  const std::int64_t count = rows(batch), first = static_cast<std::int64_t>(batch) * count;
  return std::make_unique<LeastSquares>(
      parameters_, Measured{training_.rows.narrow(0, first, count), training_.values.narrow(0, first, count)},
      dropout_);
}

std::unique_ptr<train::Batch> SmallNetwork::made_up_batch(std::int64_t rows) {
  return std::make_unique<LeastSquares>(parameters_,
                                        Measured{at::full({rows, kWidth}, 0.5), at::zeros({rows})}, dropout_);
}

double SmallNetwork::validate() {
  const c10::NoGradGuard no_gradient;
  return -(outputs(first_, second_, validation_.rows, {}) - validation_.values)
              .square()
              .mean()
              .item<double>();
}

void SmallNetwork::keep_best() {
  io::TensorMap best;
  parameters_.save(best, "");
  best_ = std::move(best);
}

void SmallNetwork::save(train::Checkpoint& checkpoint) const {
  checkpoint.tensors[kGenerator] = torch::to_file(dropout_.get_state());
}

void SmallNetwork::restore(const train::Checkpoint& checkpoint, const std::string& file) {
  train::restore_generator(dropout_, checkpoint, kGenerator, file);
}

void SmallNetwork::write_best() {
  if (run_ && !best_.empty()) {
    io::write_safetensors(*run_ / "best.safetensors", best_, {});
    best_.clear();
  }
}

}  // namespace molgauge::test
