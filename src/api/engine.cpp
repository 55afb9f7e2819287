#include "molgauge/engine.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>

#include "api/registry.h"
#include "base/core/error.h"
#include "base/core/files/watched_inputs.h"
#include "base/core/session/session_state.h"
#include "base/options/request_checks.h"
#include "base/runtime/conservative.h"
#include "base/runtime/out_of_memory.h"
#include "molecules/encoding/session/encoder_cache.h"
#include "molecules/files/named_table.h"
#include "molecules/verbs/domain/domain_cache.h"
#include "molecules/verbs/verbs.h"

namespace molgauge {
namespace {

constexpr const char* kTraining = "<training molecules>";
constexpr const char* kCalibration = "<calibration molecules>";
constexpr const char* kMolecules = "<molecules>";

void require_absent(const std::string& file, const char* option) {
  if (!file.empty()) {
    throw UsageError(std::string("molecules in memory replace a file. Remove `") + option + "`");
  }
}

/// Implements the engine. It runs one call at a time, because budgets and memory measurements apply to the
/// whole process.
class Implementation : public Engine {
 public:
  static Implementation& of_the_process() {
    // The engine is never destroyed. If a program does not end its session, a store may still be open at
    // exit. The store would then use objects that are already destroyed.
    static Implementation& implementation = *new Implementation;
    return implementation;
  }

  EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                      std::span<float> rows) override {
    return encode(request, smiles, rows, nullptr);
  }
  EncodeReport encode_atoms(const EncodeRequest& request, std::span<const std::string> smiles,
                            std::span<float> rows, AtomFeatures& atoms) override {
    return encode(request, smiles, rows, &atoms);
  }
  JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                             std::span<const InMemoryPrediction> predictions) override {
    const Turn turn(*this, Caches::kept);
    options::require_valid_in_memory(request);
    return runtime::with_budget_errors([&] {
      return verbs::judge_molecules(runtime::apply_conservative(request), smiles, predictions, domains_,
                                    kept_);
    });
  }
  DomainReport fit_domain(const DomainRequest& request, const MoleculeTable& training,
                          const MoleculeTable* calibration) override {
    const Turn turn(*this, Caches::released);
    const io::NamedTable own(kTraining, training);
    std::optional<io::NamedTable> predicted;
    DomainRequest work = runtime::apply_conservative(request);
    require_absent(work.training, "train");
    require_absent(work.calibration, "calibration");
    work.training = own.name();
    if (calibration != nullptr) {
      predicted.emplace(kCalibration, *calibration);
      work.calibration = predicted->name();
    }
    options::require_valid_in_memory(work);
    return runtime::with_budget_errors([&] { return verbs::fit_domain(work); });
  }
  DomainReport judge_domain(const DomainRequest& request, const MoleculeTable& candidates) override {
    const Turn turn(*this, Caches::released);
    const io::NamedTable own(kMolecules, candidates);
    DomainRequest work = runtime::apply_conservative(request);
    require_absent(work.candidates, "candidates");
    work.candidates = own.name();
    options::require_valid(work);
    return runtime::with_budget_errors([&] { return verbs::judge_domain(work); });
  }
  ScoreReport score(const ScoreRequest& request, const MoleculeTable& molecules) override {
    // A longer list would need much memory in addition to a cached encoder, so the caches are released first.
    constexpr std::size_t kShort = 4096;
    const bool is_short = molecules.smiles.size() <= kShort && request.out.empty() && request.page.empty();
    const Turn turn(*this, is_short ? Caches::kept : Caches::released);
    const io::NamedTable own(kMolecules, molecules);
    ScoreRequest work = runtime::apply_conservative(request);
    require_absent(work.molecules, "molecules");
    work.molecules = own.name();
    options::require_valid(work);
    return runtime::with_budget_errors([&] { return verbs::score(work, is_short ? &kept_ : nullptr); });
  }
  PredictedList predict(const PredictRequest& request, const MoleculeTable& molecules) override {
    constexpr std::size_t kShort = 4096;  // the same limit as in score()
    const Turn turn(*this, molecules.smiles.size() <= kShort ? Caches::kept : Caches::released);
    options::require_valid_in_memory(request);
    return runtime::with_budget_errors(
        [&] { return verbs::predict(runtime::apply_conservative(request), molecules); });
  }
  std::vector<InMemoryConformer> make_conformers(const ConformersRequest& request,
                                                 std::span<const std::string> smiles) override {
    const Turn turn(*this, Caches::released);
    options::require_valid_in_memory(request);
    return runtime::with_budget_errors(
        [&] { return verbs::make_conformers(runtime::apply_conservative(request), smiles); });
  }
  std::string depict(const DepictRequest& request) override { return verbs::depict(request); }

 private:
  using Caches = verbs::Verb::Caches;

  /// `atoms`: receives the atom features, or null if they are not requested.
  EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                      std::span<float> rows, AtomFeatures* atoms) {
    const Turn turn(*this, Caches::kept);
    options::require_valid(request);
    return runtime::with_budget_errors([&] {
      return verbs::encode(runtime::apply_conservative(request), smiles, verbs::room_in(rows, smiles.size()),
                           kept_, atoms);
    });
  }

  void run_verb(const std::type_info& request_type, const void* request, void* report) override {
    const verbs::Verb& verb = verbs::find_verb(request_type);
    const Caches caches = verb.caches(request);
    const Turn turn(*this, caches);
    verb.run(request, report, caches == Caches::kept ? &kept_ : nullptr);
  }

  /// Waits until no other call runs, and then lets one call run. A new turn clears an earlier request to
  /// stop, so the request affects only the call that was running. If the session ends while a call waits, the
  /// waiting call throws Interrupted. `caches` says whether the caches of in-memory calls stay in memory.
  /// They are released at the end of the session at the latest.
  struct Turn {
    explicit Turn(Implementation& engine, Caches caches) : lock(engine.wait_for_turn()) {
      if (caches == Caches::released) {
        engine.release_caches();
      }
    }
    const std::unique_lock<std::mutex> lock;
    const WatchedInputs inputs;
  };

  std::unique_lock<std::mutex> wait_for_turn() {
    session_state().at_end = [] { of_the_process().end_session(); };
    ++waiting_;
    std::unique_lock lock(mutex_);
    --waiting_;
    // In this order, because the end of a session sets is_ending and then stop_requested. A call that does
    // not see is_ending therefore cannot clear this request.
    session_state().stop_requested = false;
    if (session_state().is_ending) {
      none_waits_.notify_all();
      throw Interrupted("the session has ended. Open a new session");
    }
    return lock;
  }

  /// Waits until the running call and the waiting calls have ended. Then releases the caches.
  void end_session() {
    std::unique_lock end(mutex_);
    none_waits_.wait(end, [&] { return waiting_ == 0; });
    release_caches();
  }

  void release_caches() {
    kept_.drop();
    domains_.drop();
  }

  std::mutex mutex_;
  std::condition_variable none_waits_;
  std::atomic<std::size_t> waiting_ = 0;  ///< number of calls that wait for their turn
  session::EncoderCache kept_;
  verbs::DomainCache domains_;
};

}  // namespace

Engine& engine(Session& /*session*/) { return Implementation::of_the_process(); }

}  // namespace molgauge

/// Returns the engine, or null if the versions differ. The command line looks up this function with dlsym.
extern "C" molgauge::Engine* molgauge_engine(const char* version, molgauge::Session* session) {
  return std::strcmp(version, MOLGAUGE_VERSION) == 0 ? &molgauge::engine(*session) : nullptr;
}
