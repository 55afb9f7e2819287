#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "base/train/collectives/shared_store.h"

namespace molgauge::train {

struct SharedStore::Handle {
  c10::intrusive_ptr<c10d::Store> store;
};

}  // namespace molgauge::train
