#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecules/chem/conformers/made_conformer.h"
#include "molecules/chem/record.h"

/// The messages between this process and the worker process that generates conformers. They go over a socket.
/// Each message consists of its length and its bytes. The worker process sends an empty message when it is
/// ready. It then answers requests one by one.
namespace molgauge::chem {

using Message = std::vector<std::byte>;
using Deadline = std::chrono::steady_clock::time_point;

/// Returns false if the other process has ended.
bool send_message(int socket, std::span<const std::byte> message);

enum class Received { whole, ended, late };
/// Waits for a message until the deadline. If a message announces an impossible length, the connection counts
/// as closed. Throws Interrupted once the user has asked to stop.
Received receive_message(int socket, Message& message, Deadline deadline = Deadline::max());

struct ConformerRequest {
  MoleculeRecord record;         ///< text and format
  std::uint32_t most_atoms = 0;  ///< maximum number of atoms, including hydrogens
  /// Time limit after which the worker process ends itself, even if its parent has ended.
  std::uint32_t seconds = 0;
  ConformerEngine engine = ConformerEngine::exact;
};
Message to_message(const ConformerRequest& request);
/// Returns nothing if the bytes are not a request.
std::optional<ConformerRequest> to_request(std::span<const std::byte> message);

/// A conformer, or the reason why no conformer was generated.
struct ConformerReply {
  std::optional<MadeConformer> made;
  std::string reason;
};
Message to_message(const ConformerReply& reply);
/// Returns nothing if the bytes are not a reply.
std::optional<ConformerReply> to_reply(std::span<const std::byte> message);

}  // namespace molgauge::chem
