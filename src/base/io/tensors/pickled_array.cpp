#include "base/io/tensors/pickled_array.h"

#include <cstring>
#include <string>
#include <utility>

#include "base/core/error.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::io {
namespace {

using Items = std::vector<PickleRef>;

[[noreturn]] void refuse_form() {
  throw InputError("is not a NumPy array as NumPy pickles one. Save numpy.asarray(value, dtype='float32')");
}

/// Returns item `index`. Throws InputError if the item is missing or is not a `Kind`.
template <typename Kind>
const Kind& item(const Items& items, std::size_t index) {
  const Kind* found = index < items.size() ? items[index]->as<Kind>() : nullptr;
  if (found == nullptr) {
    refuse_form();
  }
  return *found;
}

const Items& tuple(PickleRef value) {
  const auto* tuple = value == nullptr ? nullptr : value->as<PickleTuple>();
  if (tuple == nullptr) {
    refuse_form();
  }
  return tuple->items;
}

/// Whether a callable is a function of NumPy. NumPy 2 has moved numpy.core to numpy._core.
bool is_numpy(PickleRef callable, const std::string& module, const char* name) {
  const auto* function = callable->as<PickleGlobal>();
  return function != nullptr && function->name == name &&
         (function->module == "numpy.core." + module || function->module == "numpy._core." + module);
}

DataType type_of(const std::string& name) {
  for (const auto& [known, type] :
       {std::pair{"f2", DataType::float16}, {"f4", DataType::float32}, {"f8", DataType::float64}}) {
    if (name == known) {
      return type;
    }
  }
  throw InputError("has numbers of NumPy's type '" + name.substr(0, 20) +
                   "'. Supported are float16, float32 and float64");
}

/// Reads a type such as numpy.dtype("f4", False, True) with the state (3, "<", None, None, None, -1, -1, 0).
DataType describe_type(PickleRef value) {
  const auto* object = value->as<PickleObject>();
  const auto* name = object == nullptr ? nullptr : object->callable->as<PickleGlobal>();
  if (name == nullptr || name->module != "numpy" || name->name != "dtype") {
    refuse_form();
  }
  if (item<std::string>(tuple(object->state), 1) == ">") {
    throw InputError("has big-endian numbers. Save it again on a little-endian machine");
  }
  return type_of(item<std::string>(tuple(object->arguments), 0));
}

std::vector<std::int64_t> describe_shape(const PickleTuple& lengths) {
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < lengths.items.size(); ++i) {
    shape.push_back(item<std::int64_t>(lengths.items, i));
  }
  return shape;
}

/// Reads a state (version, shape, dtype, is column-major, numbers).
PickledArray describe_state(const Items& state) {
  if (state.size() < 5) {
    refuse_form();
  }
  PickledArray array;
  array.shape = describe_shape(item<PickleTuple>(state, 1));
  array.type = describe_type(state[2]);
  array.column_major = item<bool>(state, 3);
  array.numbers = state[4];
  return array;
}

/// Reads the arguments (numbers, dtype, shape, "C" or "F").
PickledArray describe_buffer(const Items& arguments) {
  PickledArray array;
  array.shape = describe_shape(item<PickleTuple>(arguments, 2));
  array.type = describe_type(arguments[1]);
  array.column_major = item<std::string>(arguments, 3) == "F";
  array.numbers = arguments[0];
  return array;
}

/// Converts _codecs.encode(text, "latin1") to bytes. Python writes this call in protocol 2, which has no type
/// for bytes.
std::vector<std::byte> encode_latin1(const std::string& text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto unit = static_cast<unsigned char>(text[i]);
    if (unit < 0x80) {
      bytes.push_back(std::byte{unit});
    } else if ((unit == 0xc2 || unit == 0xc3) && i + 1 < text.size()) {
      const auto next = static_cast<unsigned char>(text[++i]);
      bytes.push_back(std::byte{static_cast<unsigned char>(((unit & 0x03u) << 6) | (next & 0x3fu))});
    } else {
      throw InputError("has numbers that are not bytes. The file is damaged");
    }
  }
  return bytes;
}

/// Reads the bytes, or the call that stands for bytes in protocol 2.
std::vector<std::byte> bytes_of(PickleRef numbers, const RandomAccess& file) {
  if (const auto* place = numbers->as<PickleBytes>()) {
    return file.read(place->offset, place->size);
  }
  const auto* call = numbers->as<PickleObject>();
  const auto* function = call == nullptr ? nullptr : call->callable->as<PickleGlobal>();
  if (function == nullptr || function->module != "_codecs" || function->name != "encode") {
    refuse_form();
  }
  return encode_latin1(item<std::string>(tuple(call->arguments), 0));
}

/// Converts numbers from column-major to row-major order.
std::vector<std::byte> transposed(const std::vector<std::byte>& bytes, const PickledArray& array) {
  const std::size_t size = element_size(array.type);
  std::vector<std::byte> rows(bytes.size());
  std::vector<std::int64_t> index(array.shape.size());
  for (std::size_t element = 0; element * size < bytes.size(); ++element) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < array.shape.size(); ++d) {
      place = place * array.shape[d] + index[d];
    }
    std::memcpy(rows.data() + static_cast<std::size_t>(place) * size, bytes.data() + element * size, size);
    for (std::size_t d = 0; d < index.size() && ++index[d] == array.shape[d]; ++d) {
      index[d] = 0;
    }
  }
  return rows;
}

}  // namespace

PickledArray describe_array(PickleRef value) {
  const auto* object = value->as<PickleObject>();
  if (object != nullptr && is_numpy(object->callable, "multiarray", "_reconstruct")) {
    return describe_state(tuple(object->state));
  }
  if (object != nullptr && is_numpy(object->callable, "numeric", "_frombuffer")) {
    return describe_buffer(tuple(object->arguments));
  }
  refuse_form();
}

TensorData read_array(const PickledArray& array, const RandomAccess& file) {
  const std::uint64_t wanted = checked_byte_size(array.type, array.shape, "array");
  std::vector<std::byte> bytes = bytes_of(array.numbers, file);
  if (bytes.size() != wanted) {
    throw InputError("has " + std::to_string(bytes.size()) + " bytes where its shape needs " +
                     std::to_string(wanted) + ". The file is damaged");
  }
  if (array.column_major && array.shape.size() > 1) {
    bytes = transposed(bytes, array);
  }
  return {array.type, array.shape, std::move(bytes)};
}

}  // namespace molgauge::io
