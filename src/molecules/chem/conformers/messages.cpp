#include "molecules/chem/conformers/messages.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>

#include "base/core/session/cancellation.h"

namespace molgauge::chem {
namespace {

/// Maximum bytes of a message, far above the largest record or conformer.
constexpr std::uint32_t kLongest = 1U << 26;
constexpr std::byte kMade{0}, kRefused{1};

struct RequestHeader {
  std::uint32_t format = 0, most_atoms = 0, seconds = 0, is_fast = 0;
};

bool send_all(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Waits until the socket has data. Returns false at the deadline. Checks every 50 ms whether the user asked
/// to stop.
bool wait_for_bytes(int socket, Deadline deadline) {
  constexpr std::chrono::milliseconds kPause(50);
  pollfd wanted{.fd = socket, .events = POLLIN, .revents = 0};
  for (;;) {
    throw_if_cancelled();
    const auto left =
        deadline == Deadline::max()
            ? kPause
            : std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      return false;
    }
    if (poll(&wanted, 1, static_cast<int>(std::min(left, kPause).count())) > 0) {
      return true;
    }
  }
}

Received receive_all(int socket, std::span<std::byte> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    if (!wait_for_bytes(socket, deadline)) {
      return Received::late;
    }
    const ssize_t received = recv(socket, bytes.data(), bytes.size(), 0);
    if (received < 0 && errno == EINTR) {
      continue;
    }
    if (received <= 0) {
      return Received::ended;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return Received::whole;
}

std::string to_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool send_message(int socket, std::span<const std::byte> message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  return send_all(socket, std::as_bytes(std::span(&length, 1))) && send_all(socket, message);
}

Received receive_message(int socket, Message& message, Deadline deadline) {
  std::uint32_t length = 0;
  if (const Received head = receive_all(socket, std::as_writable_bytes(std::span(&length, 1)), deadline);
      head != Received::whole) {
    return head;
  }
  if (length > kLongest) {
    return Received::ended;
  }
  message.resize(length);
  return receive_all(socket, message, deadline);
}

Message to_message(const ConformerRequest& request) {
  const RequestHeader header{.format = request.record.format == RecordFormat::molblock ? 1U : 0U,
                             .most_atoms = request.most_atoms,
                             .seconds = request.seconds,
                             .is_fast = request.engine == ConformerEngine::fast ? 1U : 0U};
  const auto text = std::as_bytes(std::span(request.record.text));
  Message message(sizeof(header) + text.size());
  std::memcpy(message.data(), &header, sizeof(header));
  std::copy(text.begin(), text.end(), message.begin() + sizeof(header));
  return message;
}

std::optional<ConformerRequest> to_request(std::span<const std::byte> message) {
  RequestHeader header;
  if (message.size() < sizeof(header)) {
    return std::nullopt;
  }
  std::memcpy(&header, message.data(), sizeof(header));
  ConformerRequest request;
  request.record.text = to_text(message.subspan(sizeof(header)));
  request.record.format = header.format == 1 ? RecordFormat::molblock : RecordFormat::smiles;
  request.most_atoms = header.most_atoms;
  request.seconds = header.seconds;
  request.engine = header.is_fast == 1 ? ConformerEngine::fast : ConformerEngine::exact;
  return request;
}

Message to_message(const ConformerReply& reply) {
  const std::vector<std::byte> made = reply.made ? pack(*reply.made) : std::vector<std::byte>();
  const auto reason = std::as_bytes(std::span(reply.reason));
  const std::span<const std::byte> content = reply.made ? std::span(made) : reason;
  Message message(1 + content.size(), reply.made ? kMade : kRefused);
  std::copy(content.begin(), content.end(), message.begin() + 1);
  return message;
}

std::optional<ConformerReply> to_reply(std::span<const std::byte> message) {
  if (message.empty()) {
    return std::nullopt;
  }
  ConformerReply reply;
  if (message[0] == kRefused) {
    reply.reason = to_text(message.subspan(1));
    return reply;
  }
  reply.made = unpack_conformer(message.subspan(1));
  return message[0] == kMade && reply.made ? std::optional(std::move(reply)) : std::nullopt;
}

}  // namespace molgauge::chem
