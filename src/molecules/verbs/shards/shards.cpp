// `molgauge shards verify|join`.

#include "base/core/error.h"
#include "base/io/tensors/tensor_data.h"
#include "base/options/report_fields.h"
#include "base/options/verb.h"
#include "molecules/encoding/shards/joined_shards.h"
#include "molecules/encoding/shards/shard_set.h"

namespace molgauge::verbs {
namespace {

ShardsVerification verify_shards(const VerifyShardsRequest& request) {
  const pipeline::ShardSet set = pipeline::find_shards(request.folder);
  ShardsVerification result;
  result.shards = set.shards.size() + set.without_manifest.size() + set.missing.size();
  result.rows = set.rows();
  result.failed_records = set.failed();
  for (const pipeline::ShardManifest& manifest : set.shards) {
    result.complete += manifest.is_complete ? 1 : 0;
    result.parts += manifest.parts.size();
    result.encoder = manifest.work.space.encoder;
    result.number_type = io::to_string(manifest.work.number_type);
  }
  result.findings = pipeline::verify_shards(set);
  return result;
}

JoinShardsReport join_shards(const JoinShardsRequest& request) {
  const pipeline::ShardSet set = pipeline::find_shards(request.folder);
  pipeline::join_shards(set, request.out);
  const pipeline::ShardWork& work = set.shards.front().work;
  return {.shards = set.shards.size(),
          .rows = set.rows(),
          .width = work.space.width,
          .failed_records = set.failed(),
          .number_type = io::to_string(work.number_type)};
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(JoinShardsReport, shards, rows, width, failed_records, number_type)
MOLGAUGE_REPORT_FIELDS(ShardsVerification, shards, complete, parts, rows, failed_records, encoder,
                       number_type, findings)

template <>
verbs::Verb verbs::verb<VerifyShardsRequest>() {
  return row<VerifyShardsRequest>("shards_verify", verify_shards);
}

template <>
verbs::Verb verbs::verb<JoinShardsRequest>() {
  return row<JoinShardsRequest>("shards_join", join_shards);
}

}  // namespace molgauge
