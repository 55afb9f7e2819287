#pragma once

#include <functional>
#include <span>

#include "molgauge/engine.h"

namespace molgauge::session {
class EncoderCache;
}

/// The functions that run the verbs, as far as other files call them. Contracts are in the
/// headers of the requests (include/molgauge). The verbs that train are in torch_verbs.h.
namespace molgauge::verbs {

class DomainCache;

EncodeReport encode(const EncodeRequest& request);
/// A function that returns the buffer for the rows of an in-memory call. `width`: numbers in a row.
using RowBuffer = std::function<std::span<float>(std::size_t width)>;
/// A RowBuffer that returns `rows`. encode() throws UsageError if `rows` is too small for this number of
/// molecules.
RowBuffer room_in(std::span<float> rows, std::size_t molecules);
/// `kept`: caches the encoder and the store between calls. It is not used if atom features are requested.
/// `atoms`: receives the atom features. It is null if they are not requested.
EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles, const RowBuffer& room,
                    session::EncoderCache& kept, AtomFeatures* atoms = nullptr);
/// `capacity`: as in PlanMemoryRequest.
std::vector<MemoryPlan> plan_encode(const EncodeRequest& request,
                                    const std::optional<std::uint64_t>& capacity);
/// Does the same as encode() for a request with a shard.
EncodeReport encode_shard(const EncodeRequest& request);
ConformersReport make_conformers(const ConformersRequest& request);
SplitReport split(const SplitRequest& request);
EvaluateReport evaluate(const EvaluateRequest& request);
/// Scores the test molecules of a run that has just been trained. Adds the gap between validation and test to
/// its training_stats.json and to the report, and warns if the gap is large. Does nothing if the test
/// molecules cannot be scored.
void add_test_result(const TrainRequest& request, TrainReport& report);
/// `kept`: as in encode(). It is null for a long list, because the plan of a long list does not include
/// cached memory.
ScoreReport score(const ScoreRequest& request, session::EncoderCache* kept = nullptr);
PredictReport predict(const PredictRequest& request);
PredictedList predict(const PredictRequest& request, const MoleculeTable& molecules);
DomainReport judge_domain(const DomainRequest& request);
/// Calibrates the training molecules and saves them in the folder `save`. The request names no candidates.
DomainReport fit_domain(const DomainRequest& request);
/// `domains` and `kept` cache domains, encoders and stores between calls.
JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                           std::span<const InMemoryPrediction> predictions, DomainCache& domains,
                           session::EncoderCache& kept);
std::vector<InMemoryConformer> make_conformers(const ConformersRequest& request,
                                               std::span<const std::string> smiles);
std::string depict(const DepictRequest& request);

StoreInfo store_info(const StoreRequest& request);

std::vector<WeightsInfo> list_weights(const WeightsRequest& request);

TryReport try_out(const TryRequest& request);

}  // namespace molgauge::verbs
