#pragma once

#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "molgauge/baseline.h"
#include "molgauge/conformers.h"
#include "molgauge/doctor.h"
#include "molgauge/domain.h"
#include "molgauge/encode.h"
#include "molgauge/encoders.h"
#include "molgauge/evaluate.h"
#include "molgauge/experiment.h"
#include "molgauge/in_memory.h"
#include "molgauge/memory.h"
#include "molgauge/memory_plan.h"
#include "molgauge/plan_memory.h"
#include "molgauge/pocket_build.h"
#include "molgauge/pocket_ligands.h"
#include "molgauge/pocket_search.h"
#include "molgauge/pocket_train.h"
#include "molgauge/predict.h"
#include "molgauge/report.h"
#include "molgauge/session.h"
#include "molgauge/shards.h"
#include "molgauge/split.h"
#include "molgauge/store.h"
#include "molgauge/train.h"

namespace molgauge {

/// Runs the verbs of Molgauge. The implementation is in libmolgauge.so. It needs RDKit, and it loads LibTorch
/// for training and for GPUs. A program links libmolgauge.so, opens a session (molgauge/session.h) and calls
/// engine(). The command line loads libmolgauge.so only if a verb computes.
///
/// If a call fails, it throws molgauge::Error (molgauge/error.h). The text of the error names the file, the
/// line and the remedy. code() is the exit code. Finished work is on disk before a call returns or throws.
/// Several threads may call at the same time. The calls then run one after another, because each call uses
/// all threads of its request.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Runs the verb of a request. The type of the report belongs to the type of the request: a TrainRequest
  /// returns a TrainReport. The headers of the requests describe the verbs.
  template <typename Request>
  typename Request::Report run(const Request& request) {
    typename Request::Report report{};
    run_verb(typeid(Request), &request, &report);
    return report;
  }

  /// Encodes molecules in memory. Row i of `rows` (row-major, [smiles.size(), width of the encoder]) receives
  /// the features of smiles[i]. The row is NaN if the molecule failed. `molecules` and `out` of the request
  /// must be empty.
  virtual EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                              std::span<float> rows) = 0;
  /// Like encode(), and also returns the features of the atoms. Throws UsageError if the encoder does not
  /// compute atom features.
  virtual EncodeReport encode_atoms(const EncodeRequest& request, std::span<const std::string> smiles,
                                    std::span<float> rows, AtomFeatures& atoms) = 0;
  /// Judges molecules in memory with a saved domain. `training` of the request is the folder of the saved
  /// domain, and `candidates` must be empty. The domain and its encoder stay in memory for the next call with
  /// this folder.
  ///
  /// `predictions`: the outputs of the user's model, one for each molecule, or empty. They are judged with
  /// the calibration of the saved domain. Throws UsageError if the saved domain has no calibration. If a
  /// prediction is invalid, throws InputError, which names the number of the molecule.
  virtual JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                                     std::span<const InMemoryPrediction> predictions) = 0;
  JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles) {
    return judge_molecules(request, smiles, {});
  }
  /// Builds a domain from training molecules in memory, calibrates it and saves it in the folder `save` of
  /// the request. `calibration`: molecules with measured values and predictions, or null if the training
  /// molecules have them. The columns that the request names are columns of these tables. Apart from `save`,
  /// the request must not name any file.
  virtual DomainReport fit_domain(const DomainRequest& request, const MoleculeTable& training,
                                  const MoleculeTable* calibration) = 0;
  /// Runs `molgauge domain` with candidates in memory and writes the CSV file `out` of the request, the JSON
  /// file and the page. `candidates` of the request must be empty.
  virtual DomainReport judge_domain(const DomainRequest& request, const MoleculeTable& candidates) = 0;
  /// Runs `molgauge score` with molecules in memory. `molecules` of the request must be empty.
  virtual ScoreReport score(const ScoreRequest& request, const MoleculeTable& molecules) = 0;
  /// Runs `molgauge predict` with molecules in memory, and stores the predictions. `molecules` and `out` of
  /// the request must be empty. `descriptor_columns` of the request names numeric columns of the table. It is
  /// not an error if all molecules are invalid.
  virtual PredictedList predict(const PredictRequest& request, const MoleculeTable& molecules) = 0;
  /// Makes one conformer for each molecule, and stores the conformers. `molecules` and `out` of the request
  /// must be empty.
  virtual std::vector<InMemoryConformer> make_conformers(const ConformersRequest& request,
                                                         std::span<const std::string> smiles) = 0;
  /// Draws a molecule. Returns a mol block if the request asks for one, otherwise an SVG element for an HTML
  /// page, drawn in currentColor without a background. Throws InputError if the SMILES is invalid or has more
  /// than 200 atoms. Does not wait for other calls.
  virtual std::string depict(const DepictRequest& request) = 0;

 private:
  /// `request` points to an object of the type `request_type`, and `report` to an object of its Report type.
  virtual void run_verb(const std::type_info& request_type, const void* request, void* report) = 0;
};

}  // namespace molgauge
