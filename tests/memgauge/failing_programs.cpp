#include "failing_programs.h"

#include "base/memory/trace/allocator_settings.h"

namespace molgauge::allocator::test {
namespace {

constexpr std::size_t kLayers = 8;
constexpr const char* kTorch = "/env/lib/python3.11/site-packages/torch/";
constexpr const char* kModel = "/home/user/model.py";
constexpr const char* kTrain = "/home/user/train.py";

/// Adds the frames of the recorder and the allocator. Every stack with C++ frames begins with them.
Stack with_machinery(Stack rest) {
  Stack stack = {
      {"torch::unwind::unwind()", "??", 0},
      {"torch::CapturedTraceback::gather(bool, bool, bool)", "??", 0},
      {"c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc(signed char, unsigned "
       "long, CUstream_st*)",
       "CUDACachingAllocator.cpp", 0},
      {"at::detail::empty_cuda(c10::ArrayRef<long>)", "??", 0}};
  stack.insert(stack.end(), rest.begin(), rest.end());
  return stack;
}

/// A training program, step by step.
class Training {
 public:
  Training(std::string name, MemoryCause cause, std::uint64_t capacity_mib) {
    program_.name = std::move(name);
    program_.cause = cause;
    program_.capacity = capacity_mib * kMebibyte;
    program_.devices.emplace_back();
  }

  std::uint64_t parameter = 10 * kMebibyte, activation = 20 * kMebibyte;

  void build(std::uint64_t line = 20) {
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      ask(parameter, stack({{"__init__", std::string(kTorch) + "nn/modules/linear.py", 106},
                            {"__init__", kModel, 10 + layer},
                            {"main", kTrain, line},
                            {"<module>", kTrain, 300}}));
    }
  }

  /// Allocates the activations and returns their ids.
  std::vector<std::size_t> forward(double scale, const char* function = "train_step",
                                   std::uint64_t line = 60) {
    std::vector<std::size_t> kept;
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      kept.push_back(ask(scaled(activation, scale), activation_stack(layer, function, line)));
    }
    return kept;
  }

  void backward(const std::vector<std::size_t>& activations, double scale, bool keeps_graph = false) {
    for (std::size_t layer = kLayers; layer-- > 0;) {
      const std::size_t scratch =
          ask(scaled(activation, scale),
              stack({{"torch::autograd::generated::MmBackward0::apply(std::vector)", "??", 0},
                     {"torch::autograd::Engine::thread_main(std::shared_ptr)", "??", 0}}));
      if (gradients_.size() < kLayers) {
        gradients_.push_back(
            ask(parameter, stack({{"torch::autograd::AccumulateGrad::apply(std::vector)", "??", 0},
                                  {"torch::autograd::Engine::thread_main(std::shared_ptr)", "??", 0}})));
      }
      if (!keeps_graph) {
        free(activations[layer]);
      }
      free(scratch);
    }
  }

  void step() {
    const std::size_t scratch = ask(kMebibyte, optimizer_stack("_foreach_add", 400));
    if (!has_state_) {
      for (std::size_t i = 0; i < 2 * kLayers; ++i) {
        ask(parameter, optimizer_stack("_init_group", 150));
      }
      has_state_ = true;
    }
    free(scratch);
  }

  void zero_grad() {
    for (const std::size_t gradient : gradients_) {
      free(gradient);
    }
    gradients_.clear();
  }

  void iteration(double scale) {
    backward(forward(scale), scale);
    step();
    zero_grad();
  }

  std::size_t ask(std::uint64_t bytes, std::size_t stack) {
    program_.devices.back().push_back({next_, bytes, stack, 0});
    return next_++;
  }
  void free(std::size_t id) { program_.devices.back().push_back({id, 0, 0, 0}); }
  void free(const std::vector<std::size_t>& ids) {
    for (const std::size_t id : ids) {
      free(id);
    }
  }

  std::size_t stack(Stack frames) {
    program_.stacks.push_back(with_machinery(std::move(frames)));
    return program_.stacks.size() - 1;
  }
  std::size_t activation_stack(std::size_t layer, const char* function, std::uint64_t line) {
    return stack({{"at::_ops::addmm::call(at::Tensor const&)", "??", 0},
                  {"at::_ops::linear::call(at::Tensor const&)", "??", 0},
                  {"forward", std::string(kTorch) + "nn/modules/linear.py", 125},
                  {"_call_impl", std::string(kTorch) + "nn/modules/module.py", 1500},
                  {"forward", kModel, 50 + layer},
                  {function, kTrain, line},
                  {"<module>", kTrain, 300}});
  }
  std::size_t optimizer_stack(const char* function, std::uint64_t line) {
    return stack({{function, std::string(kTorch) + "optim/adamw.py", line},
                  {"step", std::string(kTorch) + "optim/adamw.py", 220},
                  {"train_step", kTrain, 70},
                  {"<module>", kTrain, 300}});
  }

  /// The steps that follow belong to another device.
  void next_device() {
    program_.devices.emplace_back();
    gradients_.clear();
    has_state_ = false;
    next_ = 0;
  }

  FailingProgram& program() { return program_; }

 private:
  static std::uint64_t scaled(std::uint64_t bytes, double scale) {
    return static_cast<std::uint64_t>(scale * static_cast<double>(bytes)) / 512 * 512;
  }

  FailingProgram program_;
  std::vector<std::size_t> gradients_;
  bool has_state_ = false;
  std::size_t next_ = 0;
};

FailingProgram too_large_a_batch() {
  Training training("too-large-a-batch", MemoryCause::batch_too_large, 1000);
  training.build();
  training.iteration(8);
  return training.program();
}

FailingProgram growing_batches() {
  Training training("growing-batches", MemoryCause::growing_batches, 1400);
  training.build();
  for (const double scale : {1.0, 1.4, 2.0, 2.9, 4.2, 8.6}) {
    training.iteration(scale);
  }
  return training.program();
}

FailingProgram growing_sequence() {
  Training training("growing-sequence", MemoryCause::growing_batches, 1000);
  training.build();
  for (const double scale : {1.0, 1.5, 2.3, 3.5, 5.2, 8.0}) {
    training.free(training.forward(scale, "write_text", 80));
  }
  return training.program();
}

FailingProgram fragmentation(bool goes_on) {
  Training training(goes_on ? "fragmentation-that-is-caught" : "fragmentation", MemoryCause::fragmentation,
                    1000);
  std::vector<std::size_t> cached, kept;
  for (int i = 0; i < 10; ++i) {
    cached.push_back(training.ask(90 * kMebibyte, training.activation_stack(0, "train_step", 60)));
  }
  training.free(cached);
  for (int i = 0; i < 10; ++i) {
    kept.push_back(training.ask(50 * kMebibyte, training.activation_stack(1, "train_step", 60)));
  }
  training.free(training.ask(300 * kMebibyte, training.activation_stack(2, "train_step", 60)));
  if (goes_on) {
    training.free(kept);
    for (int i = 0; i < 5; ++i) {
      training.free(training.ask(200 * kMebibyte, training.activation_stack(3, "train_step", 60)));
    }
  }
  training.program().goes_on = goes_on;
  return training.program();
}

FailingProgram leak() {
  Training training("leak", MemoryCause::leak, 1500);
  training.build();
  const std::size_t history = training.stack({{"at::_ops::add_Tensor::call(at::Tensor const&)", "??", 0},
                                              {"train_step", kTrain, 66},
                                              {"<module>", kTrain, 300}});
  for (int i = 0; i < 40; ++i) {
    training.iteration(1);
    training.ask(40 * kMebibyte, history);
  }
  return training.program();
}

FailingProgram kept_outputs() {
  Training training("kept-outputs", MemoryCause::leak, 1000);
  training.build();
  const std::size_t outputs = training.stack({{"at::_ops::softmax_int::call(at::Tensor const&)", "??", 0},
                                              {"collect", kTrain, 96},
                                              {"<module>", kTrain, 300}});
  for (int i = 0; i < 60; ++i) {
    const auto activations = training.forward(1, "collect", 95);
    training.ask(25 * kMebibyte, outputs);
    training.free(activations);
  }
  return training.program();
}

FailingProgram imbalance(bool of_ranks) {
  Training training(of_ranks ? "imbalance-of-ranks" : "imbalance-of-devices", MemoryCause::imbalance, 1000);
  training.program().ranks = of_ranks;
  training.build();
  training.iteration(8);
  training.next_device();
  training.build();
  training.iteration(1.5);
  return training.program();
}

FailingProgram gradients_kept() {
  Training training("gradients-kept", MemoryCause::gradients_kept, 780);
  training.parameter = 20 * kMebibyte;
  training.activation = 30 * kMebibyte;
  training.build();
  // This program does not keep optimizer state. The second iteration therefore differs from the first
  // iteration only in its gradients.
  training.free(training.ask(kMebibyte, training.optimizer_stack("_foreach_add", 400)));
  for (int i = 0; i < 3; ++i) {
    training.backward(training.forward(2), 2);
    training.free(training.ask(kMebibyte, training.optimizer_stack("_foreach_add", 400)));
  }
  return training.program();
}

FailingProgram retained_graph() {
  Training training("retain-graph", MemoryCause::graph_retained, 900);
  training.build();
  std::vector<std::size_t> before;
  for (int i = 0; i < 4; ++i) {
    const auto activations = training.forward(2);
    training.backward(activations, 2, true);
    training.step();
    training.zero_grad();
    training.free(before);
    before = activations;
  }
  return training.program();
}

FailingProgram evaluation() {
  Training training("evaluation-without-no-grad", MemoryCause::evaluation_with_gradients, 1000);
  training.build();
  training.iteration(1);
  training.iteration(1);
  std::vector<std::size_t> kept;
  for (int i = 0; i < 8; ++i) {
    for (const std::size_t id : training.forward(0.7, "evaluate", 90)) {
      kept.push_back(id);
    }
  }
  training.free(kept);
  return training.program();
}

FailingProgram first_step() {
  Training training("first-step", MemoryCause::optimizer_state, 700);
  training.parameter = 30 * kMebibyte;
  training.build();
  training.iteration(0.5);
  return training.program();
}

FailingProgram two_models() {
  Training training("two-models", MemoryCause::several_models, 1000);
  training.parameter = 40 * kMebibyte;
  training.build(20);
  training.build(24);
  training.free(training.forward(4));
  return training.program();
}

FailingProgram large_model() {
  Training training("model-too-large", MemoryCause::model_too_large, 1000);
  training.parameter = 60 * kMebibyte;
  training.build();
  training.iteration(0.5);
  return training.program();
}

FailingProgram workspace() {
  Training training("workspace", MemoryCause::workspace, 1000);
  training.build();
  for (std::size_t i = 0; i < 12; ++i) {
    training.ask(
        40 * kMebibyte,
        training.stack({{"at::cuda::(anonymous namespace)::getNewWorkspace()", "CublasHandlePool.cpp", 0},
                        {"at::cuda::getCurrentCUDABlasHandle()", "??", 0},
                        {"at::_ops::mm::call(at::Tensor const&)", "??", 0},
                        {"forward", kModel, 50 + i},
                        {"<module>", kTrain, 300}}));
  }
  training.iteration(3);
  return training.program();
}

FailingProgram private_pools() {
  Training training("private-pools", MemoryCause::private_pools, 1000);
  training.program().idle_private_bytes = 500 * kMebibyte;
  training.build();
  training.iteration(2);
  training.iteration(3);
  return training.program();
}

FailingProgram rounding() {
  Training training("rounding", MemoryCause::rounding, 1000);
  training.program().settings = "roundup_power2_divisions:2";
  training.build();
  for (int i = 0; i < 9; ++i) {
    training.ask(66 * kMebibyte, training.activation_stack(static_cast<std::size_t>(i), "train_step", 60));
  }
  training.ask(200 * kMebibyte, training.activation_stack(9, "train_step", 60));
  return training.program();
}

FailingProgram large_request() {
  Training training("large-request", MemoryCause::large_request, 1000);
  training.build();
  training.iteration(1);
  training.iteration(1);
  training.ask(900 * kMebibyte, training.stack({{"at::_ops::cdist::call(at::Tensor const&)", "??", 0},
                                                {"distances", kModel, 90},
                                                {"<module>", kTrain, 300}}));
  return training.program();
}

FailingProgram memory_fraction() {
  Training training("memory-fraction", MemoryCause::memory_fraction, 2000);
  training.program().settings = "per_process_memory_fraction:0.4";
  training.build();
  training.iteration(5);
  return training.program();
}

}  // namespace

std::vector<FailingProgram> failing_programs() {
  return {too_large_a_batch(),  growing_batches(),   growing_sequence(),
          fragmentation(false), fragmentation(true), leak(),
          kept_outputs(),       imbalance(false),    imbalance(true),
          gradients_kept(),     retained_graph(),    evaluation(),
          first_step(),         two_models(),        large_model(),
          workspace(),          private_pools(),     rounding(),
          large_request(),      memory_fraction()};
}

}  // namespace molgauge::allocator::test
