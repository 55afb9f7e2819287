// Roles and savings of programs without a backward pass. A zeroth-order optimizer perturbs the parameters,
// runs two forward passes, and updates the parameters with tensors of the same sizes.

#include <limits>
#include <numeric>

#include <gmock/gmock.h>

#include "memgauge/explain/explanation.h"
#include "memgauge/explain/roles.h"
#include "recorded_program.h"

namespace molgauge::allocator {
namespace {

using Role = MemoryRole;

constexpr const char* kModules = "/env/lib/python3.11/site-packages/torch/nn/modules/";
constexpr std::uint64_t kActivation = 10 * kMebibyte, kInput = 3 * kMebibyte;

struct Kind {
  const char* name = "";
  bool builds_in_torch = true;       ///< whether Module.to() moves the parameters to the device
  bool state_in_constructor = true;  ///< otherwise the first step makes the state
  bool replaces = false;             ///< the update makes new parameters and new state
  const char* file = "/home/user/zo.py";
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"state in the constructor"},
      {"state in the first step", true, false},
      {"own parameters", false, true},
      {"replaced parameters", true, true, true},
      {"replaced in the first step", true, false, true},
      {"a file named after optimizers", true, false, false, "/home/user/zo_optim.py"},
      {"replaced, a file named after optimizers", true, true, true, "/home/user/zo_optim.py"},
  };
  return all;
}

class ZerothOrder {
 public:
  explicit ZerothOrder(const Kind& kind) : kind_(kind) {
    const test::Stack main = {{"main", "/home/user/train.py", 20}};
    for (const auto bytes : weights_) {
      test::Stack stack = {{"__init__", "/home/user/model.py", 12}};
      if (kind.builds_in_torch) {
        stack = {{"convert", std::string(kModules) + "module.py", 1300},
                 {"_apply", std::string(kModules) + "module.py", 900}};
      }
      stack.insert(stack.end(), main.begin(), main.end());
      parameters_.push_back(ask(Role::parameters, bytes, stack));
    }
    if (kind.state_in_constructor) {
      make_state("__init__");
    }
  }

  void iteration() {
    const std::size_t x = ask(Role::inputs, kInput, {{"train_step", "/home/user/train.py", 58}});
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto bytes : weights_) {
        program.free(ask(Role::temporaries, bytes, {{"perturb", kind_.file, 31}, {"step", kind_.file, 50}}));
      }
      forward();
    }
    if (states_.empty()) {
      make_state("step");
    }
    for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
      const std::size_t noise = ask(Role::temporaries, weights_[layer], {{"step", kind_.file, 60}});
      if (kind_.replaces) {
        replace(states_[layer], Role::optimizer_state, weights_[layer], 61);
        replace(parameters_[layer], Role::parameters, weights_[layer], 62);
      }
      program.free(noise);
    }
    program.free(x);
  }

  test::RecordedProgram program;
  std::vector<Role> truth;

 private:
  std::size_t ask(Role role, std::uint64_t bytes, const test::Stack& stack) {
    truth.push_back(role);
    return program.alloc(bytes, stack);
  }

  void make_state(const char* function) {
    for (const auto bytes : weights_) {
      states_.push_back(ask(Role::optimizer_state, bytes,
                            {{function, kind_.file, 15}, {"main", "/home/user/train.py", 24}}));
    }
  }

  void replace(std::size_t& tensor, Role role, std::uint64_t bytes, std::uint64_t line) {
    const std::size_t next = ask(role, bytes, {{"step", kind_.file, line}});
    program.free(tensor);
    tensor = next;
  }

  void forward() {
    std::size_t before = test::RecordedProgram::kFailed;
    for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
      const std::size_t after = ask(Role::activations, kActivation,
                                    {{"forward", std::string(kModules) + "linear.py", 125},
                                     {"_call_impl", std::string(kModules) + "module.py", 1500},
                                     {"forward", "/home/user/model.py", 50 + layer},
                                     {"step", kind_.file, 52}});
      if (before != test::RecordedProgram::kFailed) {
        program.free(before);
      }
      before = after;
    }
    program.free(before);
  }

  Kind kind_;
  std::vector<std::uint64_t> weights_ = {12 * kMebibyte, 24 * kMebibyte, 48 * kMebibyte,
                                         12 * kMebibyte, 24 * kMebibyte, 48 * kMebibyte};
  std::vector<std::size_t> parameters_, states_;
};

TEST(ZerothOrder, RolesAreRightOrUnknown) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    ZerothOrder run(kind);
    for (int i = 0; i < 5; ++i) {
      run.iteration();
    }
    const Recording recording = run.program.recording();
    const auto lifetimes = lifetimes_of(recording);
    const Roles roles =
        roles_of(recording, lifetimes, iterations_of(recording), std::numeric_limits<std::size_t>::max());
    double all = 0, wrong = 0, certain_and_wrong = 0, parameters = 0;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
      const auto bytes = static_cast<double>(lifetimes[i].bytes);
      const bool is_wrong = roles.of[i] != run.truth.at(i) && roles.of[i] != Role::unknown;
      all += bytes;
      wrong += is_wrong ? bytes : 0;
      certain_and_wrong += is_wrong && roles.certainty[i] == RoleCertainty::certain ? bytes : 0;
      parameters += roles.of[i] == Role::parameters ? bytes : 0;
    }
    EXPECT_LE(wrong, 0.05 * all);
    EXPECT_LE(certain_and_wrong, 0.02 * all);
    EXPECT_GE(parameters, 168.0 * static_cast<double>(kMebibyte));
  }
}

/// The peak lies in the update, so a smaller batch saves nothing. There are no saved activations and no
/// gradients to accumulate.
TEST(ZerothOrder, NoSavingIsClaimedThatSavesNothing) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    ZerothOrder run(kind);
    for (int i = 0; i < 5; ++i) {
      run.iteration();
    }
    const auto explanation = explain(run.program.recording(), {}).explanation;
    for (const auto& saving : explanation.savings) {
      EXPECT_THAT(saving.change, testing::Not(testing::HasSubstr("batch")));
      EXPECT_THAT(saving.change, testing::Not(testing::HasSubstr("checkpointing")));
      EXPECT_THAT(saving.change, testing::Not(testing::HasSubstr("bf16")));
    }
  }
}

}  // namespace
}  // namespace molgauge::allocator
