#pragma once

// Tests of the engine with a small network of random weights as the encoder unimol.

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "molgauge/engine.h"
#include "support/fixtures.h"

namespace molgauge::test {

inline const std::string kMolecules = "CCO\nCC(=O)Oc1ccccc1C(=O)O\nnonsense\nCCO\nc1ccccc1\n";

/// Returns the message of the error of type `Expected` that `work` throws, or an empty text.
template <typename Expected>
std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Expected& error) {
    return error.what();
  }
  return "";
}

class Unimol : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Engine& engine() { return molgauge::engine(session_); }

  /// Writes random weights of a small network into `folder`.
  WeightsInfo init(std::uint64_t seed, const std::string& folder = "weights") {
    return engine().run(InitWeightsRequest{.encoder = "unimol",
                                           .seed = seed,
                                           .layers = 2,
                                           .width = 32,
                                           .hidden = 48,
                                           .heads = 8,
                                           .kernels = 16,
                                           .weights = path(folder)});
  }
  EncodeRequest request(const std::string& molecules = kMolecules, const std::string& folder = "weights") {
    replace_file(path("molecules.smi"), molecules);
    EncodeRequest request;
    request.molecules = path("molecules.smi");
    request.encoder = "unimol";
    request.store = path("store");
    request.weights = path(folder);
    request.compute.threads = 2;
    request.compute.quiet = true;
    request.compute.random_weights = true;
    return request;
  }

  Session session_;
  TemporaryFolder folder_;
};

/// A training whose ID molecules are chains of atoms and whose OOD molecules are rings with chains.
class UnimolTraining : public Unimol {
 protected:
  void SetUp() override {
    init(7);
    std::string chains = "smiles\n", rings;
    for (int atoms = 1; atoms <= 14; ++atoms) {
      for (const char* const end : {"O", "N", "C(=O)O", "Cl"}) {
        chains += std::string(static_cast<std::size_t>(atoms), 'C') + end + "\n";
        rings += std::string(static_cast<std::size_t>(atoms), 'C') + "c1ccc(" + end + ")cc1\n";
      }
    }
    replace_file(path("chains.csv"), chains);
    replace_file(path("rings.smi"), rings);
  }
  TrainRequest tuning(const std::string& run, bool tune = true) {
    TrainRequest request;
    request.benchmark = path("chains.csv");
    request.ood = path("rings.smi");
    request.run = path(run);
    request.encoder = "unimol";
    request.store = path("store");
    request.weights = path("weights");
    request.batch_size = 16;
    request.epochs = 3;
    request.hidden_dim = 16;
    request.finetune_encoder = tune;
    if (tune) {
      request.freeze_layers = "0";
      request.encoder_lr = 1e-3;
    }
    request.compute.threads = 2;
    request.compute.quiet = true;
    request.compute.random_weights = true;
    return request;
  }
  EvaluateRequest evaluation(const std::string& run) { return evaluation_of(path(run)); }
  EvaluateRequest evaluation_of(const std::string& folder) {
    EvaluateRequest request;
    request.run = folder;
    request.store = path("store");
    request.weights = path("weights");
    request.compute = tuning("").compute;
    return request;
  }
  std::vector<float> scores(const std::string& run) {
    ScoreRequest request;
    request.run = path(run);
    request.store = path("store");
    request.weights = path("weights");
    request.molecules = path("rings.smi");
    request.compute = tuning(run).compute;
    std::vector<float> found;
    for (const ScoredMolecule& molecule : engine().run(request).molecules) {
      found.push_back(static_cast<float>(molecule.score));
    }
    return found;
  }
};

}  // namespace molgauge::test
