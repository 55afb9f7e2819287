#pragma once

#include "molgauge/pocket_build.h"
#include "molgauge/pocket_ligands.h"
#include "molgauge/pocket_search.h"
#include "molgauge/pocket_train.h"

/// The functions that run the verbs of `molgauge pocket`. Contracts are in the headers of the requests
/// (include/molgauge). train_pockets() and pocket_torch() are in libmolgauge_torch.so.
namespace molgauge::verbs {

class PocketTorch;

PocketBuildReport build_pockets(const PocketBuildRequest& request);
PocketLigandsReport make_ligands(const PocketLigandsRequest& request);
PocketEmbedReport embed_pockets(const PocketEmbedRequest& request);
PocketSearchReport search_ligands(const PocketSearchRequest& request);
PocketEvaluateReport evaluate_pockets(const PocketEvaluateRequest& request);

PocketTrainReport train_pockets(const PocketTrainRequest& request);
/// The object of torch_part<PocketTorch>().
PocketTorch& pocket_torch();

}  // namespace molgauge::verbs
