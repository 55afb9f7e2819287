// Tests run folders with damaged files. Every command that reads a damaged file names it in an error, or
// repeats the work with the same result.

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

/// Damages a file and restores it.
class Damage {
 public:
  Damage(fs::path file, const std::function<std::string(std::string)>& harm)
      : file_(std::move(file)), content_(read_file(file_)) {
    std::ofstream(file_, std::ios::binary) << harm(content_);
  }
  ~Damage() { std::ofstream(file_, std::ios::binary) << content_; }
  Damage(const Damage&) = delete;
  Damage& operator=(const Damage&) = delete;

 private:
  fs::path file_;
  std::string content_;
};

std::string flipped(std::string content, std::size_t place) {
  content[place] = static_cast<char>(content[place] ^ 1);
  return content;
}

const std::map<std::string, std::function<std::string(std::string)>> kHarms = {
    {"a bit in the middle", [](const std::string& content) { return flipped(content, content.size() / 2); }},
    {"a bit at the end", [](const std::string& content) { return flipped(content, content.size() - 2); }},
    {"cut", [](const std::string& content) { return content.substr(0, content.size() * 2 / 3); }},
    {"emptied", [](const std::string&) { return std::string(); }},
    {"junk", [](const std::string&) { return std::string("junk"); }}};

/// The contents of all files in a folder and its subfolders, by name, without parts that change with every
/// call.
std::map<std::string, std::string> results_in(const fs::path& folder, const std::vector<std::string>& names) {
  std::map<std::string, std::string> results;
  for (const std::string& name : names) {
    results[name] = read_file(folder / name);
  }
  return results;
}

class DamagedRun : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome split = place_.split(place_.nci_molecules(200), benchmark_);
    ASSERT_EQ(split.exit_code, 0) << split.err;
    ASSERT_EQ(train().exit_code, 0);
    ASSERT_EQ(place_.evaluate(run_, {"--quiet"}).exit_code, 0);
  }
  Outcome train() const { return place_.train(benchmark_, run_, {"--epochs", "6", "--quiet"}); }
  Outcome command(const std::string& name) const {
    if (name == "train") {
      return train();
    }
    if (name == "evaluate") {
      return place_.evaluate(run_, {"--quiet", "--out", place_.path("again")});
    }
    if (name == "score") {
      return place_.score(run_, place_.nci_molecules(5), {"--quiet"});
    }
    if (name == "evaluate --data") {
      return place_.evaluate(
          run_, {"--quiet", "--data", benchmark_, "--allow-overlap", "--out", place_.path("again")});
    }
    return name == "report" ? molgauge({"report", run_}) : molgauge({"memory", "report", run_});
  }

  Workplace place_;
  std::string benchmark_ = place_.path("benchmark.json"), run_ = place_.path("run");
};

TEST_F(DamagedRun, IsNeverReadAsIfItWereWhole) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> readers = {
      {"config.json", {"evaluate", "score", "train", "report"}},
      {"best_model.safetensors", {"evaluate", "score", "train"}},
      {"trained_molecules.safetensors", {"evaluate --data"}},
      {"validation_scores.safetensors", {"score"}},
      {"checkpoints/last.safetensors", {"train"}},
      {"checkpoints/train_time.json", {"train"}},
      {"training_stats.json", {"memory report", "report", "score"}},
      {"ood_evaluation_results.json", {"memory report", "score"}},
      {"test_metrics.json", {"report"}},
      {"detailed_predictions.csv", {"report"}},
      {"training_curve.csv", {"report"}},
      {"training_dynamics.csv", {"report"}},
      {"checksums.xxh128", {"evaluate", "train", "report"}},
      {"checkpoints/checksums.xxh128", {"train"}}};
  auto harm = kHarms.begin();
  for (const auto& [file, commands] : readers) {
    // Each file gets two kinds of damage. Over all files, every kind occurs.
    for (int kind = 0; kind < 2; ++kind) {
      const Damage damage(fs::path(run_) / file, harm->second);
      for (const std::string& name : commands) {
        SCOPED_TRACE(name + ": " + file + ": " + harm->first);
        const Outcome outcome = command(name);
        EXPECT_THAT(outcome.err, HasSubstr(file.substr(file.find('/') + 1)));
        // `report` may succeed, because its page lists the parts that it leaves out. Other commands fail.
        EXPECT_THAT(outcome.exit_code, name == "report" ? AnyOf(0, 3) : AnyOf(3, 3)) << outcome.err;
      }
      harm = std::next(harm) == kHarms.end() ? kHarms.begin() : std::next(harm);
    }
  }
  EXPECT_EQ(command("evaluate").exit_code, 0);
  EXPECT_EQ(command("evaluate --data").exit_code, 0);
  EXPECT_EQ(command("train").exit_code, 0);
}

TEST_F(DamagedRun, WithoutChecksumsIsStillRead) {
  fs::remove(fs::path(run_) / "checksums.xxh128");
  fs::remove(fs::path(run_) / "checkpoints" / "checksums.xxh128");
  const Outcome evaluated = place_.evaluate(run_, {"--out", place_.path("again")});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.err, HasSubstr("has no file checksums.xxh128"));
  {
    const Damage damage(fs::path(run_) / "best_model.safetensors", kHarms.at("emptied"));
    const Outcome trained = command("train");
    EXPECT_EQ(trained.exit_code, 3);
    EXPECT_THAT(trained.err, HasSubstr("best_model.safetensors"));
  }
  EXPECT_EQ(command("train").exit_code, 0);
  EXPECT_TRUE(fs::exists(fs::path(run_) / "checksums.xxh128"));
}

TEST_F(DamagedRun, WeightsThatAreNoFiniteNumbersAreRefusedByName) {
  const fs::path model = fs::path(run_) / "best_model.safetensors";
  std::string content = read_file(model);
  content.replace(content.size() - 4, 4, std::string("\0\0\xc0\x7f", 4));  // NaN
  fs::remove(fs::path(run_) / "checksums.xxh128");
  std::ofstream(model, std::ios::binary) << content;
  for (const char* name : {"evaluate", "score"}) {
    const Outcome outcome = command(name);
    EXPECT_EQ(outcome.exit_code, 3) << name;
    EXPECT_THAT(outcome.err,
                testing::AllOf(HasSubstr("best_model.safetensors"), HasSubstr("not a finite number")));
  }
}

/// Finite weights that are large enough for the energies to overflow.
TEST_F(DamagedRun, MoleculesWhoseEnergyOverflowsFailByName) {
  const fs::path model = fs::path(run_) / "best_model.safetensors";
  io::SafetensorsFile file = io::read_safetensors(model);
  for (auto& [name, tensor] : file.tensors) {
    ASSERT_EQ(tensor.type, io::DataType::float32) << name;
    for (std::size_t place = 0; place < tensor.bytes.size(); place += sizeof(float)) {
      const float large = 1e37F;
      std::memcpy(tensor.bytes.data() + place, &large, sizeof(float));
    }
  }
  io::write_safetensors(model, file.tensors, file.metadata);
  fs::remove(fs::path(run_) / "checksums.xxh128");
  const std::string molecules = place_.nci_molecules(5), out = place_.path("scores.csv");
  const Outcome scored = place_.score(run_, molecules, {"--quiet", "--out", out});
  EXPECT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_THAT(scored.err, testing::AllOf(HasSubstr(molecules + ":1:"), HasSubstr(run_),
                                         HasSubstr("not a finite number")));
  EXPECT_THAT(read_file(out), testing::Not(testing::AnyOf(HasSubstr("inf"), HasSubstr("nan"))));
  const Outcome strict = place_.score(run_, molecules, {"--quiet", "--strict"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_THAT(strict.err, testing::AllOf(HasSubstr(molecules + ":1:"), HasSubstr("not a finite number")));
}

/// Without a limit, the stack of a recursive parser would overflow.
TEST_F(DamagedRun, JsonThatIsNestedDeepIsRefusedByName) {
  const std::string deep(100'000, '[');
  fs::remove(fs::path(run_) / "checksums.xxh128");
  const fs::path config = fs::path(run_) / "config.json";
  {
    const Damage damage(config, [&](const std::string&) { return deep; });
    for (const char* name : {"evaluate", "score", "train"}) {
      SCOPED_TRACE(name);
      const Outcome outcome = command(name);
      EXPECT_EQ(outcome.exit_code, 3) << outcome.signal;
      EXPECT_THAT(outcome.err, testing::AllOf(HasSubstr(config.string()), HasSubstr("nested deeper")));
    }
    const Outcome report = command("report");
    EXPECT_EQ(report.exit_code, 0) << "a page tells which parts it leaves out: " << report.signal;
    EXPECT_THAT(report.err, HasSubstr(config.string()));
  }
  const std::string cache = place_.file("splits.json", "{\"splits\": " + deep);
  const Outcome outcome = place_.train(benchmark_, place_.path("other"), {"--splits-cache", cache});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.signal;
  EXPECT_THAT(outcome.err, testing::AllOf(HasSubstr(cache), HasSubstr("nested deeper")));
}

TEST(DamagedBaselines, AreNeverTakenAsFinished) {
  const Workplace place;
  const std::string benchmark = place.path("benchmark.json"), run = place.path("run");
  ASSERT_EQ(place.split(place.nci_molecules(200), benchmark).exit_code, 0);
  place.label_alternately(benchmark);
  const auto baseline = [&] {
    return molgauge({"baseline", benchmark, "--run", run, "--encoder", "ecfp", "--store", place.path("store"),
                     "--epochs", "2", "--method", "knn", "--quiet"});
  };
  const Outcome first = baseline();
  ASSERT_EQ(first.exit_code, 0) << first.err;
  // Each file gets one kind of damage. Over all files, every kind occurs.
  auto harm = kHarms.begin();
  for (const char* file : {"knn_scores.npz", "knn_results.json", "knn_predictions.csv",
                           "knn_detector.safetensors", "config.json"}) {
    SCOPED_TRACE(std::string(file) + ": " + harm->first);
    const Damage damage(fs::path(run) / file, (harm++)->second);
    const Outcome outcome = baseline();
    EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
    EXPECT_THAT(outcome.err, testing::AllOf(HasSubstr(file), HasSubstr("--restart")));
  }
  {
    const Damage damage(fs::path(run) / "knn_results.json", kHarms.at("a bit in the middle"));
    EXPECT_THAT(molgauge({"report", run}).err, HasSubstr("knn_results.json"));
  }
  // If the result of the method is missing, the program reads the classifier and computes the method again.
  fs::remove(fs::path(run) / "knn_results.json");
  {
    const Damage damage(fs::path(run) / "classifier.safetensors", kHarms.at("a bit at the end"));
    const Outcome outcome = baseline();
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("classifier.safetensors"));
  }
  // Without checksums, the number of scores is still checked.
  ASSERT_EQ(baseline().exit_code, 0);
  fs::remove(fs::path(run) / "checksums.xxh128");
  const Damage damage(fs::path(run) / "knn_scores.npz", kHarms.at("emptied"));
  EXPECT_EQ(baseline().exit_code, 3);
}

TEST(DamagedMatrix, IsComputedAnewToTheSameResult) {
  const Workplace place;
  fs::rename(place.nci_table(200), place.path("nci.csv"));
  const std::string spec = place.file("spec.toml", R"([matrix]
encoders = ["ecfp"]
seeds = [1]

[training]
epochs = 3

[classifier]
epochs = 2

[[benchmark]]
name = "nci"
molecules = "nci.csv"
label-column = "odd"
domain = "size"

[[method]]
name = "energy"
loss = "dpo"

[[method]]
name = "knn"
kind = "knn"
)");
  const fs::path folder = place.path("matrix");
  const auto experiment = [&] {
    return molgauge(
        {"experiment", spec, "--out", folder.string(), "--store", place.path("store"), "--quiet"});
  };
  const Outcome first = experiment();
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::vector<std::string> names = {"cells.csv", "summary.csv", "benchmarks/nci.json"};
  const auto results = results_in(folder, names);
  const std::string energy = "runs/ecfp/nci/energy/seed_1_data_42/",
                    knn = "runs/ecfp/nci/knn/seed_1_data_42/";
  auto harm = kHarms.begin();
  const std::vector<std::pair<std::string, std::vector<std::string>>> damaged = {
      {"2 runs, 2 computed", {energy + "cell.json", knn + "cell.json"}},
      {"2 runs, 2 computed", {energy + "best_model.safetensors", knn + "knn_scores.npz"}},
      {"2 runs, 1 computed", {energy + "config.json"}},
      {"2 runs, 1 computed", {energy + "identity.txt"}},
      {"2 runs, 1 computed", {energy + "detailed_predictions.csv"}},
      {"2 runs, 1 computed", {energy + "checksums.xxh128"}},
      {"2 runs, 0 computed", {"plan.csv", "spec.toml", "cells.csv"}},
      {"2 runs, 0 computed", {"benchmarks/nci.json"}},
      {"2 runs, 0 computed", {"benchmarks/nci.recipe"}}};
  for (const auto& [said, files] : damaged) {
    SCOPED_TRACE(files.front());
    for (const std::string& file : files) {
      const std::string harmed = harm->second(read_file(folder / file));  // the content is read before the
                                                                          // file is opened and truncated
      std::ofstream(folder / file, std::ios::binary) << harmed;
      harm = std::next(harm) == kHarms.end() ? kHarms.begin() : std::next(harm);
    }
    const Outcome again = experiment();
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr(said));
    EXPECT_EQ(results_in(folder, names), results);
  }
  {
    const Damage damage(folder / "plan.csv", kHarms.at("a bit in the middle"));
    const Outcome report = molgauge({"report", folder.string()});
    EXPECT_EQ(report.exit_code, 3);
    EXPECT_THAT(report.err, HasSubstr("plan.csv"));
  }
  const Damage damage(folder / (energy + "cell.json"), kHarms.at("a bit in the middle"));
  EXPECT_THAT(molgauge({"report", folder.string()}).err, HasSubstr("1 of 2 runs are not finished"));
}

/// A link in the folder of a stranger must not make a command replace another file.
TEST_F(DamagedRun, LinksThatLeadOutOfTheFolderAreRefused) {
  const fs::path run = run_, other = place_.path("other");
  const auto expect_refused = [&](const std::vector<std::string>& words, const fs::path& link) {
    SCOPED_TRACE(words[0] + " " + link.filename().string());
    std::string content = "precious";
    if (fs::exists(link)) {
      content = read_file(link);
      fs::rename(link, place_.path("own"));
    }
    replace_file(other, content);
    fs::create_symlink("../other", link);
    std::vector<std::string> more = words;
    if (words[0] != "report") {
      more.insert(more.end(), {"--store", place_.path("store"), "--quiet"});
    }
    const Outcome outcome = molgauge(more);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("is a symbolic link that leads out of the folder"));
    EXPECT_EQ(read_file(other), content);
    fs::remove(link);
    if (fs::exists(place_.path("own"))) {
      fs::rename(place_.path("own"), link);
    }
  };
  expect_refused({"evaluate", run_}, run / "test_metrics.json");
  expect_refused({"evaluate", run_}, run / "detailed_predictions.csv");
  expect_refused({"report", run_}, run / "report.csv");
  const std::vector<std::string> train = {"train",     benchmark_, "--run",    run_,
                                          "--encoder", "ecfp",     "--epochs", "7"};
  for (const char* const name : {".lock", "training.log", "config.json", "best_model.safetensors"}) {
    expect_refused(train, run / name);
  }
  fs::create_symlink("config.json", run / "mine.json");
  EXPECT_EQ(molgauge({"report", run_}).exit_code, 0) << "the link stays in the folder";
}

}  // namespace
}  // namespace molgauge::test
