#pragma once

#include <cstdint>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace molgauge::test {

/// A loopback port without a listener.
inline std::uint16_t free_port() {
  const int socket_of_test = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  if (socket_of_test < 0 || bind(socket_of_test, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      getsockname(socket_of_test, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    throw std::runtime_error("no port of the loopback is free");
  }
  close(socket_of_test);
  return ntohs(address.sin_port);
}

}  // namespace molgauge::test
