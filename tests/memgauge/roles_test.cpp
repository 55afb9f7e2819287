// Tests the roles of memory in synthetic programs whose roles are known. At least 95 % of the bytes must get
// the right role or be marked unknown.

#include "memgauge/explain/roles.h"

#include <limits>
#include <numeric>

#include <gmock/gmock.h>

#include "failing_programs.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/recordings/recording_file.h"
#include "recorded_program.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using testing::HasSubstr;
using Role = MemoryRole;

constexpr const char* kTorch = "/env/lib/python3.11/site-packages/torch/";
constexpr const char* kModel = "/home/user/model.py";
constexpr const char* kTrain = "/home/user/train.py";
constexpr std::size_t kLayers = 6;

/// A training of linear layers, with the true role of all its memory.
class Training {
 public:
  explicit Training(bool has_native_frames = true) : has_native_frames_(has_native_frames) {}

  std::vector<std::uint64_t> weights = {12 * kMebibyte, 12 * kMebibyte, 48 * kMebibyte,
                                        12 * kMebibyte, 12 * kMebibyte, 48 * kMebibyte};
  std::uint64_t activation = 10 * kMebibyte, input = 3 * kMebibyte;
  bool autocast = false, replaces_parameters = false, frees_gradients = true, keeps_logits = false;
  bool builds_in_torch = true;  ///< whether torch.nn makes and moves the weights

  std::size_t ask(Role role, std::uint64_t bytes, test::Stack native, test::Stack python) {
    test::Stack stack;
    if (has_native_frames_) {
      stack = {{"torch::unwind::unwind()", "??", 0},
               {"at::detail::empty_cuda(c10::ArrayRef<long>)", "??", 0}};
      stack.insert(stack.end(), native.begin(), native.end());
    }
    stack.insert(stack.end(), python.begin(), python.end());
    const std::size_t id = program.alloc(bytes, stack);
    truth_by_id_.push_back(role);
    if (is_recording_) {
      truth_.push_back(role);
    }
    return id;
  }

  void build() {
    for (std::size_t layer = 0; layer < weights.size(); ++layer) {
      const test::Stack torch_frames = {{"convert", std::string(kTorch) + "nn/modules/module.py", 1300},
                                        {"_apply", std::string(kTorch) + "nn/modules/module.py", 900},
                                        {"to", std::string(kTorch) + "nn/modules/module.py", 1320},
                                        {"main", kTrain, 20 + layer}};
      const test::Stack plain = {{"main", kTrain, 20 + layer}};
      parameters_.push_back(ask(Role::parameters, weights[layer], {{"at::_ops::_to_copy::call()", "??", 0}},
                                builds_in_torch ? torch_frames : plain));
    }
  }

  void iteration() {
    if (!frees_gradients && gradients_.empty()) {
      keeps_gradients_ = true;
    }
    const std::size_t x =
        ask(Role::inputs, input, {{"at::_ops::to_dtype::call()", "??", 0}, {"at::_ops::to::call()", "??", 0}},
            {{"train_step", kTrain, 58}, {"main", kTrain, 90}});
    std::vector<std::size_t> activations, copies;
    for (std::size_t layer = 0; layer < weights.size(); ++layer) {
      const test::Stack python = {{"forward", std::string(kTorch) + "nn/modules/linear.py", 125},
                                  {"_call_impl", std::string(kTorch) + "nn/modules/module.py", 1500},
                                  {"forward", kModel, 50 + layer},
                                  {"train_step", kTrain, 60},
                                  {"main", kTrain, 90}};
      if (autocast) {
        copies.push_back(ask(Role::weight_copies, weights[layer] / 2,
                             {{"at::_ops::to_dtype::call()", "??", 0},
                              {"at::autocast::cached_cast(c10::ScalarType, at::Tensor const&)", "??", 0}},
                             python));
      }
      activations.push_back(
          ask(Role::activations, activation, {{"at::_ops::linear::call()", "??", 0}}, python));
    }
    std::vector<std::size_t> kept;
    const bool is_first = gradients_.empty();
    for (std::size_t layer = weights.size(); layer-- > 0;) {
      const test::Stack node = {{"torch::autograd::generated::MmBackward0::apply(std::vector)", "??", 0},
                                {"torch::autograd::Engine::thread_main(std::shared_ptr)", "??", 0}};
      const std::size_t scratch = ask(Role::temporaries, activation, node, {});
      if (is_first || frees_gradients) {
        gradients_.push_back(ask(Role::gradients, weights[layer], node, {}));
      } else {
        // The new gradient is added to the existing gradient.
        program.free(ask(Role::temporaries, weights[layer], node, {}));
      }
      if (layer == 0 && keeps_logits) {
        kept.push_back(activations[layer]);
      } else {
        program.free(activations[layer]);
      }
      program.free(scratch);
    }
    program.free(kept_);
    kept_ = kept;
    program.free(copies);
    step();
    program.free(x);
    if (frees_gradients) {
      program.free(gradients_);
      gradients_.clear();
    }
  }

  void step() {
    const test::Stack python = {{"_single_tensor_adamw", std::string(kTorch) + "optim/adamw.py", 400},
                                {"step", std::string(kTorch) + "optim/adamw.py", 220},
                                {"train_step", kTrain, 70}};
    const test::Stack own = {{"step", kModel, 140},
                             {"wrapper", std::string(kTorch) + "optim/optimizer.py", 480},
                             {"train_step", kTrain, 70}};
    for (std::size_t layer = 0; layer < weights.size(); ++layer) {
      if (replaces_parameters) {
        const std::size_t scaled =
            ask(Role::temporaries, weights[layer], {{"at::_ops::mul::call()", "??", 0}}, own);
        const std::size_t next =
            ask(Role::parameters, weights[layer], {{"at::_ops::sub::call()", "??", 0}}, own);
        program.free(scaled);
        program.free(parameters_[layer]);
        parameters_[layer] = next;
        continue;
      }
      if (!has_state_) {
        ask(Role::optimizer_state, weights[layer], {{"at::_ops::zeros_like::call()", "??", 0}}, python);
        ask(Role::optimizer_state, weights[layer], {{"at::_ops::zeros_like::call()", "??", 0}}, python);
      }
      program.free(ask(Role::temporaries, weights[layer], {{"at::_ops::sqrt::call()", "??", 0}}, python));
    }
    has_state_ = has_state_ || !replaces_parameters;
  }

  void begin_recording() {
    program.begin_recording();
    truth_.clear();
    start_ = picture_of(program.allocator(), [](std::uint32_t) { return 0U; });
    begun_with_ = truth_by_id_.size();
  }

  struct Result {
    double right_or_unknown = 0, right = 0, certain_and_wrong = 0;
  };

  /// The shares are relative to all bytes that were requested within the recording.
  Result result() const {
    const Recording recording = program.recording();
    const auto lifetimes = lifetimes_of(recording);
    const Roles roles =
        roles_of(recording, lifetimes, iterations_of(recording), std::numeric_limits<std::size_t>::max());
    Result result;
    double all = 0;
    std::size_t next = 0;
    for (std::size_t i = recording.residents; i < recording.events.size(); ++i) {
      const MemoryEvent& event = recording.events[i];
      if (event.kind != EventKind::allocate) {
        continue;
      }
      const auto bytes = static_cast<double>(event.bytes);
      const Role found = roles.of[event.allocation], truth = truth_.at(next++);
      all += bytes;
      result.right += found == truth ? bytes : 0;
      result.right_or_unknown += found == truth || found == Role::unknown ? bytes : 0;
      result.certain_and_wrong +=
          found != truth && roles.certainty[event.allocation] == RoleCertainty::certain ? bytes : 0;
    }
    EXPECT_EQ(next, truth_.size());
    return {result.right_or_unknown / all, result.right / all, result.certain_and_wrong / all};
  }

  MemoryExplanation explained() const { return explain(program.recording(), {}).explanation; }

  test::RecordedProgram program;

 private:
  bool has_native_frames_, has_state_ = false, keeps_gradients_ = false, is_recording_ = true;
  std::vector<std::size_t> parameters_, gradients_, kept_;
  std::vector<Role> truth_, truth_by_id_;
  std::vector<SegmentPicture> start_;
  std::size_t begun_with_ = 0;
};

void expect_right(const Training& training, double known) {
  const auto result = training.result();
  EXPECT_GE(result.right_or_unknown, 0.95);
  EXPECT_GE(result.right, known);
  EXPECT_LE(result.certain_and_wrong, 0.02);
}

void train(Training& training, int iterations = 5) {
  training.build();
  for (int i = 0; i < iterations; ++i) {
    training.iteration();
  }
}

TEST(Roles, OfATrainingAreKnownWithAndWithoutNativeFrames) {
  for (const bool has_native_frames : {true, false}) {
    SCOPED_TRACE(has_native_frames);
    Training training(has_native_frames);
    train(training);
    expect_right(training, 0.95);
  }
}

TEST(Roles, CopiesOfWeightsUnderAutocastAreNoActivations) {
  for (const bool has_native_frames : {true, false}) {
    SCOPED_TRACE(has_native_frames);
    Training training(has_native_frames);
    training.autocast = true;
    train(training);
    expect_right(training, 0.9);
  }
}

/// Activations that happen to be half as large as a weight are not copies of it.
TEST(Roles, ActivationsOfHalfTheSizeAreNoCopies) {
  Training training(false);
  training.activation = 6 * kMebibyte;
  train(training);
  const auto result = training.result();
  EXPECT_GE(result.right_or_unknown, 0.95);
}

TEST(Roles, OfASingleLinearLayer) {
  Training training;
  training.weights = {64 * kMebibyte};
  train(training);
  const Training& run = training;
  expect_right(run, 0.95);
  EXPECT_THAT(run.explained().text, HasSubstr("[parameters]"));
}

TEST(Roles, TensorsThatReplaceParametersAreParameters) {
  Training training;
  training.replaces_parameters = true;
  train(training);
  expect_right(training, 0.95);
}

TEST(Roles, GradientsThatAreNeverFreedAreNoParameters) {
  for (const bool has_native_frames : {true, false}) {
    SCOPED_TRACE(has_native_frames);
    Training training(has_native_frames);
    training.frees_gradients = false;
    train(training);
    expect_right(training, 0.9);
  }
}

TEST(Roles, OfPlainTensorsFollowFromSizesAndLives) {
  Training training;
  training.builds_in_torch = false;
  train(training);
  expect_right(training, 0.9);
}

TEST(Roles, OfARecordingThatBeginsInTheMiddle) {
  for (const bool has_native_frames : {true, false}) {
    Training training(has_native_frames);
    train(training, 3);
    training.begin_recording();
    for (int i = 0; i < 4; ++i) {
      training.iteration();
    }
    expect_right(training, 0.8);
  }
}

/// Activations of the previous iteration that a variable keeps.
TEST(Roles, ASecondGraphThatAVariableKeepsIsNamed) {
  Training training;
  training.keeps_logits = true;
  training.activation = 60 * kMebibyte;
  train(training);
  const Training& run = training;
  expect_right(run, 0.95);
  const auto explanation = run.explained();
  EXPECT_EQ(explanation.kept_from_before_bytes, 60 * kMebibyte);
  EXPECT_THAT(explanation.text, HasSubstr("Kept from the previous iteration: 60.0 MiB"));
  EXPECT_THAT(explanation.text, HasSubstr("deleted (del) before the next forward pass"));
}

/// If several changes apply to the same memory, the savings add up only if they can be combined. Otherwise,
/// the reason is given.
TEST(Roles, SavingsDoNotContradictEachOther) {
  Training training;
  training.activation = 16 * kMebibyte;
  train(training);
  const auto explanation = training.explained();
  for (const auto& saving : explanation.savings) {
    EXPECT_LE(saving.saved_bytes, saving.held_bytes) << saving.change;
    if (saving.change.starts_with("half the batch") || saving.change == "activation checkpointing") {
      EXPECT_TRUE(saving.saved_bytes * 10 >= saving.held_bytes * 3 || !saving.limit.empty()) << saving.change;
    }
  }
}

/// The role that the stack of a failing program indicates, found independently of FrameNames.
Role truth_of(const test::Stack& stack) {
  const auto has = [&](const std::string& part) {
    return std::any_of(stack.begin(), stack.end(), [&](const test::Frame& frame) {
      return frame.name.find(part) != std::string::npos || frame.file.find(part) != std::string::npos;
    });
  };
  return has("getNewWorkspace")  ? Role::workspace
         : has("AccumulateGrad") ? Role::gradients
         : has("MmBackward0")    ? Role::temporaries
         : has("_init_group")    ? Role::optimizer_state
         : has("_foreach_add")   ? Role::temporaries
         : has("__init__")       ? Role::parameters
                                 : Role::activations;
}

TEST(Roles, OfTwentyFailingProgramsAreRightOrUnknown) {
  const molgauge::test::TemporaryFolder folder;
  for (const auto& program : test::failing_programs()) {
    SCOPED_TRACE(program.name);
    const auto paths = test::write_snapshots(program, folder.path());
    const Recording recording =
        read_recording(paths.front(), program.ranks ? std::nullopt : std::optional<std::size_t>(0));
    const auto lifetimes = lifetimes_of(recording);
    const std::size_t horizon =
        recording.failure ? recording.failure->event : std::numeric_limits<std::size_t>::max();
    const Roles roles = roles_of(recording, lifetimes, iterations_of(recording), horizon);
    double all = 0, right = 0;
    std::size_t step = 0;
    const auto& steps = program.devices.front();
    for (std::size_t i = recording.residents; i < recording.events.size(); ++i) {
      const MemoryEvent& event = recording.events[i];
      if (event.kind != EventKind::allocate && event.kind != EventKind::out_of_memory) {
        continue;
      }
      while (steps.at(step).bytes == 0) {
        ++step;
      }
      const Role truth = truth_of(program.stacks.at(steps[step++].stack));
      if (event.kind == EventKind::allocate) {
        const Role found = roles.of[event.allocation];
        all += static_cast<double>(event.bytes);
        right += found == truth || found == Role::unknown ? static_cast<double>(event.bytes) : 0;
      }
    }
    EXPECT_GE(right, 0.95 * all);
  }
}

}  // namespace
}  // namespace molgauge::allocator
