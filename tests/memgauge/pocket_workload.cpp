#include "pocket_workload.h"

#include <deque>
#include <random>
#include <string>
#include <vector>

namespace molgauge::allocator::test {
namespace {

constexpr std::uint64_t kFloat = 4;
constexpr std::uint64_t kChannels = 64;
constexpr std::uint64_t kEdgesAnAtom = 24;
constexpr std::uint64_t kPairHeads = 8;
constexpr int kLayers = 4;
constexpr int kBatchesAnEpoch = 60;
constexpr std::size_t kBankSize = 150;

class PocketTraining {
 public:
  explicit PocketTraining(const WorkloadSink& sink) : sink_(sink), bits_(42) {}

  void run(std::size_t epochs) {
    sink_.begin_phase("train");
    build_model();
    for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
      sink_.begin_phase("epoch " + std::to_string(epoch));
      for (int batch = 0; batch < kBatchesAnEpoch; ++batch) {
        step(atoms_of_batch(epoch));
      }
      sink_.end_phase();
    }
    sink_.end_phase();
  }

 private:
  struct Tensor {
    std::uint64_t address, bytes;
  };

  Tensor tensor(std::uint64_t numbers) {
    const Tensor made{next_address_, numbers * kFloat};
    next_address_ += 512;
    sink_.allocate(made.address, made.bytes);
    return made;
  }
  void free(const Tensor& dead) { sink_.free(dead.address, dead.bytes); }

  /// Weights, and two moments of each.
  void build_model() {
    sink_.begin_phase("model");
    for (int layer = 0; layer < 24; ++layer) {
      for (const std::uint64_t width : {256, 512, 1024}) {
        for (int copy = 0; copy < 3; ++copy) {
          tensor(width * 1024);
        }
      }
    }
    sink_.end_phase();
  }

  /// Most batches are small. The largest batch of an epoch grows with the epochs.
  std::uint64_t atoms_of_batch(std::size_t epoch) {
    const std::uint64_t largest = epoch < 5 ? 1400 + 100 * epoch : 2250;
    const std::uint64_t draw = bits_() % 1000;
    const std::uint64_t small = 400 + bits_() % 700;
    return draw < 60 ? largest - bits_() % 100 : small;
  }

  void step(std::uint64_t atoms) {
    std::vector<Tensor> saved;
    sink_.begin_phase("forward");
    saved.push_back(tensor(atoms * kChannels));
    for (int layer = 0; layer < kLayers; ++layer) {
      saved.push_back(tensor(atoms * kEdgesAnAtom * kChannels));
      const Tensor scratch = tensor(atoms * atoms * kPairHeads);
      saved.push_back(tensor(atoms * atoms * kPairHeads));
      free(scratch);
      saved.push_back(tensor(atoms * kChannels * 4));
    }
    bank_.push_back(tensor(atoms * 1024 + 300'000));
    sink_.end_phase();
    sink_.begin_phase("backward");
    for (; !saved.empty(); saved.pop_back()) {
      const Tensor gradient = tensor(saved.back().bytes / kFloat);
      free(saved.back());
      free(gradient);
    }
    sink_.end_phase();
    if (bank_.size() > kBankSize) {
      free(bank_.front());
      bank_.pop_front();
    }
  }

  const WorkloadSink& sink_;
  std::mt19937 bits_;
  std::uint64_t next_address_ = std::uint64_t{1} << 32;
  std::deque<Tensor> bank_;
};

}  // namespace

void run_pocket_workload(std::size_t epochs, const WorkloadSink& sink) { PocketTraining(sink).run(epochs); }

}  // namespace molgauge::allocator::test
