#include "base/train/collectives/shared_store.h"

#include <chrono>
#include <exception>
#include <vector>

#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "base/core/error.h"
#include "base/train/collectives/c10d_store.h"

namespace molgauge::train {
namespace {

/// Calls `work`. If LibTorch throws, throws Error with only the first line of the message, because a stack
/// trace follows it.
template <typename Work>
auto call(const Work& work) {
  try {
    return work();
  } catch (const std::exception& problem) {
    const std::string text = problem.what();
    throw Error("process 0 cannot be reached (" + text.substr(0, text.find('\n')) + ")");
  }
}

/// Chooses the server that every LibTorch has. Newer versions would use libuv, which the LibTorch of Debian
/// 13 does not contain.
template <typename Options>
void use_builtin_server(Options& options) {
  if constexpr (requires { options.useLibUV; }) {
    options.useLibUV = false;
  }
}

}  // namespace

SharedStore::SharedStore(const Launch& launch, double seconds) : handle_(std::make_unique<Handle>()) {
  c10d::TCPStoreOptions options;
  options.port = launch.port;
  options.isServer = launch.rank == 0;
  options.numWorkers = launch.processes;
  options.waitWorkers = false;
  use_builtin_server(options);
  options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
  try {
    handle_->store = c10::make_intrusive<c10d::TCPStore>(launch.address, options);
  } catch (const std::exception& problem) {
    const std::string text = problem.what();
    throw Error(fmt::format("process {} of {} cannot {} {}:{} (MASTER_ADDR and MASTER_PORT): {}", launch.rank,
                            launch.processes, launch.rank == 0 ? "listen at" : "connect to process 0 at",
                            launch.address, launch.port, text.substr(0, text.find('\n'))));
  }
}

SharedStore::~SharedStore() = default;

std::int64_t SharedStore::add(const std::string& name, std::int64_t number) {
  return call([&] { return handle_->store->add(name, number); });
}

bool SharedStore::has(const std::string& name) {
  return call([&] { return handle_->store->check({name}); });
}

std::string SharedStore::get(const std::string& name) {
  const std::vector<std::uint8_t> bytes = call([&] { return handle_->store->get(name); });
  return {bytes.begin(), bytes.end()};
}

std::string SharedStore::set_once(const std::string& name, const std::string& text) {
  const std::vector<std::uint8_t> wanted(text.begin(), text.end());
  const std::vector<std::uint8_t> bytes =
      call([&] { return handle_->store->compareSet(name, std::vector<std::uint8_t>{}, wanted); });
  return {bytes.begin(), bytes.end()};
}

}  // namespace molgauge::train
