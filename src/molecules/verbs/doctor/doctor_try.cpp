// `molgauge doctor --try`: runs encoding, training and evaluation on a small set of molecules, three times.

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/memory/measure/host_heap.h"
#include "base/memory/measure/host_memory.h"
#include "base/memory/plan/budget.h"
#include "base/options/verb.h"
#include "base/runtime/budget_scope.h"
#include "base/runtime/conservative.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/folders.h"
#include "base/runtime/out_of_memory.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/verbs/verbs.h"
#include "molgauge/budget_error.h"

namespace molgauge::verbs {
namespace {

constexpr std::size_t kEpochs = 3;
constexpr const char* kUsual = "as usual";
constexpr const char* kHalf = "half the memory";
constexpr const char* kConservative = "conservative";
/// The amount by which a measured peak may be above its plan. Some pages are counted late, and libraries
/// allocate memory that is not counted.
constexpr std::uint64_t kSlack = std::uint64_t{16} << 20;
/// A store is slow if writing takes longer than all other work, and also longer than this time.
constexpr double kSlowSeconds = 2;

/// Returns 96 molecules with 5 to 20 heavy atoms. Each ring is combined with each group.
std::string built_in_molecules() {
  constexpr std::array kRings = {"c1ccc({})cc1",       "c1ccnc({})c1", "C1CCC({})CC1",         "c1csc({})c1",
                                 "c1ccc2cc({})ccc2c1", "C1CC({})CN1",  "c1ccc2[nH]cc({})c2c1", "c1coc({})c1"};
  constexpr std::array kGroups = {"C",       "CC",      "O",        "OC",        "N",          "C(=O)O",
                                  "C(=O)NC", "CCN(C)C", "C(F)(F)F", "CC(=O)OCC", "S(=O)(=O)N", "NC(=O)CCl"};
  std::string lines;
  for (const char* const ring : kRings) {
    for (const char* const group : kGroups) {
      lines += fmt::format(fmt::runtime(ring), group) + '\n';
    }
  }
  return lines;
}

/// A folder next to the store, to test the disk of the store. The destructor removes the folder.
class TrialFolder {
 public:
  explicit TrialFolder(const std::filesystem::path& store)
      : path_(store.parent_path() / fmt::format("doctor-try-{}", getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TrialFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// The encoder of the request. The default is minimol if its weights are installed, else ecfp.
std::string encoder_of(const TryRequest& request) {
  if (!request.encoder.empty()) {
    return request.encoder;
  }
  const auto installed = list_weights({request.weights});
  const bool has_weights = std::ranges::any_of(installed, [](const WeightsInfo& weights) {
    return weights.encoder == "minimol" && weights.problem.empty();
  });
  return has_weights ? "minimol" : "ecfp";
}

class TryOut {
 public:
  explicit TryOut(const TryRequest& request)
      : request_(request),
        store_(std::filesystem::absolute(runtime::store_folder(request.store))),
        folder_(store_),
        on_gpu_(runtime::parse_device(request.compute.device).is_gpu()) {
    // The split would otherwise start threads with heaps that keep freed memory.
    memory::tune_heap(runtime::threads_of(request.compute));
    report_.encoder = encoder_of(request);
  }

  TryReport report() {
    molecules_ = request_.molecules;
    if (molecules_.empty()) {
      molecules_ = folder_ / "molecules.smi";
      replace_file(molecules_, built_in_molecules());
    }
    check("weights", [&] { return require_weights(); });
    const bool is_whole = check("benchmark", [&] { return make_benchmark(); }) && try_as(kUsual, [&] {
                            require_budget();
                            return request_.compute;
                          });
    if (is_whole) {
      check("store", [&] { return require_quick_store(); });
      check("second run", [&] { return require_rows_from_store(); });
      try_again(kHalf, [&] { return with_half_the_memory(); });
      try_again(kConservative, [&] {
        ComputeOptions compute = request_.compute;
        compute.conservative = true;
        return runtime::apply_conservative(compute);
      });
      check("memory", [&] { return require_planned_memory(); });
    }
    report_.json = to_json().dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return std::move(report_);
  }

 private:
  /// Adds a check. It passes if `work` returns a finding, and fails if `work` throws.
  bool check(const std::string& name, const std::function<std::string()>& work) {
    TryCheck made{name, "", true};
    try {
      made.finding = runtime::with_budget_errors(work);
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& failure) {
      made.finding = failure.what();
      made.passed = false;
    }
    report_.checks.push_back(made);
    return made.passed;
  }

  std::string require_weights() const {
    const encoders::EncoderDescriptor* const encoder = encoders::find_encoder(report_.encoder);
    if (encoder != nullptr && !encoder->weights) {
      return report_.encoder + " has none";
    }
    for (const WeightsInfo& weights : list_weights({request_.weights})) {
      if (weights.encoder == report_.encoder) {
        if (!weights.problem.empty()) {
          throw InputError(fmt::format("{}: {}", weights.folder, weights.problem));
        }
        return fmt::format("{} {}, unchanged since their installation", report_.encoder, weights.version);
      }
    }
    throw InputError(fmt::format("the weights of {} are not installed. Run: molgauge weights install {}",
                                 report_.encoder, report_.encoder));
  }

  std::string make_benchmark() {
    SplitRequest request;
    request.molecules = molecules_;
    request.smiles_column = request_.smiles_column;
    request.shift = Shift::none;  // random splits are possible for any list of molecules
    request.algorithm = SplitAlgorithm::good;
    request.threads = request_.compute.threads;
    request.out = folder_ / "benchmark.json";
    request.quiet = true;
    const SplitReport made = split(request);
    return fmt::format("{} split at random", counted(made.rows, "molecule"));
  }

  EncodeRequest encoding(const std::string& trial, const std::string& out,
                         const ComputeOptions& compute) const {
    EncodeRequest request;
    request.molecules = molecules_;
    request.smiles_column = request_.smiles_column;
    request.encoder = report_.encoder;
    request.weights = request_.weights;
    request.store = folder_ / (trial + "/store");
    request.out = folder_ / (trial + "/" + out);
    request.compute = compute;
    return request;
  }

  TrainRequest training(const std::string& trial, const ComputeOptions& compute) const {
    TrainRequest request;
    request.benchmark = folder_ / "benchmark.json";
    request.run = folder_ / (trial + "/run");
    request.encoder = report_.encoder;
    request.weights = request_.weights;
    request.store = folder_ / (trial + "/store");
    request.epochs = kEpochs;
    request.train_size = request.val_size = request.test_size = 0;  // 0 means all molecules
    request.compute = compute;
    return request;
  }

  /// Runs the three phases, and adds their measurements to the report.
  bool try_as(const std::string& trial, const std::function<ComputeOptions()>& choose) {
    return check(trial, [&] {
      ComputeOptions compute = choose();
      compute.quiet = true;
      std::filesystem::create_directories(folder_ / trial);
      const EncodeReport encoded = encode(encoding(trial, "features.npy", compute));
      add_encoding(trial, encoded, compute);
      const TrainReport trained = add_training(trial, compute);
      add_evaluation(trial, compute);
      return fmt::format("{} encoded, trained for {} epochs, evaluated", counted(encoded.encoded, "molecule"),
                         trained.epochs_run);
    });
  }

  void add_phase(const std::string& trial, const std::vector<PhaseReport>& phases, const char* name,
                 double molecules, const std::string& why_unused, const ComputeOptions& compute) {
    for (const PhaseReport& phase : phases) {
      if (phase.phase == name) {
        TriedPhase tried;
        tried.trial = trial;
        tried.phase = name;
        tried.seconds = phase.seconds;
        tried.molecules_per_second = phase.seconds > 0 ? molecules / phase.seconds : 0;
        tried.peak_bytes = on_gpu_ ? phase.peak_device_reserved_bytes : phase.peak_host_memory_bytes;
        tried.planned_bytes = phase.planned_memory_bytes;
        tried.budget_bytes = on_gpu_ ? 0 : budget_of(compute);
        tried.why_unused = why_unused;
        report_.phases.push_back(std::move(tried));
      }
    }
  }

  void add_encoding(const std::string& trial, const EncodeReport& encoded, const ComputeOptions& compute) {
    add_phase(trial, {encoded.phase}, "encoding", static_cast<double>(encoded.encoded),
              encoded.plan.limited_by, compute);
    if (trial == kUsual) {
      usual_ = encoded;
      report_.molecules = encoded.rows;
      report_.failed_records = encoded.failed_records;
      report_.failed = encoded.failed;
    }
  }

  TrainReport add_training(const std::string& trial, const ComputeOptions& compute) {
    const TrainRequest request = training(trial, compute);
    auto& torch = runtime::torch_part<session::MoleculeTorch>();
    const std::vector<MemoryPlan> plans = torch.plan_memory(request);
    const TrainReport trained = torch.train(request);
    // The plan counts pairs of molecules. A pair has two molecules.
    add_phase(trial, trained.phases, "train",
              static_cast<double>(2 * plans.back().items * trained.epochs_run), plans.back().limited_by,
              compute);
    return trained;
  }

  void add_evaluation(const std::string& trial, const ComputeOptions& compute) {
    EvaluateRequest request;
    request.run = folder_ / (trial + "/run");
    request.weights = request_.weights;
    request.store = folder_ / (trial + "/store");
    request.compute = compute;
    const EvaluateReport evaluated = evaluate(request);
    add_phase(trial, evaluated.phases, "eval", static_cast<double>(evaluated.id_count + evaluated.ood_count),
              "every test molecule is scored at once", compute);
  }

  /// Repeats the phases with other compute options, and checks that the results equal the results of the
  /// trial kUsual.
  void try_again(const std::string& trial, const std::function<ComputeOptions()>& choose) {
    if (!try_as(trial, choose)) {
      return;
    }
    check(trial + ": same results", [&] {
      for (const char* const file : {"features.npy", "run/best_model.safetensors",
                                     "run/detailed_predictions.csv", "run/training_curve.csv"}) {
        if (read_file(folder_ / (std::string(kUsual) + "/" + file)) !=
            read_file(folder_ / (trial + "/" + file))) {
          throw Error(fmt::format("{} differs from that of the usual run", file));
        }
      }
      return std::string("features, model, curve and scores are bit-identical");
    });
  }

  static std::uint64_t budget_of(const ComputeOptions& compute) {
    return memory::parse_budget("--memory-budget", compute.memory_budget, memory::free_for_this_process());
  }

  /// Returns the smallest budget that is sufficient for all phases of a trial. They run in one process, so
  /// LibTorch is loaded first.
  std::uint64_t smallest_budget(const std::string& trial, const ComputeOptions& compute) const {
    const std::vector<MemoryPlan> train = runtime::torch_part<session::MoleculeTorch>().plan_memory(
                                      training(trial, compute)),
                                  encode =
                                      plan_encode(encoding(trial, "features.npy", compute), std::nullopt);
    return std::max(train.front().smallest_process_budget_bytes,
                    encode.front().smallest_process_budget_bytes);
  }

  /// Refuses a budget that is too small for a phase before the first phase.
  void require_budget() const {
    if (on_gpu_) {
      return;
    }
    const std::uint64_t budget = budget_of(request_.compute),
                        enough = smallest_budget(kUsual, request_.compute);
    if (budget < enough) {
      throw BudgetError(fmt::format("encoding, training and evaluation need {} in one process. That exceeds "
                                    "--memory-budget {}",
                                    format_bytes(enough), format_bytes(budget)),
                        "--memory-budget", enough);
    }
  }

  /// Returns options with a smaller memory budget. The budget is the memory in use now plus half of the
  /// additional memory of the trial kUsual. It is at least 1/16 above the smallest budget of the plans, but
  /// not above the budget of the request. On a GPU, the budget is 50 % of the free memory.
  ComputeOptions with_half_the_memory() const {
    ComputeOptions compute = request_.compute;
    if (on_gpu_) {
      compute.memory_budget = "50%";
      return compute;
    }
    std::uint64_t peak = 0;
    for (const TriedPhase& phase : report_.phases) {
      peak = std::max(peak, phase.peak_bytes);
    }
    const std::uint64_t enough = smallest_budget(kHalf, compute), now = memory::resident_bytes(),
                        half = now + (peak > now ? (peak - now) / 2 : 0);
    compute.memory_budget =
        fmt::format("{}", std::min(budget_of(compute), std::max(half, enough + enough / 16)));
    return compute;
  }

  std::string require_quick_store() const {
    double writing = 0, others = 0;
    for (const StageTime& stage : usual_.stages) {
      (stage.stage == "write" ? writing : others) += stage.seconds;
    }
    const std::string times =
        fmt::format("writing took {:.2f} s, all other work of the encoding {:.2f} s", writing, others);
    if (writing > kSlowSeconds && writing > others) {
      throw Error(fmt::format("{}: the disk of {} is slow. Name another one with --store or $MOLGAUGE_HOME",
                              times, store_.string()));
    }
    return times;
  }

  std::string require_rows_from_store() {
    ComputeOptions compute = request_.compute;
    compute.quiet = true;
    const EncodeReport again = encode(encoding(kUsual, "again.npy", compute));
    if (again.encoded > 0) {
      throw Error(fmt::format("{} encoded again although the store should contain them",
                              counted(again.encoded, "molecule")));
    }
    if (read_file(folder_ / (std::string(kUsual) + "/again.npy")) !=
        read_file(folder_ / (std::string(kUsual) + "/features.npy"))) {
      throw Error("the rows from the store differ from those that were written");
    }
    return fmt::format("all {} from the store, bit-identical", counted(again.from_store, "row"));
  }

  /// Checks that no measured peak exceeds its plan or its budget by more than 5 % plus kSlack.
  std::string require_planned_memory() const {
    std::size_t planned = 0;
    for (const TriedPhase& phase : report_.phases) {
      const auto require = [&](std::uint64_t most, const char* what) {
        if (most > 0 && phase.peak_bytes > most + most / 20 + kSlack) {
          throw Error(fmt::format("{}, {}: {} at the peak, over its {} of {}", phase.trial, phase.phase,
                                  format_bytes(phase.peak_bytes), what, format_bytes(most)));
        }
      };
      require(phase.planned_bytes, "plan");
      require(phase.budget_bytes, "budget");
      planned += phase.planned_bytes > 0 ? 1 : 0;
    }
    return fmt::format("{} within plan and budget", counted(planned, "planned phase"));
  }

  nlohmann::ordered_json to_json() const {
    nlohmann::ordered_json json = {{"encoder", report_.encoder},
                                   {"molecules", report_.molecules},
                                   {"failed_records", report_.failed_records},
                                   {"passed", report_.passed()}};
    for (const char* const list : {"failed", "phases", "checks"}) {
      json[list] = nlohmann::ordered_json::array();
    }
    for (const FailedMolecule& failed : report_.failed) {
      json["failed"].push_back(
          {{"file", failed.file}, {"line", failed.line}, {"text", failed.text}, {"reason", failed.reason}});
    }
    for (const TriedPhase& phase : report_.phases) {
      json["phases"].push_back({{"trial", phase.trial},
                                {"phase", phase.phase},
                                {"seconds", phase.seconds},
                                {"molecules_per_second", phase.molecules_per_second},
                                {"peak_bytes", phase.peak_bytes},
                                {"planned_bytes", phase.planned_bytes},
                                {"budget_bytes", phase.budget_bytes},
                                {"why_unused", phase.why_unused}});
    }
    for (const TryCheck& check : report_.checks) {
      json["checks"].push_back({{"name", check.name}, {"passed", check.passed}, {"finding", check.finding}});
    }
    return json;
  }

  const TryRequest& request_;
  const std::filesystem::path store_;
  const TrialFolder folder_;
  const bool on_gpu_;
  std::string molecules_;
  EncodeReport usual_;
  TryReport report_;
};

}  // namespace

TryReport try_out(const TryRequest& request) { return TryOut(request).report(); }

}  // namespace molgauge::verbs

namespace molgauge {

template <>
verbs::Verb verbs::verb<TryRequest>() {
  return row_without_json<TryRequest>("doctor_try", try_out);
}

}  // namespace molgauge
