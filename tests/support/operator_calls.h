#pragma once

#include <atomic>
#include <cstddef>

#include <ATen/record_function.h>

namespace molgauge::test {

/// Counts calls of ATen operators in all threads while the object exists. On a GPU, each counted call would
/// be a synchronisation or a copy.
class OperatorCalls {
 public:
  OperatorCalls() {
    counted() = this;
    handle_ = at::addGlobalCallback(at::RecordFunctionCallback(&count).scopes({at::RecordScope::FUNCTION}));
  }
  ~OperatorCalls() {
    at::removeCallback(handle_);
    counted() = nullptr;
  }
  OperatorCalls(const OperatorCalls&) = delete;
  OperatorCalls& operator=(const OperatorCalls&) = delete;

  /// Calls that read numbers on the host. The host then waits for the device.
  std::size_t reads() const { return reads_; }
  /// Calls of Tensor::to() with a device. For copies between a GPU and the host, the host waits unless the
  /// copy is non-blocking.
  std::size_t moves() const { return moves_; }
  /// All operators, each of which starts at least one kernel on a GPU if it computes numbers.
  std::size_t all() const { return all_; }

 private:
  static OperatorCalls*& counted() {
    static OperatorCalls* own = nullptr;
    return own;
  }
  static std::unique_ptr<at::ObserverContext> count(const at::RecordFunction& call) {
    OperatorCalls* const own = counted();
    const auto name = call.operator_name();
    if (own == nullptr || !name) {
      return nullptr;
    }
    ++own->all_;
    own->reads_ += name->name == "aten::_local_scalar_dense" ? 1 : 0;
    own->moves_ +=
        name->name == "aten::to" && (name->overload_name == "dtype_layout" || name->overload_name == "device")
            ? 1
            : 0;
    return nullptr;
  }

  at::CallbackHandle handle_ = 0;
  std::atomic<std::size_t> reads_{0}, moves_{0}, all_{0};
};

}  // namespace molgauge::test
