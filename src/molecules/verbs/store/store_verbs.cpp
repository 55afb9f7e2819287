// `molgauge store info|export|verify|prune`.

#include "base/core/error.h"
#include "base/options/verb.h"
#include "base/runtime/folders.h"
#include "molecules/store/blobs/blob_store.h"
#include "molecules/store/features/feature_store.h"
#include "molecules/verbs/shared_fields.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {

StoreInfo store_info(const StoreRequest& request) {
  const auto report =
      store::FeatureStore::open(runtime::store_folder(request.store), store::Access::read).report();
  StoreInfo info;
  info.folder = report.folder.string();
  info.bytes_used = report.bytes_used;
  info.bytes_on_disk = report.bytes_on_disk;
  for (const auto& table : report.tables) {
    info.databases.push_back({table.name, table.space.encoder, table.space.weights_sha256,
                              table.space.options, table.space.width, table.rows, table.bytes});
  }
  for (const auto& table : store::BlobStore::open(report.folder, store::Access::read).report()) {
    info.databases.push_back({table.name, table.space.kind, /*weights_sha256=*/"", table.space.options,
                              /*width=*/0, table.blobs, table.bytes});
  }
  return info;
}

StoreVerification store_verify(const VerifyStoreRequest& request) {
  const auto folder = runtime::store_folder(request.store);
  const auto features = store::FeatureStore::open(folder, store::Access::read);
  store::Verification result = features.verify();
  const auto blobs = store::BlobStore::open(folder, store::Access::read).verify();
  result.findings.insert(result.findings.end(), blobs.findings.begin(), blobs.findings.end());
  return {result.rows + blobs.rows, result.damaged + blobs.damaged, result.findings};
}

StoreRows store_prune(const PruneStoreRequest& request) {
  if (request.database.empty() && !request.damaged) {
    throw UsageError("store prune: name the rows to remove, with --database NAME or --damaged");
  }
  // Opening for reading throws if the store is missing. Opening for writing would create it.
  const auto folder = runtime::store_folder(request.store);
  store::FeatureStore::open(folder, store::Access::read);
  const auto features = store::FeatureStore::open(folder, store::Access::write);
  const auto blobs = store::BlobStore::open(folder, store::Access::write);
  if (request.damaged) {
    return {features.prune_damaged() + blobs.prune_damaged()};
  }
  return {blobs.find(request.database) ? blobs.prune(request.database) : features.prune(request.database)};
}

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(StoreDatabase, name, encoder, weights_sha256, options, width, rows, bytes)
MOLGAUGE_REPORT_FIELDS(StoreInfo, folder, databases, bytes_used, bytes_on_disk)
MOLGAUGE_REPORT_FIELDS(StoreVerification, rows, damaged, findings)

template <>
verbs::Verb verbs::verb<StoreRequest>() {
  return row<StoreRequest>("store_info", store_info);
}

template <>
verbs::Verb verbs::verb<VerifyStoreRequest>() {
  return row<VerifyStoreRequest>("store_verify", store_verify);
}

template <>
verbs::Verb verbs::verb<PruneStoreRequest>() {
  return row<PruneStoreRequest>("store_prune", store_prune);
}

}  // namespace molgauge
