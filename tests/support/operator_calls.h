#pragma once

#include <atomic>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <ATen/record_function.h>

namespace molgauge::test {

/// Counts calls of ATen operators in all threads while the object exists. On a GPU, each counted call would
/// be a synchronisation or a copy.
class OperatorCalls {
 public:
  OperatorCalls() {
    counted() = this;
    handle_ =
        at::addGlobalCallback(at::RecordFunctionCallback(&count, &end).scopes({at::RecordScope::FUNCTION}));
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
  /// All operators, including views and operators that call other operators.
  std::size_t all() const { return all_; }
  /// Operators that compute or copy numbers and call no other operators. On a GPU, each of them launches
  /// about one kernel.
  std::size_t launches() const { return launches_; }

 private:
  static OperatorCalls*& counted() {
    static OperatorCalls* own = nullptr;
    return own;
  }
  static std::unique_ptr<at::ObserverContext> count(const at::RecordFunction& call) {
    OperatorCalls* const own = counted();
    const auto name = call.operator_name();
    open().push_back(false);
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

  static void end(const at::RecordFunction& call, at::ObserverContext* /*context*/) {
    // These operators compute nothing unless they call other operators.
    static const std::set<std::string> views = {
        "alias",        "as_strided",      "contiguous", "detach",      "empty",
        "empty_like",   "empty_strided",   "expand",     "flatten",     "narrow",
        "permute",      "reshape",         "resize_",    "result_type", "select",
        "slice",        "split",           "squeeze",    "t",           "to",
        "transpose",    "unbind",          "unflatten",  "unsqueeze",   "view",
        "_unsafe_view", "_reshape_alias",  "view_as",    "expand_as",   "type_as",
        "numpy_T",      "split_with_sizes"};
    if (open().empty()) {
      return;  // began before this object existed
    }
    const bool has_launched = open().back();
    open().pop_back();
    const auto name = call.operator_name();
    const bool launches =
        !has_launched && name && !views.contains(name->name.substr(name->name.find("::") + 2));
    if (launches && counted() != nullptr) {
      ++counted()->launches_;
    }
    if ((launches || has_launched) && !open().empty()) {
      open().back() = true;
    }
  }
  /// For each call in progress of this thread, whether it has called an operator that launches a kernel.
  static std::vector<bool>& open() {
    thread_local std::vector<bool> calls;
    return calls;
  }

  at::CallbackHandle handle_ = 0;
  std::atomic<std::size_t> reads_{0}, moves_{0}, all_{0}, launches_{0};
};

}  // namespace molgauge::test
