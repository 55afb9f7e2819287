#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molgauge/types.h"

namespace molgauge {

/// `molgauge serve`: serves models of this machine as a web page and an HTTP API.
struct ServeRequest {
  /// The models to serve: folders of `molgauge domain --save`, `molgauge train` and `molgauge baseline`, and
  /// chemprop models as in PredictRequest. A model has the name of its folder or file.
  std::vector<std::string> models;
  std::size_t port = 8080;  ///< 0 means any free port
  /// Address to listen on. Any address except a loopback address requires `token_file`.
  std::string bind = "127.0.0.1";
  /// Host names of this server behind a proxy, for example "models.example.org" or "models.example.org:8443".
  /// Requests may use these names in addition to localhost and the address.
  std::vector<std::string> hosts;
  /// File whose first line is a token. API requests must contain the token. If empty, no token is required.
  std::string token_file;
  std::string work;  ///< folder of uploads and results. If empty, $MOLGAUGE_HOME/serve is used
  std::string store, weights;

  std::uint64_t max_body_bytes = std::uint64_t{64} << 20;     ///< maximum size of a list of molecules
  std::uint64_t max_snapshot_bytes = std::uint64_t{1} << 30;  ///< maximum size of a PyTorch snapshot
  std::size_t max_molecules = 100'000;                        ///< maximum number of molecules in a list
  std::size_t max_waiting = 64;                               ///< maximum number of waiting requests and jobs
  std::size_t max_connections = 512;
  double max_seconds = 3600;     ///< maximum computing time of a request or job
  double keep_hours = 24;        ///< hours until a finished job and its files are removed
  double shutdown_seconds = 30;  ///< maximum seconds to wait for a running computation at shutdown
  ComputeOptions compute;
};

}  // namespace molgauge
