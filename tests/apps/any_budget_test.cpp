// Tests random inputs under random budgets. No call ends with a signal or exceeds its budget. The budget that
// a refusal recommends is enough. Results equal the results of a run without a budget.
//
// Each case tests the next verb. MOLGAUGE_BUDGET_CASES=300 sets the number of cases, and
// MOLGAUGE_BUDGET_FIRST=100 the number of the first case. By default, there are four cases.

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "budgets.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using Arguments = std::vector<std::string>;

constexpr std::size_t kVerbs = 10;  // encode counts once for each precision
constexpr std::size_t kCases = 4;

/// A percentage of the recommended budget. The program may exceed a budget below this percentage before it
/// refuses the work. Its libraries and data need memory, and so do its attempts to find a sufficient budget
/// (docs/explanation/memory-budget.md).
constexpr std::size_t kBareShare = 90;

std::size_t number_of(const char* variable, std::size_t otherwise) {
  const char* const wanted = std::getenv(variable);
  return wanted == nullptr ? otherwise : std::stoul(wanted);
}

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return engine_() % count; }
  bool chance(double probability) { return static_cast<double>(engine_() % 1000) < 1000 * probability; }
  template <typename Choice>
  const Choice& one_of(const std::vector<Choice>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

std::string repeated(const std::string& unit, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += unit;
  }
  return text;
}

/// A chain of this many carbon atoms as a record of an SDF file.
std::string chain_record(std::size_t atoms) {
  std::string text = fmt::format(
      "chain of {0}\n\n\n  0  0  0     0  0            999 V3000\n"
      "M  V30 BEGIN CTAB\nM  V30 COUNTS {0} {1} 0 0 0\nM  V30 BEGIN ATOM\n",
      atoms, atoms - 1);
  for (std::size_t i = 1; i <= atoms; ++i) {
    text += fmt::format("M  V30 {} C {} 0 0 0\n", i, i);
  }
  text += "M  V30 END ATOM\nM  V30 BEGIN BOND\n";
  for (std::size_t i = 1; i < atoms; ++i) {
    text += fmt::format("M  V30 {} 1 {} {}\n", i, i, i + 1);
  }
  return text + "M  V30 END BOND\nM  V30 END CTAB\nM  END\n$$$$\n";
}

/// A record of 200 to 5,000 atoms, or an invalid record. The program refuses records of more than 2,000
/// atoms.
std::string odd_record(Draws& draws) {
  const std::size_t atoms = 200 + draws.below(4800);
  switch (draws.below(6)) {
    case 0:
      return std::string(atoms, 'C');
    case 1:
      return "C1" + repeated("CC(CC)", atoms / 4) + "C1";
    case 2:
      return "N" + repeated("CC(=O)N", atoms / 4) + "C";
    case 3:
      return repeated("C.", atoms) + "C";
    case 4:
      return std::string(atoms * 40, draws.chance(0.5) ? 'C' : '?');
    default:
      return "not a molecule";
  }
}

/// Returns the results of a command as text: the content of its files, or its output. Tests compare these
/// texts.
using Result = std::function<std::string(const Outcome&)>;

struct Work {
  std::string name;
  Arguments arguments;
  Result result;
  std::vector<std::filesystem::path> leftovers;  ///< files that are removed before each run
  std::string stdin_text = {};
};

class AnyBudget : public testing::Test {
 protected:
  void SetUp() override {
    if (is_instrumented()) {
      GTEST_SKIP() << "resident memory is the sanitizer's";
    }
    const std::string file = place_.path("formula.safetensors");
    ASSERT_EQ(std::system((MOLGAUGE_WRITE_FORMULA_WEIGHTS " " + file).c_str()), 0);
    ASSERT_EQ(molgauge({"weights", "install", "minimol", "--from", file, "--weights", weights_}).exit_code,
              0);
    std::istringstream lines(read_file(place_.nci_molecules(1500)));
    for (std::string line; std::getline(lines, line);) {
      molecules_.push_back(line);
    }
    ASSERT_EQ(place_.split(place_.nci_molecules(1500), benchmark_).exit_code, 0);
    place_.label_alternately(benchmark_);
    ASSERT_EQ(place_
                  .train(benchmark_, run_,
                         {"--epochs", "2", "--train-size", "200", "--val-size", "50", "--test-size", "50"})
                  .exit_code,
              0);
  }

  std::string structures(Draws& draws) {
    std::string text;
    for (std::size_t i = 0, count = 1 + draws.below(40); i < count; ++i) {
      text += chain_record(1 + draws.below(60));
    }
    for (std::size_t i = draws.below(4); i > 0; --i) {
      text += draws.chance(0.3) ? "not a molecule\n$$$$\n" : chain_record(100 + draws.below(3000));
    }
    return place_.file("input.sdf", text);
  }

  /// The sizes of molecules from standard input are not known in advance (docs/explanation/memory-budget.md).
  /// This input therefore contains no large molecules.
  std::string piped_input(Draws& draws, Work& work) {
    for (std::size_t i = 0, count = 1 + draws.below(80); i < count; ++i) {
      work.stdin_text += draws.one_of(molecules_) + '\n';
    }
    return "-";
  }

  std::string input(Draws& draws, Work& work) {
    if (draws.chance(0.1)) {
      return piped_input(draws, work);
    }
    const std::string file = draws.chance(0.2) ? structures(draws) : lines(draws);
    if (draws.chance(0.8)) {
      return file;
    }
    EXPECT_EQ(std::system(("gzip -kf " + file).c_str()), 0);
    return file + ".gz";
  }

  std::string lines(Draws& draws) {
    const bool is_csv = draws.chance(0.4);
    std::string text = is_csv ? "smiles\n" : "";
    for (std::size_t i = 0, count = 1 + draws.below(80); i < count; ++i) {
      const std::string record = draws.one_of(molecules_);
      text += (is_csv ? record.substr(0, record.find_first_of(" \t,")) : record) + '\n';
    }
    for (std::size_t i = 0, count = draws.chance(0.6) ? 1 + draws.below(5) : 0; i < count; ++i) {
      text += odd_record(draws) + '\n';
    }
    return place_.file(is_csv ? "input.csv" : "input.smi", text);
  }

  /// `precision`: the precision of MiniMol. If it is empty, the encoder is ecfp.
  Work encode(Draws& draws, const std::string& precision) {
    Work work{"encode", {"encode"}, file_result(), {store_, out_}};
    add(work, {input(draws, work), "--store", store_, "--out", out_});
    if (precision.empty()) {
      add(work, {"--encoder", "ecfp"});
    } else {
      add(work, {"--weights", weights_, "--precision", precision});
    }
    if (draws.chance(0.2)) {
      add(work, {"--batch-atoms", std::to_string(64 + draws.below(4000))});
    }
    return work;
  }

  Work score(Draws& draws) {
    Work work{"score", {"score", run_}, csv_result(), {store_, out_csv_}};
    add(work, {input(draws, work), "--store", store_, "--out", out_csv_});
    return work;
  }

  Work predict(Draws& draws) {
    const std::string model =
        draws.one_of<std::string>({"v1_evidential.pt", "v2_regression.pt", "v2_atom_messages.pt"});
    Work work{
        "predict", {"predict", (own_data("chemprop") / model).string()}, csv_result(), {store_, out_csv_}};
    add(work, {input(draws, work), "--store", store_, "--out", out_csv_});
    return work;
  }

  Work train(Draws& draws) {
    Work work{
        "train",
        {"train", benchmark_, "--encoder", "ecfp", "--run", new_run_, "--store", store_, "--epochs", "2"},
        [this](const Outcome&) { return read_file(new_run_ + "/best_model.safetensors"); },
        {store_, new_run_}};
    add(work, {"--hidden-dim", std::to_string(2 * (16 + draws.below(500))), "--batch-size",
               std::to_string(8 + draws.below(1500))});
    return work;
  }

  Work evaluate(Draws&) {
    return {"evaluate",
            {"evaluate", run_, "--store", store_, "--out", new_run_},
            [](const Outcome& outcome) { return outcome.out; },
            {store_, new_run_}};
  }

  Work baseline(Draws& draws) {
    const std::string method =
        draws.one_of<std::string>({"msp", "odin", "energy", "mahalanobis", "knn", "lof", "mc_dropout",
                                   "conformal", "dam_msp", "dam_energy"});
    return {"baseline",
            {"baseline", benchmark_, "--encoder", "ecfp", "--run", new_run_, "--store", store_, "--epochs",
             "2", "--method", method},
            [this, method](const Outcome&) { return read_file(new_run_ + "/" + method + "_scores.npz"); },
            {store_, new_run_}};
  }

  Work experiment(Draws& draws) {
    const std::string specification =
        place_.file("spec.toml", fmt::format(R"([matrix]
encoders = ["ecfp"]
seeds = [1, 2]

[training]
epochs = 2
hidden-dim = {}

[classifier]
epochs = 2

[[benchmark]]
name = "nci"
file = "b.json"

[[method]]
name = "energy"

[[method]]
name = "baseline"
kind = "{}"
)",
                                             2 * (16 + draws.below(500)),
                                             draws.one_of<std::string>({"msp", "odin", "mahalanobis", "knn",
                                                                        "lof", "conformal", "dam_msp"})));
    return {"experiment",
            {"experiment", specification, "--out", new_run_, "--store", store_, "--jobs",
             std::to_string(1 + draws.below(3))},
            [this](const Outcome&) { return read_file(new_run_ + "/summary.csv"); },
            {store_, new_run_}};
  }

  Work work_of(std::size_t number, Draws& draws) {
    switch (number % kVerbs) {
      case 0:
        return encode(draws, "fp32");
      case 1:
        return baseline(draws);
      case 2:
        return train(draws);
      case 3:
        return predict(draws);
      case 4:
        return evaluate(draws);
      case 5:
        return encode(draws, "bf16");
      case 6:
        return encode(draws, "int8");
      case 7:
        return experiment(draws);
      case 8:
        return score(draws);
      default:
        return encode(draws, "");
    }
  }

  /// Runs the work with a budget of this many MiB. 0 means no budget.
  Outcome run(const Work& work, std::uint64_t budget) const {
    for (const auto& path : work.leftovers) {
      std::filesystem::remove_all(path);
    }
    Arguments arguments = work.arguments;
    if (budget > 0) {
      arguments.insert(arguments.end(), {"--memory-budget", std::to_string(budget) + "MiB"});
    }
    CommandOptions options;
    options.stdin_text = work.stdin_text;
    return molgauge(arguments, options);
  }

  static void expect_within(std::uint64_t budget, const Outcome& outcome, const std::string& what) {
    EXPECT_LE(static_cast<double>(outcome.peak_resident_bytes),
              kBudgetTolerance * static_cast<double>(budget * kMebibyte))
        << what;
  }

  /// Expects that `molgauge memory plan` succeeds for the same work under the recommended budget, and stays
  /// within it.
  void expect_plan(const Work& work, std::uint64_t recommended) const {
    Arguments arguments = {"memory", "plan"};
    for (std::size_t i = 0; i < work.arguments.size(); ++i) {
      const std::string& argument = work.arguments[i];
      const bool is_for_doing =
          argument == "--store" || argument == "--out" || argument == "--run" || argument == "--epochs";
      if (is_for_doing) {
        ++i;
      } else {
        arguments.push_back(argument);
      }
    }
    const Work plan{"memory plan", arguments, {}, {}, work.stdin_text};
    const Outcome outcome = run(plan, recommended);
    EXPECT_EQ(outcome.exit_code, 0) << describe(plan, recommended) << "\n" << outcome.err;
    expect_within(recommended, outcome, describe(plan, recommended));
  }

  /// Checks the rules at the top of this file for one budget. The program may exceed a budget below `bare`,
  /// because its libraries and data may need more memory. Returns whether the work was done.
  bool holds(const Work& work, std::uint64_t budget, std::uint64_t bare, const Outcome& expected,
             const std::string& result) const {
    const Outcome outcome = run(work, budget);
    const std::string what = describe(work, budget) + "\n" + outcome.err;
    EXPECT_EQ(outcome.signal, 0) << what;
    if (budget >= bare) {
      expect_within(budget, outcome, what);
    }
    if (outcome.exit_code == 4) {
      return false;
    }
    EXPECT_EQ(outcome.exit_code, expected.exit_code) << what;
    if (outcome.exit_code == 0) {
      EXPECT_TRUE(work.result(outcome) == result) << what;
    }
    return true;
  }

  static std::string describe(const Work& work, std::uint64_t budget) {
    std::string text = "molgauge";
    for (const std::string& argument : work.arguments) {
      text += " " + argument;
    }
    return text + " --memory-budget " + std::to_string(budget) + "MiB";
  }

  Workplace place_;

 private:
  static void add(Work& work, const Arguments& more) {
    work.arguments.insert(work.arguments.end(), more.begin(), more.end());
  }
  Result file_result() const {
    return [this](const Outcome&) { return read_file(out_); };
  }
  Result csv_result() const {
    return [this](const Outcome&) { return read_file(out_csv_); };
  }

  std::vector<std::string> molecules_;
  const std::string weights_ = place_.path("weights"), store_ = place_.path("a-store");
  const std::string out_ = place_.path("out.npy"), out_csv_ = place_.path("out.csv");
  const std::string benchmark_ = place_.path("b.json"), run_ = place_.path("run");
  const std::string new_run_ = place_.path("new-run");
};

TEST_F(AnyBudget, IsKeptToAndTheRecommendedOneIsEnough) {
  const std::size_t first = number_of("MOLGAUGE_BUDGET_FIRST", 0);
  for (std::size_t seed = first; seed < first + number_of("MOLGAUGE_BUDGET_CASES", kCases); ++seed) {
    SCOPED_TRACE("case " + std::to_string(seed));
    Draws draws(seed);
    Work work = work_of(seed, draws);
    work.arguments.insert(work.arguments.end(), {"--threads", std::to_string(1 + draws.below(4))});
    const Outcome expected = run(work, 0);
    ASSERT_EQ(expected.signal, 0) << describe(work, 0) << "\n" << expected.err;
    const std::string result = expected.exit_code == 0 ? work.result(expected) : "";
    const Outcome refused = run(work, 20);
    EXPECT_EQ(refused.signal, 0) << describe(work, 20);
    if (refused.exit_code != 4) {
      EXPECT_EQ(refused.exit_code, expected.exit_code) << refused.err;  // the command had no work to do
      continue;
    }
    const std::uint64_t budget = named_budget(refused.err), bare = budget * kBareShare / 100;
    ASSERT_GT(budget, 0U) << refused.err;
    EXPECT_TRUE(holds(work, budget, bare, expected, result)) << describe(work, budget) << " was recommended";
    for (int i = 0; i < 2; ++i) {
      holds(work, budget * (80 + draws.below(60)) / 100, bare, expected, result);
    }
    if (work.name == "encode" || work.name == "train" || work.name == "baseline") {
      expect_plan(work, budget);
    }
  }
}

}  // namespace
}  // namespace molgauge::test
