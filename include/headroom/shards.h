#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom {

struct ShardsVerification;
struct JoinShardsReport;

/// `headroom shards verify`: whether the shards that `headroom encode --shard` wrote into a folder are there
/// and whole.
struct VerifyShardsRequest {
  using Report = ShardsVerification;

  std::string folder;  ///< as `--out` of the shards
};

struct ShardsVerification {
  std::size_t shards = 0, complete = 0;  ///< how many the input was split into; those that are complete
  std::size_t parts = 0, rows = 0, failed_records = 0;
  std::string encoder, number_type;   ///< number_type: float16 or float32
  std::vector<std::string> findings;  ///< what is missing or damaged, a line each, with what mends it
};

/// `headroom shards join`: the rows of complete shards as one file, in the order of the input.
struct JoinShardsRequest {
  using Report = JoinShardsReport;

  std::string folder;  ///< as `--out` of the shards
  std::string out;     ///< .npy; failed records go to NAME.failed.csv beside it
};

struct JoinShardsReport {
  std::size_t shards = 0, rows = 0, width = 0, failed_records = 0;
  std::string number_type;  ///< float16 or float32
};

}  // namespace headroom
