// Tests that pinned memory counts in the budget of the host. Here, a fake replaces the allocator of pinned
// memory in LibTorch. The fake rounds sizes in the same way.

#include "base/numerics/torch/pinned_memory.h"

#include <bit>
#include <map>
#include <memory>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/uploads.h"

namespace molgauge::torch {
namespace {

/// An allocator that keeps freed blocks, as the pinned-memory allocator of LibTorch does.
class FakeBlocks final : public PinnedBlocks {
 public:
  at::Tensor take(std::int64_t bytes) override {
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(bytes));
    const auto kept = kept_.find(size);
    std::shared_ptr<std::vector<char>> block;
    if (kept != kept_.end()) {
      block = kept->second;
      kept_.erase(kept);
    } else {
      block = std::make_shared<std::vector<char>>(size);
      held_ += size;
    }
    return at::from_blob(
        block->data(), {bytes}, [this, block](void*) { kept_.emplace(block->size(), block); },
        at::TensorOptions(at::kByte));
  }
  std::uint64_t held_bytes() override { return held_; }
  void release_kept() override {
    for (const auto& [size, block] : kept_) {
      held_ -= size;
    }
    kept_.clear();
  }

 private:
  std::multimap<std::size_t, std::shared_ptr<std::vector<char>>> kept_;
  std::uint64_t held_ = 0;
};

TEST(PinnedMemory, IsCountedUntilItIsReleased) {
  FakeBlocks blocks;
  memory::AllocationMeter meter;
  PinnedMemory pinned(blocks, meter);
  at::Tensor first = pinned.take(1000);
  EXPECT_EQ(first.sizes(), at::IntArrayRef({1000}));
  EXPECT_EQ(meter.allocated_bytes(), 1024U) << "as LibTorch rounds it";
  first.reset();
  EXPECT_EQ(meter.allocated_bytes(), 1024U) << "the block is cached";
  at::Tensor again = pinned.take(800);
  EXPECT_EQ(meter.allocated_bytes(), 1024U) << "the cached block is reused";
  const at::Tensor other = pinned.take(5000);
  EXPECT_EQ(meter.allocated_bytes(), 1024U + 8192U);
  again.reset();
  pinned.release();
  EXPECT_EQ(meter.allocated_bytes(), 8192U) << "a block in use stays";
}

TEST(PinnedMemory, KeepsToTheBudgetOfTheHost) {
  FakeBlocks blocks;
  memory::AllocationMeter meter;
  PinnedMemory pinned(blocks, meter);
  meter.set_limit(10'000);
  at::Tensor first = pinned.take(4096);
  EXPECT_FALSE(pinned.take(8000).defined()) << "8192 bytes do not fit next to 4096";
  EXPECT_EQ(meter.allocated_bytes(), 4096U);
  first.reset();
  EXPECT_TRUE(pinned.take(8000).defined()) << "the cached block is released for it";
  EXPECT_LE(meter.allocated_bytes(), 10'000U);
}

TEST(Uploads, ToTheCpuAreTheTensorsThemselves) {
  at::Tensor numbers = at::ones({3}), undefined;
  const void* const before = numbers.data_ptr();
  move_together({&numbers, &undefined}, c10::kCPU);
  EXPECT_EQ(numbers.data_ptr(), before);
  EXPECT_FALSE(undefined.defined());
  EXPECT_EQ(moved(numbers, c10::kCPU).data_ptr(), before);
}

/// The meta device does not store numbers, but it shows the shapes and storage offsets of copies.
TEST(Uploads, LieOneAfterTheOther) {
  at::Tensor floats = at::ones({5, 3}), integers = at::ones({7}, at::kInt), number = at::ones({}, at::kLong),
             empty = at::empty({0, 4}), undefined;
  move_together({&floats, &undefined, &integers, &empty, &number}, c10::kMeta);
  EXPECT_EQ(floats.sizes(), at::IntArrayRef({5, 3}));
  EXPECT_EQ(integers.scalar_type(), at::kInt);
  EXPECT_EQ(integers.storage_offset(), 64 / 4) << "after 60 bytes";
  EXPECT_EQ(empty.sizes(), at::IntArrayRef({0, 4}));
  EXPECT_EQ(number.dim(), 0);
  EXPECT_EQ(number.scalar_type(), at::kLong);
  EXPECT_EQ(number.storage_offset(), 128 / 8);
  EXPECT_TRUE(floats.is_contiguous() && floats.is_meta());
  floats.requires_grad_(true);
  EXPECT_TRUE(floats.is_leaf());
  EXPECT_FALSE(undefined.defined());
}

TEST(Uploads, ToAGpuShareOneArray) {
  if (!at::hasCUDA()) {
    GTEST_SKIP() << "no GPU";
  }
  const at::Tensor floats = at::randn({5, 3}), integers = at::arange(7, at::kLong), number = at::ones({});
  at::Tensor a = floats, b = integers, c = number, undefined;
  move_together({&a, &undefined, &b, &c}, c10::Device(c10::kCUDA, 0));
  EXPECT_TRUE(at::equal(a.cpu(), floats));
  EXPECT_TRUE(at::equal(b.cpu(), integers));
  EXPECT_TRUE(at::equal(c.cpu(), number));
  EXPECT_EQ(a.storage().data_ptr().get(), b.storage().data_ptr().get());
}

}  // namespace
}  // namespace molgauge::torch
