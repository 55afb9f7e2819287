#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headroom/types.h"

namespace headroom {

/// `headroom serve`: a page and an API over the models of this machine.
struct ServeRequest {
  /// Folders of `headroom domain --save`, `headroom train` and `headroom baseline`; a model is called by the
  /// name of its folder.
  std::vector<std::string> models;
  std::size_t port = 8080;  ///< 0: any that is free
  /// Address to listen on. Any but a loopback address needs a token.
  std::string bind = "127.0.0.1";
  /// Host names that browsers may use in addition to localhost and the address, for example
  /// "models.example.org" or "models.example.org:8443". A proxy forwards them.
  std::vector<std::string> hosts;
  std::string token_file;  ///< file whose first line every request to the API must bear; empty: none
  std::string work;        ///< folder of uploads and results; empty: $HEADROOM_HOME/serve
  std::string store, weights;

  std::uint64_t max_body_bytes = std::uint64_t{64} << 20;     ///< of a list of molecules
  std::uint64_t max_snapshot_bytes = std::uint64_t{1} << 30;  ///< of a PyTorch snapshot
  std::size_t max_molecules = 100'000;                        ///< of a list
  std::size_t max_waiting = 64;                               ///< requests that wait for their turn, and jobs
  std::size_t max_connections = 512;
  double max_seconds = 3600;     ///< that a request or job may compute
  double keep_hours = 24;        ///< that a finished job and its files are kept
  double shutdown_seconds = 30;  ///< that a computation has after the signal to end
  ComputeOptions compute;
};

}  // namespace headroom
