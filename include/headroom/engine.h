#pragma once

#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "headroom/baseline.h"
#include "headroom/conformers.h"
#include "headroom/doctor.h"
#include "headroom/domain.h"
#include "headroom/encode.h"
#include "headroom/encoders.h"
#include "headroom/evaluate.h"
#include "headroom/experiment.h"
#include "headroom/in_memory.h"
#include "headroom/memory.h"
#include "headroom/memory_plan.h"
#include "headroom/plan_memory.h"
#include "headroom/pocket_build.h"
#include "headroom/pocket_ligands.h"
#include "headroom/pocket_search.h"
#include "headroom/pocket_train.h"
#include "headroom/predict.h"
#include "headroom/report.h"
#include "headroom/session.h"
#include "headroom/shards.h"
#include "headroom/split.h"
#include "headroom/store.h"
#include "headroom/train.h"

namespace headroom {

/// Runs the verbs of Headroom. The implementation is in libheadroom.so, which needs RDKit, and LibTorch for
/// training and for GPUs. A program links it, opens a session (headroom/session.h) and calls engine(). The
/// command line loads it when a verb computes.
///
/// Every call throws headroom::Error (headroom/error.h). Its text names the file, the line and the remedy,
/// and its code() is the exit code. Finished work is on disk before a call returns or throws. Several threads
/// may call at once. A call uses all its threads, and the next call waits until it ends.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Runs the verb of a request, and returns the report that the request names, for example a TrainReport for
  /// a TrainRequest. The headers of the requests describe the verbs.
  template <typename Request>
  typename Request::Report run(const Request& request) {
    typename Request::Report report{};
    run_verb(typeid(Request), &request, &report);
    return report;
  }

  /// Encodes molecules in memory. Row i of `rows` (row-major, [smiles.size(), width of the encoder]) becomes
  /// the features of smiles[i], or NaN if the molecule failed. The request names neither molecules nor out.
  virtual EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                              std::span<float> rows) = 0;
  /// Like encode(), but also returns the features of the atoms, for encoders that compute them. Throws
  /// UsageError for other encoders.
  virtual EncodeReport encode_atoms(const EncodeRequest& request, std::span<const std::string> smiles,
                                    std::span<float> rows, AtomFeatures& atoms) = 0;
  /// Judges molecules in memory with a folder of `headroom domain --save`, which the request names as
  /// `training`. The request names no candidates. The folder and its encoder stay in memory for the next such
  /// call. `predictions`: the outputs of the user's model, one for each molecule, or none. They are judged
  /// with the calibration in the folder. Throws UsageError if the folder has none, and InputError with the
  /// number of the molecule if a prediction is wrong.
  virtual JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                                     std::span<const InMemoryPrediction> predictions) = 0;
  JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles) {
    return judge_molecules(request, smiles, {});
  }
  /// Calibrates training molecules in memory and saves the domain in the folder `save` of the request.
  /// `calibration`: molecules with measured values and predictions, or null if the training molecules have
  /// them. Options that name columns name columns of the tables. The request names no other files.
  virtual DomainReport fit_domain(const DomainRequest& request, const MoleculeTable& training,
                                  const MoleculeTable* calibration) = 0;
  /// Runs `headroom domain` with candidates in memory. The request names `out`, for the CSV file, the JSON
  /// file and the page, and it names no candidates.
  virtual DomainReport judge_domain(const DomainRequest& request, const MoleculeTable& candidates) = 0;
  /// Runs `headroom score` with molecules in memory. The request names no molecules.
  virtual ScoreReport score(const ScoreRequest& request, const MoleculeTable& molecules) = 0;
  /// Runs `headroom predict` with molecules in memory, through the store. The request names neither molecules
  /// nor out. A list without any valid molecule is not an error. `descriptor_columns` names columns of
  /// numbers of the table.
  virtual PredictedList predict(const PredictRequest& request, const MoleculeTable& molecules) = 0;
  /// Makes one conformer for each molecule, through the store. The request names neither molecules nor out.
  virtual std::vector<InMemoryConformer> make_conformers(const ConformersRequest& request,
                                                         std::span<const std::string> smiles) = 0;
  /// Returns an SVG element for a page, in currentColor without a background, or a mol block. Throws
  /// InputError if the SMILES is invalid or has more than 200 atoms. Does not wait for other calls.
  virtual std::string depict(const DepictRequest& request) = 0;

 private:
  /// `request` and `report` point to objects of the request type and of its Report.
  virtual void run_verb(const std::type_info& request_type, const void* request, void* report) = 0;
};

}  // namespace headroom
