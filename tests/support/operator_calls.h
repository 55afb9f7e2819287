#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
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
    handle_ = at::addGlobalCallback(at::RecordFunctionCallback(&count, &end)
                                        .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE}));
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
  /// Our own kernels (run_kernel.h), and operators that compute or copy numbers. On a GPU, each of them
  /// launches about one kernel.
  std::size_t launches() const { return launches_; }

 private:
  static OperatorCalls*& counted() {
    static OperatorCalls* own = nullptr;
    return own;
  }
  static std::unique_ptr<at::ObserverContext> count(const at::RecordFunction& call) {
    OperatorCalls* const own = counted();
    const auto name = call.operator_name();
    open().push_back({.is_whole = name && whole().contains(without_namespace(*name))});
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
    if (open().empty()) {
      return;  // began before this object existed
    }
    const bool has_launched = open().back().has_launched;
    open().pop_back();
    if (std::any_of(open().begin(), open().end(), [](const Call& outer) { return outer.is_whole; })) {
      return;
    }
    const auto name = call.operator_name();
    const bool launches = !has_launched && (name ? !views().contains(without_namespace(*name))
                                                 : call.scope() == at::RecordScope::USER_SCOPE);
    if (launches && counted() != nullptr) {
      ++counted()->launches_;
    }
    if ((launches || has_launched) && !open().empty()) {
      open().back().has_launched = true;
    }
  }

  static std::string without_namespace(const c10::OperatorName& name) {
    return name.name.substr(name.name.find("::") + 2);
  }
  /// Operators that compute nothing unless they call other operators.
  static const std::set<std::string>& views() {
    static const std::set<std::string> names = {"alias",        "as_strided",
                                                "contiguous",   "detach",
                                                "detach_",      "empty",
                                                "empty_like",   "empty_strided",
                                                "expand",       "expand_as",
                                                "flatten",      "is_same_size",
                                                "lift_fresh",   "mH",
                                                "mT",           "narrow",
                                                "new_empty",    "numpy_T",
                                                "permute",      "reshape",
                                                "resize_",      "resolve_conj",
                                                "resolve_neg",  "result_type",
                                                "select",       "set_",
                                                "slice",        "split",
                                                "squeeze",      "split_with_sizes",
                                                "squeeze_",     "t",
                                                "to",           "transpose",
                                                "type_as",      "unbind",
                                                "unflatten",    "unsqueeze",
                                                "unsqueeze_",   "view",
                                                "view_as",      "_reshape_alias",
                                                "_unsafe_view", "new_empty_strided"};
    return names;
  }
  /// Operators that launch about one kernel on a GPU, although they call other operators on the CPU.
  static const std::set<std::string>& whole() {
    static const std::set<std::string> names = {"addmm",
                                                "addmv",
                                                "baddbmm",
                                                "bmm",
                                                "dot",
                                                "index_add_",
                                                "linalg_vector_norm",
                                                "mean",
                                                "mm",
                                                "mv",
                                                "norm",
                                                "sum",
                                                "native_layer_norm",
                                                "native_layer_norm_backward",
                                                "_foreach_div_",
                                                "_foreach_mul_",
                                                "cat",
                                                "stack",
                                                "fill_",
                                                "zero_",
                                                "zeros",
                                                "full",
                                                "segment_reduce"};
    return names;
  }
  /// A call in progress.
  struct Call {
    bool is_whole = false, has_launched = false;
  };
  /// The calls in progress of this thread.
  static std::vector<Call>& open() {
    thread_local std::vector<Call> calls;
    return calls;
  }

  at::CallbackHandle handle_ = 0;
  std::atomic<std::size_t> reads_{0}, moves_{0}, all_{0}, launches_{0};
};

}  // namespace molgauge::test
