#include "headroom/engine.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "allocator/explain/commands.h"
#include "core/error.h"
#include "core/session_state.h"
#include "engine/verbs.h"
#include "session/conservative.h"
#include "session/domain/kept_domain.h"
#include "session/encoding/kept_encoder.h"
#include "session/out_of_memory.h"
#include "session/request_checks.h"
#include "session/torch_part.h"

namespace headroom {
namespace {

/// Whether a request scores a short list without writing a file, as a server does between calls with
/// molecules in memory. Its memory is small next to the encoders that those calls keep.
bool is_short(const ScoreRequest& request) {
  constexpr std::uintmax_t kShort = std::uintmax_t{256} << 10;
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(request.molecules, unknown);
  return request.out.empty() && request.page.empty() && !unknown && bytes <= kShort;
}

/// Calls take their turns, because budgets and the meter of memory belong to the whole process.
class Implementation : public Engine {
 public:
  EncodeReport encode(const EncodeRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::encode(session::as_chosen(request)); });
  }
  EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                      std::span<float> rows) override {
    const Turn turn(*this, Kept::stays);
    session::require_valid(request);
    return session::within_memory([&] {
      return verbs::encode(session::as_chosen(request), smiles, verbs::room_in(rows, smiles.size()), kept_);
    });
  }
  ShardsVerification verify_shards(const VerifyShardsRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::verify_shards(request);
  }
  JoinShardsReport join_shards(const JoinShardsRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::join_shards(request);
  }
  ConformersReport make_conformers(const ConformersRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::make_conformers(session::as_chosen(request)); });
  }
  SplitReport split(const SplitRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::split(request);
  }
  TrainReport train(const TrainRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    const TrainRequest chosen = session::as_chosen(request);
    TrainReport report = session::torch_part().train(chosen);
    session::within_memory([&] { verbs::add_test_result(chosen, report); });
    return report;
  }
  EvaluateReport evaluate(const EvaluateRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::evaluate(session::as_chosen(request)); });
  }
  ScoreReport score(const ScoreRequest& request) override {
    const Turn turn(*this, is_short(request) ? Kept::stays : Kept::goes);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::score(session::as_chosen(request)); });
  }
  DomainReport judge_domain(const DomainRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::judge_domain(session::as_chosen(request)); });
  }
  JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                             std::span<const PredictionAtHand> predictions) override {
    const Turn turn(*this, Kept::stays);
    session::require_valid_at_hand(request);
    return session::within_memory([&] {
      return verbs::judge_molecules(session::as_chosen(request), smiles, predictions, domains_, kept_);
    });
  }
  ExperimentReport run_experiment(const ExperimentRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::torch_part().run_experiment(session::as_chosen(request));
  }
  BaselineReport baseline(const BaselineRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::torch_part().baseline(session::as_chosen(request));
  }
  PocketBuildReport build_pockets(const PocketBuildRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::build_pockets(session::as_chosen(request)); },
                                  session::kLessMemory);
  }
  PocketLigandsReport make_ligands(const PocketLigandsRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::make_ligands(session::as_chosen(request)); });
  }
  PocketTrainReport train_pockets(const PocketTrainRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::torch_part().train_pockets(session::as_chosen(request));
  }
  PocketEmbedReport embed_pockets(const PocketEmbedRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::embed_pockets(session::as_chosen(request)); });
  }
  PocketSearchReport search_ligands(const PocketSearchRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::search_ligands(session::as_chosen(request)); });
  }
  PocketEvaluateReport evaluate_pockets(const PocketEvaluateRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::evaluate_pockets(session::as_chosen(request)); });
  }
  ReportSummary write_report(const ReportRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::write_report(request);
  }
  std::string depict(const DepictRequest& request) override { return verbs::depict(request); }

  std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return session::within_memory([&] { return verbs::plan_memory(session::as_chosen(request)); });
  }
  SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return allocator::simulate_memory(request);
  }
  MemoryExplanation explain_memory(const ExplainMemoryRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return allocator::explain_memory(request);
  }
  MemoryDifference diff_memory(const DiffMemoryRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return allocator::diff_memory(request);
  }
  MemoryOfRun report_memory(const ReportMemoryRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::report_memory(request);
  }
  WatchedMemory watch_memory(const WatchMemoryRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::watch_memory(request);
  }

  StoreInfo store_info(const StoreRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::store_info(request);
  }
  std::size_t store_export(const ExportStoreRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::store_export(request);
  }
  ImportFeaturesReport store_import(const ImportFeaturesRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::store_import(request);
  }
  StoreVerification store_verify(const StoreRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::store_verify(request);
  }
  std::size_t store_prune(const PruneStoreRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::store_prune(request);
  }

  std::vector<EncoderInfo> encoders() override {
    const Turn turn(*this, Kept::stays);
    return verbs::list_encoders();
  }

  WeightsInfo install_weights(const InstallWeightsRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::install_weights(request);
  }
  WeightsInfo init_weights(const InitWeightsRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::init_weights(request);
  }
  std::vector<WeightsInfo> list_weights(const WeightsRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::list_weights(request);
  }

  std::vector<Finding> diagnose() override {
    const Turn turn(*this);
    return verbs::diagnose();
  }
  TryReport try_out(const TryRequest& request) override {
    const Turn turn(*this);
    session::require_valid(request);
    return verbs::try_out(request);
  }

 private:
  enum class Kept { goes, stays };

  /// A request to stop concerns only the call that is running when it is made. What the last call with
  /// molecules at hand has kept goes before other work, whose memory is planned without it, and with the
  /// session. A call that still waits for its turn when the session ends throws Interrupted.
  struct Turn {
    explicit Turn(Implementation& engine, Kept kept = Kept::goes) : lock(engine.wait_for_turn()) {
      session_state().stop_requested = false;
      session_state().at_end = [&engine] { engine.end_session(); };
      if (kept == Kept::goes) {
        engine.drop_kept();
      }
    }
    const std::unique_lock<std::mutex> lock;
  };

  std::unique_lock<std::mutex> wait_for_turn() {
    ++waiting_;
    std::unique_lock lock(mutex_);
    --waiting_;
    if (session_state().is_ending) {
      none_waits_.notify_all();
      throw Interrupted("the session has ended; open another one");
    }
    return lock;
  }

  /// Waits for the call that runs, and for the calls that wait for their turn.
  void end_session() {
    std::unique_lock end(mutex_);
    none_waits_.wait(end, [&] { return waiting_ == 0; });
    drop_kept();
  }

  void drop_kept() {
    kept_.drop();
    domains_.drop();
  }

  std::mutex mutex_;
  std::condition_variable none_waits_;
  std::atomic<std::size_t> waiting_ = 0;  ///< calls that wait for their turn
  session::KeptEncoder kept_;
  session::KeptDomains domains_;
};

}  // namespace

Engine& engine(Session& /*session*/) {
  // Never destroyed: a program that does not end its session may still hold a store when the objects that
  // stores need are gone.
  static Implementation& implementation = *new Implementation;
  return implementation;
}

}  // namespace headroom

/// The one symbol that the command line looks up: the engine, or null where the versions differ.
extern "C" headroom::Engine* headroom_engine(const char* version, headroom::Session* session) {
  return std::strcmp(version, HEADROOM_VERSION) == 0 ? &headroom::engine(*session) : nullptr;
}
