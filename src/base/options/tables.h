#pragma once

#include "base/options/option.h"
#include "molgauge/engine.h"
#include "molgauge/serve.h"

/// The option tables, one for each request. BenchmarkDraw has its own table, because it is a part of several
/// requests and of the [matrix] section of a specification.
namespace molgauge::options {

template <typename Request>
std::span<const Option> table();

#define MOLGAUGE_REQUEST(Request) \
  template <>                     \
  std::span<const Option> table<Request>();
#include "base/options/requests.def"
MOLGAUGE_REQUEST(BenchmarkDraw)
#undef MOLGAUGE_REQUEST

template <typename Request>
View view(const Request& request) {
  return {table<Request>(), &request};
}

template <typename Request>
MutableView mutable_view(Request& request) {
  return {table<Request>(), &request};
}

}  // namespace molgauge::options
