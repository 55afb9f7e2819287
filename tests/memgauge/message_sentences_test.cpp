// Checks each sentence about an out-of-memory message against the state of the device that wrote the message.
// The states are drawn at random, so a sentence that claims more than the figures show is found.

#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/text/bytes.h"
#include "memgauge/explain/message_explanation.h"

namespace molgauge::allocator {
namespace {

using nlohmann::json;
using Bytes = std::uint64_t;

constexpr Bytes kMi = Bytes{1} << 20;

/// A device with several processes. All sizes are multiples of 1 MiB, so the message has no rounding.
struct DeviceState {
  Bytes request = 0, free = 0, allocated = 0, rest = 0, context = 0, allowed = 0;
  std::vector<Bytes> others;

  Bytes reserved() const { return allocated + rest; }
  Bytes of_others() const {
    Bytes sum = 0;
    for (const Bytes bytes : others) {
      sum += bytes;
    }
    return sum;
  }
  Bytes capacity() const { return free + reserved() + context + of_others(); }
  Bytes missing() const { return request - std::min(request, free + rest); }
  bool fraction_refuses() const { return allowed > 0 && reserved() + request > allowed; }

  std::string message() const {
    const auto mib = [](Bytes bytes) { return fmt::format("{}.00 MiB", bytes / kMi); };
    std::string text = fmt::format(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} "
        "of "
        "which {} is free. ",
        mib(request), mib(capacity()), mib(free));
    for (std::size_t i = 0; i < others.size(); ++i) {
      text += fmt::format("Process {} has {} memory in use. ", 100 + i, mib(others[i]));
    }
    text += fmt::format("Including non-PyTorch memory, this process has {} memory in use. ",
                        mib(reserved() + context));
    text += allowed > 0 ? fmt::format("{} allowed; ", mib(allowed)) : "";
    return text + fmt::format(
                      "Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch "
                      "but unallocated.",
                      mib(allocated), mib(rest));
  }
};

DeviceState random_state(std::mt19937_64& random) {
  const auto below = [&](Bytes most) { return (random() % (most + 1)) * kMi; };
  DeviceState state;
  state.free = random() % 2 == 0 ? below(300) : below(8000);
  state.allocated = below(20000);
  state.rest = random() % 2 == 0 ? below(300) : below(6000);
  state.context = (200 + random() % 400) * kMi;
  state.request = (1 + random() % (random() % 20 == 0 ? 60000 : 7000)) * kMi;
  const bool ranks = random() % 3 == 0;
  for (Bytes i = random() % 6; i > 0; --i) {
    state.others.push_back(ranks ? (500 + random() % 40) * kMi : (10 + random() % 9000) * kMi);
  }
  if (random() % 5 == 0) {
    state.allowed = state.reserved() + below(4000);
  }
  return state;
}

/// For each sentence, whether its claim holds.
std::map<std::string, bool> claims(const DeviceState& s) {
  const bool fits = s.free >= s.request && !s.fraction_refuses();
  const bool in_pieces = s.free < s.request && s.missing() == 0;
  std::size_t small = 0;
  for (const Bytes bytes : s.others) {
    small += bytes <= 1024 * kMi ? 1U : 0U;
  }
  return {
      {"alone is larger than the device", s.request > s.capacity()},
      {"a memory fraction allows this process", s.fraction_refuses()},
      {"Within this limit, memory was fragmented", s.rest >= s.request},
      {"Without the fraction, the request of", s.free < s.request},
      {"the program set a memory fraction", false},
      {"set_per_process_memory_fraction", s.fraction_refuses()},
      {"more than the " + format_bytes(s.request) + " that were requested. Either", fits},
      {"Memory was fragmented", in_pieces},
      {"No single block was large enough", in_pieces},
      {"The free memory was also fragmented", in_pieces},
      {"expandable_segments:True", in_pieces || s.rest * 5 > s.reserved()},
      {"The device is nearly full", s.rest * 5 < s.reserved()},
      {"A setting against fragmentation saves " + format_bytes(s.rest) + " at most", in_pieces},
      {format_bytes(s.missing()) + " were missing. Fragmentation is not the cause", s.missing() > 0},
      {"Without them the request", s.of_others() + s.free >= s.request},
      {"would have fitted: " + format_bytes(s.missing()) + " were missing", s.missing() > 0},
      {"That is more than the " + format_bytes(s.missing()) + " that were missing",
       s.missing() > 0 && s.of_others() >= s.missing() && s.of_others() + s.free < s.request},
      {"That is less than the missing memory", s.of_others() < s.missing()},
      {"as much as a CUDA context without tensors", small >= 2},
      {"torch.cuda.set_device(local_rank)", small >= 2},
      {"Other processes use about " + format_bytes(s.of_others()), s.of_others() > 0},
      {"end process", s.of_others() >= s.missing() && !s.fraction_refuses() && !fits},
  };
}

/// Beginnings of sentences whose figures must be exactly those of a claim.
constexpr const char* kWithFigures[] = {"were missing. Fragmentation", "That is more than the",
                                        "A setting against fragmentation saves", "Other processes use about",
                                        "that were requested. Either"};

TEST(MessageSentences, AreTrueForEveryDevice) {
  std::mt19937_64 random(7);
  std::map<std::string, int> verdicts;
  for (int i = 0; i < 4000; ++i) {
    const DeviceState state = random_state(random);
    const auto explanation = explain_message(state.message(), "message");
    ++verdicts[json::parse(explanation.json)["verdict"].get<std::string>()];
    const auto holds = claims(state);
    for (const auto& [sentence, is_true] : holds) {
      ASSERT_TRUE(is_true || explanation.text.find(sentence) == std::string::npos) << sentence << "\n"
                                                                                   << state.message() << "\n"
                                                                                   << explanation.text;
    }
    for (const char* const beginning : kWithFigures) {
      const bool is_said = explanation.text.find(beginning) != std::string::npos;
      const bool is_known = std::any_of(holds.begin(), holds.end(), [&](const auto& claim) {
        return claim.first.find(beginning) != std::string::npos &&
               explanation.text.find(claim.first) != std::string::npos;
      });
      ASSERT_EQ(is_said, is_known) << beginning << "\n" << state.message() << "\n" << explanation.text;
    }
  }
  for (const char* const verdict : {"fragmented", "too_much", "other_processes", "idle_contexts",
                                    "memory_fraction", "impossible", "refused_with_room"}) {
    EXPECT_GT(verdicts[verdict], 0) << verdict;
  }
}

/// XPU does not state the free memory, and the free memory of ROCm may have overflowed.
TEST(MessageSentences, WithoutFreeMemoryAreTrue) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 1500; ++i) {
    const Bytes capacity = 16000 * kMi, reserved = (random() % 16000) * kMi;
    const Bytes allocated = reserved - reserved / kMi % 7 * reserved / 8 / kMi * kMi;
    const Bytes request = (1 + random() % 9000) * kMi, rest = reserved - allocated;
    const auto text =
        explain_message(
            fmt::format("XPU out of memory. Tried to allocate {}.00 MiB. GPU 0 has a total capacity of "
                        "{}.00 MiB. Of the allocated memory {}.00 MiB is allocated by PyTorch, and "
                        "{}.00 MiB is reserved by PyTorch but unallocated.",
                        request / kMi, capacity / kMi, allocated / kMi, rest / kMi),
            "message")
            .text;
    const auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
    EXPECT_EQ(says("more than the device has"), allocated + request > capacity) << text;
    EXPECT_TRUE(!says("Memory was fragmented") || rest >= request) << text;
    EXPECT_TRUE(!says("had reserved only") || capacity - reserved >= request) << text;
    EXPECT_TRUE(!says("at most 4 GiB for one block") || request > 4096 * kMi) << text;
    EXPECT_TRUE(!says("Neither is enough") || (rest < request && capacity - reserved < request)) << text;
  }
}

TEST(MessageSentences, OfCudaMallocAsyncAreTrue) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 1500; ++i) {
    const Bytes capacity = 12000, allocated = random() % 12000, request = 1 + random() % 14000;
    const Bytes allowed = random() % 2 == 0 ? 6000 : Bytes{1} << 44;
    const auto text =
        explain_message(
            fmt::format("Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently "
                        "allocated     : {}.00 MiB\nRequested               : {}.00 MiB\nDevice limit   "
                        "         : {}.00 MiB\nFree (according to CUDA): 1.00 MiB\nPyTorch limit (set "
                        "by user-supplied memory fraction)\n                        : {}.00 MiB",
                        allocated, request, capacity, allowed),
            "message")
            .text;
    const auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(!says("more than the device has") || allocated + request > capacity) << text;
    EXPECT_TRUE(!says("larger than the device") || request > capacity) << text;
    EXPECT_TRUE(!says("A memory fraction allows") || allocated + request > allowed) << text;
    EXPECT_TRUE(!says("more would fit") || allocated + request <= capacity) << text;
    EXPECT_FALSE(says("Fragmentation is not the cause") || says("reserved")) << text;
  }
}

}  // namespace
}  // namespace molgauge::allocator
