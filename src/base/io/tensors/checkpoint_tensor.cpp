#include "base/io/tensors/checkpoint_tensor.h"

#include <cstring>

#include "base/core/error.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::io {
namespace {

constexpr std::pair<const char*, DataType> kStorages[] = {
    {"HalfStorage", DataType::float16},  {"BFloat16Storage", DataType::bfloat16},
    {"FloatStorage", DataType::float32}, {"DoubleStorage", DataType::float64},
    {"CharStorage", DataType::int8},     {"ByteStorage", DataType::uint8},
    {"ShortStorage", DataType::int16},   {"IntStorage", DataType::int32},
    {"LongStorage", DataType::int64},    {"BoolStorage", DataType::boolean},
};

DataType type_of_storage(const PickleGlobal& storage, const std::string& what) {
  for (const auto& [name, type] : kStorages) {
    if (storage.name == name) {
      return type;
    }
  }
  throw InputError(what + ": is kept in a " + storage.module + "." + storage.name +
                   ", which is not supported. Convert the tensor with .float() and save it again");
}

// Returns item `index` of a tuple or list. Throws InputError if the item is missing or is not a `Kind`.
template <typename Kind>
const Kind& item(const std::vector<PickleRef>& items, std::size_t index, const std::string& what) {
  const Kind* found = index < items.size() ? items[index]->as<Kind>() : nullptr;
  if (found == nullptr) {
    throw InputError(what +
                     ": the description of the tensor is not as PyTorch writes it. The file is damaged");
  }
  return *found;
}

std::vector<std::int64_t> integers(const PickleTuple& tuple, const std::string& what) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < tuple.items.size(); ++i) {
    numbers.push_back(item<std::int64_t>(tuple.items, i, what));
  }
  return numbers;
}

// Parses the arguments ((storage), offset, size, stride, requires_grad, hooks), where (storage) is
// ("storage", class, key, device, elements).
TensorView describe_view(const std::vector<PickleRef>& arguments, const std::string& what) {
  const PickleRef id = item<PicklePersistent>(arguments, 0, what).id;
  const auto& storage = item<PickleTuple>({id}, 0, what).items;
  if (item<std::string>(storage, 0, what) != "storage") {
    throw InputError(what + ": the storage type of its numbers is unknown. Save it again with torch.save");
  }
  TensorView view;
  view.type = type_of_storage(item<PickleGlobal>(storage, 1, what), what);
  view.storage = item<std::string>(storage, 2, what);
  view.storage_elements = item<std::int64_t>(storage, 4, what);
  view.offset = item<std::int64_t>(arguments, 1, what);
  view.shape = integers(item<PickleTuple>(arguments, 2, what), what);
  view.strides = integers(item<PickleTuple>(arguments, 3, what), what);
  return view;
}

// Whether all elements of the view are within the storage.
bool fits(const TensorView& view, std::int64_t storage_elements) {
  std::int64_t last = view.offset;
  if (last < 0) {
    return false;
  }
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    std::int64_t step = 0;
    if (view.strides[d] < 0 || __builtin_mul_overflow(view.shape[d] - 1, view.strides[d], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return false;
    }
  }
  return last < storage_elements;
}

// The trailing dimensions of a view whose elements are stored in row-major order without gaps: the number of
// these dimensions, and the number of elements in them.
struct Run {
  std::size_t elements = 1, dimensions = 0;
};

Run contiguous_run(const TensorView& view) {
  Run run;
  while (run.dimensions < view.shape.size()) {
    const std::size_t d = view.shape.size() - 1 - run.dimensions;
    if (view.shape[d] != 1 && view.strides[d] != static_cast<std::int64_t>(run.elements)) {
      break;
    }
    run.elements *= static_cast<std::size_t>(view.shape[d]);
    ++run.dimensions;
  }
  return run;
}

void copy_runs(const TensorView& view, const std::byte* storage, std::byte* target,
               std::size_t target_bytes) {
  const Run run = contiguous_run(view);
  const std::size_t size = element_size(view.type), run_bytes = run.elements * size;
  const std::size_t outer = view.shape.size() - run.dimensions;
  std::vector<std::int64_t> index(outer, 0);
  std::int64_t element = view.offset;
  for (std::size_t done = 0; done < target_bytes; done += run_bytes) {
    std::memcpy(target + done, storage + static_cast<std::size_t>(element) * size, run_bytes);
    for (std::size_t d = outer; d-- > 0;) {
      if (view.shape[d] == 1) {
        continue;  // the stride of this dimension does not matter
      }
      element += view.strides[d];
      if (++index[d] < view.shape[d]) {
        break;
      }
      element -= view.strides[d] * view.shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

std::optional<TensorView> describe_tensor(PickleRef value, const std::string& what) {
  const auto* object = value->as<PickleObject>();
  const auto* function = object == nullptr ? nullptr : object->callable->as<PickleGlobal>();
  if (function == nullptr || !function->module.starts_with("torch") ||
      !function->name.starts_with("_rebuild_")) {
    return std::nullopt;
  }
  const auto& arguments = item<PickleTuple>({object->arguments}, 0, what).items;
  if (function->module == "torch._utils" && function->name == "_rebuild_tensor_v2") {
    return describe_view(arguments, what);
  }
  if (function->module == "torch._utils" && function->name == "_rebuild_parameter" && !arguments.empty() &&
      arguments[0] != value) {
    const auto* data = arguments[0]->as<PickleObject>();
    const auto* rebuild = data == nullptr ? nullptr : data->callable->as<PickleGlobal>();
    if (rebuild != nullptr && rebuild->name == "_rebuild_tensor_v2") {
      return describe_tensor(arguments[0], what);
    }
  }
  throw InputError(what + ": is made by " + function->module + "." + function->name +
                   ", which is not supported. Save a plain dense tensor instead");
}

TensorData gather(const TensorView& view, const std::vector<std::byte>& storage, const std::string& what) {
  const std::uint64_t size = checked_byte_size(view.type, view.shape, what);
  if (view.shape.size() != view.strides.size()) {
    throw InputError(what + ": its shape and strides differ in length. The file is damaged");
  }
  if (view.storage_elements < 0 ||
      storage.size() / element_size(view.type) != static_cast<std::uint64_t>(view.storage_elements) ||
      storage.size() % element_size(view.type) != 0) {
    throw InputError(what + ": its storage has " + std::to_string(storage.size()) + " bytes, " +
                     std::to_string(view.storage_elements) + " elements of " + to_string(view.type) +
                     " are expected. The file is damaged");
  }
  TensorData tensor{view.type, view.shape, {}};
  if (size == 0) {
    return tensor;
  }
  if (!fits(view, view.storage_elements)) {
    throw InputError(what + ": the shape " + format_shape(view.shape) + " with strides " +
                     format_shape(view.strides) + " reaches outside of its storage. The file is damaged");
  }
  if (size > storage.size()) {
    throw InputError(what + ": is an expanded view. Save tensor.contiguous() instead");
  }
  tensor.bytes.resize(static_cast<std::size_t>(size));
  copy_runs(view, storage.data(), tensor.bytes.data(), tensor.bytes.size());
  return tensor;
}

}  // namespace molgauge::io
