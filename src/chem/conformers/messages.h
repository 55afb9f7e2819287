#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chem/conformers/made_conformer.h"
#include "chem/record.h"

/// What goes between this process and one that makes conformers, over a socket: messages of bytes with their
/// length before them. A process says with an empty message that it is ready, then answers requests one by
/// one.
namespace headroom::chem {

using Message = std::vector<std::byte>;
using Deadline = std::chrono::steady_clock::time_point;

/// False when the other side is gone.
bool send_message(int socket, std::span<const std::byte> message);

enum class Received { whole, ended, late };
/// Waits for a message until the deadline. A length beyond reason counts as an end. Throws Interrupted once
/// the user has asked to stop.
Received receive_message(int socket, Message& message, Deadline deadline = Deadline::max());

struct ConformerRequest {
  MoleculeRecord record;         ///< text and format
  std::uint32_t most_atoms = 0;  ///< hydrogens counted
  std::uint32_t seconds = 0;     ///< after which the process ends itself, even if the asking process is gone
};
Message to_message(const ConformerRequest& request);
/// Nothing where the bytes are no request.
std::optional<ConformerRequest> to_request(std::span<const std::byte> message);

/// A conformer, or the reason why there is none.
struct ConformerReply {
  std::optional<MadeConformer> made;
  std::string reason;
};
Message to_message(const ConformerReply& reply);
/// Nothing where the bytes are no reply.
std::optional<ConformerReply> to_reply(std::span<const std::byte> message);

}  // namespace headroom::chem
