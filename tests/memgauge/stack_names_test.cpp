// Tests the names of stacks from Windows, compiled code, debuggers and profilers.

#include <gmock/gmock.h>

#include "recorded_program.h"

namespace molgauge::allocator {
namespace {

using test::RecordedProgram;
using test::Stack;

struct Named {
  std::string name;
  StackSummary summary;
  Recording recording;
};

Named named(const Stack& stack) {
  RecordedProgram program;
  program.alloc(10 * kMebibyte, stack);
  Recording recording = program.recording();
  const std::uint32_t origin = recording.events.front().origin;
  Named result{recording.origins[origin], recording.stacks[origin], {}};
  result.recording = std::move(recording);
  return result;
}

TEST(StackNames, OfWindowsSkipInstalledPackages) {
  const auto found =
      named({{"linear", R"(C:\Users\me\venv\Lib\site-packages\torch\nn\functional.py)", 12},
             {"_call_impl", R"(C:\Users\me\venv\Lib\site-packages\torch\nn\modules\module.py)", 1500},
             {"forward", R"(C:\Users\me\work\model.py)", 40},
             {"run", R"(C:\Python311\Lib\threading.py)", 900}});
  EXPECT_EQ(found.name, "forward (model.py:40)");
  EXPECT_TRUE(found.summary.in_forward);
  EXPECT_TRUE(found.recording.on_windows);
  EXPECT_THAT(found.summary.frames, testing::Contains("linear (torch/nn/functional.py:12)"));
  EXPECT_THAT(found.summary.frames, testing::Not(testing::Contains(testing::HasSubstr("threading.py"))));
}

TEST(StackNames, OfCompiledCodeAreTheFramesOfTheUser) {
  const std::string hash(51, 'e');
  const auto found =
      named({{"call", "/tmp/torchinductor_me/ey/c" + hash + ".py", 4270},
             {"__call__", "/env/lib/python3.11/site-packages/torch/_inductor/output_code.py", 500},
             {"train_step", "/home/me/train.py", 60}});
  EXPECT_EQ(found.name, "train_step (train.py:60), compiled code, line 4270");
  EXPECT_THAT(found.name, testing::Not(testing::HasSubstr("eee")));
  const auto elsewhere =
      named({{"call", "/data/cache/ey/c" + hash + ".py", 7}, {"main", "/home/me/train.py", 9}});
  EXPECT_EQ(elsewhere.name, "main (train.py:9), compiled code, line 7");
}

TEST(StackNames, OfCompiledCodeUseTheOriginalFrame) {
  RecordedProgram program;
  test::PickleText text;
  const std::size_t start = text.so_far().size();
  text.text("frames")
      .raw("](}(")
      .field("name", "call")
      .field("filename", "/tmp/torchinductor_me/a/b.py")
      .field("line", 5);
  text.field("fx_node_name", "linear_3");
  text.field("fx_original_trace",
             "  File \"/home/me/model.py\", line 88, in forward\n    return self.fc(x)\n");
  text.raw("ue");
  test::PickleText whole;
  whole.raw("}(").text("segments").raw("](e").text("device_traces").raw("](](}(");
  whole.field("action", "alloc").field("addr", 4096).field("size", 512).field("stream", 0);
  whole.raw(text.so_far().substr(start)).raw("u}(").field("action", "alloc").field("addr", 8192);
  whole.field("size", 512).field("stream", 0).raw("u").raw("eeu");
  const Recording recording = test::read_pickle(whole.stop());
  EXPECT_EQ(recording.origins[recording.events.front().origin], "forward (model.py:88), compiled linear_3");
}

TEST(StackNames, SkipDebuggersAndProfilers) {
  const Stack stack = {{"forward", "/home/me/model.py", 40},
                       {"main", "/home/me/train.py", 9},
                       {"_exec", "/home/me/.vscode/extensions/debugpy/_vendored/pydevd/pydevd.py", 1100},
                       {"run_path", "<frozen runpy>", 291},
                       {"runctx", "/usr/lib/python3.11/cProfile.py", 100}};
  const auto found = named(stack);
  EXPECT_EQ(found.name, "forward (model.py:40)");
  EXPECT_THAT(found.summary.frames, testing::ElementsAre("forward (model.py:40)", "main (train.py:9)"));
  const auto outside =
      named({{"trace_dispatch", "/opt/pydevd/pydevd_frame.py", 3}, {"main", "/home/me/train.py", 9}});
  EXPECT_EQ(outside.name, "main (train.py:9)");
}

TEST(StackNames, TellPlatforms) {
  EXPECT_EQ(named({{"c10::hip::HIPCachingAllocator::malloc(void**)", "??", 0}}).recording.platform,
            Platform::rocm);
  EXPECT_EQ(named({{"c10::xpu::XPUCachingAllocator::raw_alloc()", "??", 0}}).recording.platform,
            Platform::xpu);
  EXPECT_EQ(named({{"main", "/home/me/train.py", 9}}).recording.platform, Platform::cuda);
}

TEST(StackNames, AClosureOfAnOptimizerIsNoStep) {
  const auto found = named({{"forward", "/home/me/model.py", 40},
                            {"closure", "/home/me/train.py", 30},
                            {"step", "/env/lib/python3.11/site-packages/torch/optim/lbfgs.py", 330}});
  EXPECT_FALSE(found.summary.in_optimizer);
}

}  // namespace
}  // namespace molgauge::allocator
