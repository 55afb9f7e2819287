#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"
#include "molgauge/types.h"

namespace molgauge {

struct PocketEmbedReport;
struct PocketSearchReport;
struct PocketEvaluateReport;

/// `molgauge pocket embed`: computes a feature row for each pocket of a graph set.
struct PocketEmbedRequest {
  using Report = PocketEmbedReport;

  std::string encoder;  ///< run folder of molgauge pocket train, or a checkpoint (.safetensors, .pt)
  std::string graphs;   ///< graph set
  std::string out;      ///< .h5 or .npz, one row for each pocket under its name
  /// Use the published layer norm. Set it for checkpoints of the Python project that were trained with this
  /// norm.
  bool reference_compatible = false;
  ComputeOptions compute;
};

struct PocketEmbedReport {
  std::size_t pockets = 0, width = 0;
  double seconds = 0;
  std::vector<PhaseReport> phases;
};

/// `molgauge pocket search`: finds the ligands of a library that are nearest to pockets.
struct PocketSearchRequest {
  using Report = PocketSearchReport;

  std::string encoder, graphs;  ///< files, as in PocketEmbedRequest
  std::string ligands;          ///< library with one row for each ligand: .h5, .npz, .safetensors
  /// Names of the pockets to search with. If empty, all pockets of the set are used.
  std::vector<std::string> pocket;
  std::string out;   ///< JSON file
  std::string page;  ///< HTML page. If empty, no page is written
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

/// `molgauge pocket evaluate`: ranks the true ligand of each pocket within a library.
struct PocketEvaluateRequest {
  using Report = PocketEvaluateReport;

  std::string encoder, graphs, ligands;  ///< files, as in PocketSearchRequest
  std::string splits;                    ///< JSON file. If empty, the splits.json in the run folder is used
  PocketPart part = PocketPart::test;
  std::string out;   ///< JSON file
  std::string page;  ///< HTML page. If empty, no page is written
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

/// How often the true ligand is among the nearest `percentage` percent of the library.
struct HitRate {
  double percentage = 0;
  std::size_t k_value = 0, hits = 0, misses = 0;
  double hit_rate = 0;    ///< in percent
  double enrichment = 0;  ///< number of hits, divided by the expected number for a random order
};

/// Retrieval metrics. They are averaged over the pockets of each complex, and then over the complexes.
/// Ligands at the same distance share their mean rank.
struct RetrievalFigures {
  std::size_t pockets = 0, complexes = 0;
  double mean_rank = 0, mean_normalized_rank = 0, mrr = 0;
  double top1_percent = 0;
  std::vector<double> recall_percent;  ///< one percentage for each entry of PocketEvaluateReport::recall
  std::vector<double> hit_percent;     ///< one percentage for each entry of PocketEvaluateReport::hit_rates
};

struct PocketEvaluateReport {
  /// The metrics over all pockets. Report these metrics.
  RetrievalFigures by_complex;
  /// The metrics over pockets whose ligand was a training target, and over all other pockets. Not set if the
  /// training pockets are unknown.
  std::optional<RetrievalFigures> seen_ligands = {}, unseen_ligands = {};

  // The metrics of the Python project. Each pocket counts once, and ties are ranked in the order of the
  // library.
  std::size_t pockets = 0, failed = 0, ligands = 0;
  double mean_rank = 0, median_rank = 0, mean_normalized_rank = 0, mrr = 0;
  double top1_percent = 0;
  double random_mrr = 0, random_top1_percent = 0;  ///< expected values for a random order of the library
  std::vector<RecallAt> recall;
  std::vector<HitRate> hit_rates;
  std::vector<PhaseReport> phases;
};

}  // namespace molgauge
