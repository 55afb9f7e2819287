#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "headroom/choices.h"
#include "headroom/types.h"

namespace headroom {

struct PocketEmbedReport;
struct PocketSearchReport;
struct PocketEvaluateReport;

/// `headroom pocket embed`: a row for each pocket of a graph set.
struct PocketEmbedRequest {
  using Report = PocketEmbedReport;

  std::string encoder;  ///< run folder of headroom pocket train, or a checkpoint (.safetensors, .pt)
  std::string graphs;   ///< graph set
  std::string out;      ///< .h5 or .npz, one row for each pocket under its name
  /// The published layer norm, for checkpoints of the Python project that were trained with it.
  bool reference_compatible = false;
  ComputeOptions compute;
};

struct PocketEmbedReport {
  std::size_t pockets = 0, width = 0;
  double seconds = 0;
  std::vector<PhaseReport> phases;
};

/// `headroom pocket search`: finds the ligands of a library that are nearest to pockets.
struct PocketSearchRequest {
  using Report = PocketSearchReport;

  std::string encoder, graphs;      ///< files, as in PocketEmbedRequest
  std::string ligands;              ///< library with one row for each ligand: .h5, .npz, .safetensors
  std::vector<std::string> pocket;  ///< names of pockets; none: all of the set
  std::string out;                  ///< JSON
  std::string page;                 ///< HTML; empty: none
  std::size_t top_k = 10;
  PocketMetric metric = PocketMetric::cosine;
  bool reference_compatible = false;
  ComputeOptions compute;
};

struct PocketMatch {
  std::size_t rank = 0;  ///< counted from 1
  std::string ligand;
  double distance = 0;  ///< 1 - cosine, or the Euclidean distance
};

struct PocketMatches {
  std::string pocket;
  std::vector<PocketMatch> matches;
};

struct PocketSearchReport {
  std::size_t pockets = 0, ligands = 0;
  std::vector<PocketMatches> found;
  double seconds = 0;
  std::vector<PhaseReport> phases;
};

/// `headroom pocket evaluate`: ranks the true ligands within a library.
struct PocketEvaluateRequest {
  using Report = PocketEvaluateReport;

  std::string encoder, graphs, ligands;  ///< files, as in PocketSearchRequest
  std::string splits;                    ///< JSON; empty: splits.json of the run folder
  PocketPart part = PocketPart::test;
  std::string out;   ///< JSON
  std::string page;  ///< HTML; empty: none
  PocketMetric metric = PocketMetric::cosine;
  std::string recall_k = "1,5,10,20,50";
  std::string top_percentages = "5,10,20";
  bool reference_compatible = false;
  ComputeOptions compute;
};

struct RecallAt {
  std::size_t k = 0, hits = 0, total = 0;
  double percent = 0;
};

/// The hit rate in the first `percentage` of the library.
struct HitRate {
  double percentage = 0;
  std::size_t k_value = 0, hits = 0, misses = 0;
  double hit_rate = 0;    ///< percent
  double enrichment = 0;  ///< hits, divided by the hits that a random order is expected to give
};

/// Retrieval of ligands, averaged over the pockets of each complex, then over the complexes. Ligands with the
/// same distance share their ranks.
struct RetrievalFigures {
  std::size_t pockets = 0, complexes = 0;
  double mean_rank = 0, mean_normalized_rank = 0, mrr = 0;
  double top1_percent = 0;
  std::vector<double> recall_percent;  ///< percentage for each of PocketEvaluateReport::recall
  std::vector<double> hit_percent;     ///< percentage for each of PocketEvaluateReport::hit_rates
};

struct PocketEvaluateReport {
  /// The figures to report.
  RetrievalFigures by_complex;
  /// Figures for the pockets with a ligand that was a training target, and for the other pockets. Not set if
  /// the training pockets are unknown.
  std::optional<RetrievalFigures> seen_ligands = {}, unseen_ligands = {};

  // As in the Python project: each pocket counts once, and the order of the library breaks ties.
  std::size_t pockets = 0, failed = 0, ligands = 0;
  double mean_rank = 0, median_rank = 0, mean_normalized_rank = 0, mrr = 0;
  double top1_percent = 0;
  double random_mrr = 0, random_top1_percent = 0;  ///< expected values if the order is random
  std::vector<RecallAt> recall;
  std::vector<HitRate> hit_rates;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
