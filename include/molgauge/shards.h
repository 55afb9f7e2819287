#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge {

struct ShardsVerification;
struct JoinShardsReport;

/// `molgauge shards verify`: checks whether a folder contains all shards of an encoding, and whether the
/// shards are intact.
struct VerifyShardsRequest {
  using Report = ShardsVerification;

  std::string folder;  ///< folder that `molgauge encode --shard` wrote with --out
};

struct ShardsVerification {
  /// Number of all shards of the encoding, and number of complete shards.
  std::size_t shards = 0, complete = 0;
  std::size_t parts = 0, rows = 0, failed_records = 0;
  std::string encoder, number_type;   ///< number_type: float16 or float32
  std::vector<std::string> findings;  ///< one line for each missing or damaged file, with the remedy
};

/// `molgauge shards join`: writes the rows of complete shards to one file, in the order of the input.
struct JoinShardsRequest {
  using Report = JoinShardsReport;

  std::string folder;  ///< folder that `molgauge encode --shard` wrote with --out
  std::string out;     ///< .npy file. NAME.failed.csv next to it lists the failed records
};

struct JoinShardsReport {
  std::size_t shards = 0, rows = 0, width = 0, failed_records = 0;
  std::string number_type;  ///< float16 or float32
};

}  // namespace molgauge
