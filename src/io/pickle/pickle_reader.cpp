#include "io/pickle/pickle_reader.h"

#include <bit>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "core/error.h"
#include "io/bytes/little_endian.h"
#include "io/pickle/pickle_input.h"
#include "io/pickle/pickle_opcodes.h"
#include "io/pickle/pickle_stack.h"

namespace headroom::io {

// The pickle machine: one branch an opcode.
class PickleReader {
 public:
  PickleReader(const RandomAccess& file, const PickleLimits& limits) : input_(file), stack_(limits) {}

  PickleDocument read(const std::string& source) {
    std::uint64_t opcode_position = 0;
    try {
      while (root_ == nullptr) {
        opcode_position = input_.position();
        execute(PickleOpcode{input_.number<std::uint8_t>()});
      }
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{}: cannot be read as a pickle (byte {}): {}", source, opcode_position, error.what()));
    }
    PickleDocument document;
    document.nodes_ = stack_.release();
    document.root_ = root_;
    return document;
  }

 private:
  using Opcode = PickleOpcode;
  using Entries = std::vector<std::pair<PickleRef, PickleRef>>;

  void execute(Opcode opcode) {
    if (!read_scalar(opcode) && !read_container(opcode) && !read_object(opcode) && !control(opcode)) {
      throw InputError(fmt::format(
          "the opcode 0x{:02x} is not allowed here; save the file again with pickle protocol 2 or later",
          static_cast<unsigned>(opcode)));
    }
  }

  bool read_scalar(Opcode opcode) {
    switch (opcode) {
      case Opcode::none:
        return push(PickleNone{});
      case Opcode::new_true:
        return push(true);
      case Opcode::new_false:
        return push(false);
      case Opcode::binary_int:
        return push(std::int64_t{input_.number<std::int32_t>()});
      case Opcode::binary_int1:
        return push(std::int64_t{input_.number<std::uint8_t>()});
      case Opcode::binary_int2:
        return push(std::int64_t{input_.number<std::uint16_t>()});
      case Opcode::long1:
        return push_long(input_.number<std::uint8_t>());
      case Opcode::long4:
        return push_long(input_.number<std::uint32_t>());
      case Opcode::binary_float:
        return push(std::bit_cast<double>(__builtin_bswap64(input_.number<std::uint64_t>())));
      case Opcode::short_binary_unicode:
        return push(input_.text<std::uint8_t>());
      case Opcode::binary_unicode:
        return push(input_.text<std::uint32_t>());
      case Opcode::binary_unicode8:
        return push(input_.text<std::uint64_t>());
      case Opcode::short_binary_string:  // Python 2's str, read as text
        return push(input_.text<std::uint8_t>());
      case Opcode::binary_string:
        return push(input_.text<std::uint32_t>());
      case Opcode::short_binary_bytes:
        return push(input_.bytes<std::uint8_t>());
      case Opcode::binary_bytes:
        return push(input_.bytes<std::uint32_t>());
      case Opcode::binary_bytes8:
      case Opcode::bytearray8:
        return push(input_.bytes<std::uint64_t>());
      default:
        return false;
    }
  }

  bool read_container(Opcode opcode) {
    switch (opcode) {
      case Opcode::empty_list:
        return push(PickleList{});
      case Opcode::empty_dict:
        return push(PickleDict{});
      case Opcode::empty_set:
        return push(PickleSet{});
      case Opcode::empty_tuple:
        return push(PickleTuple{});
      case Opcode::tuple1:
        return push(PickleTuple{stack_.pop(1)});
      case Opcode::tuple2:
        return push(PickleTuple{stack_.pop(2)});
      case Opcode::tuple3:
        return push(PickleTuple{stack_.pop(3)});
      case Opcode::tuple:
        return push(PickleTuple{stack_.pop_to_mark()});
      case Opcode::list:
        return push(PickleList{stack_.pop_to_mark()});
      case Opcode::frozen_set:
        return push(PickleSet{stack_.pop_to_mark()});
      case Opcode::dict:
        return push(PickleDict{pairs(stack_.pop_to_mark())});
      case Opcode::append:
        return append(stack_.pop(1));
      case Opcode::appends:
      case Opcode::add_items:
        return append(stack_.pop_to_mark());
      case Opcode::set_item:
        return assign(pairs(stack_.pop(2)));
      case Opcode::set_items:
        return assign(pairs(stack_.pop_to_mark()));
      default:
        return false;
    }
  }

  bool read_object(Opcode opcode) {
    switch (opcode) {
      case Opcode::global: {
        std::string module = input_.line();
        return push(PickleGlobal{std::move(module), input_.line()});
      }
      case Opcode::stack_global: {
        const auto names = stack_.pop(2);
        const auto *module = names[0]->as<std::string>(), *name = names[1]->as<std::string>();
        if (module == nullptr || name == nullptr) {
          throw InputError("the name of a class is no text");
        }
        return push(PickleGlobal{*module, *name});
      }
      case Opcode::reduce:
      case Opcode::new_object: {
        const auto call = stack_.pop(2);
        return push(PickleObject{call[0], call[1], nullptr, {}, {}});
      }
      case Opcode::new_object_with_keywords: {
        const auto call = stack_.pop(3);
        return push(PickleObject{call[0], call[1], call[2], {}, {}});
      }
      case Opcode::object: {
        auto call = stack_.pop_to_mark();
        if (call.empty()) {
          throw InputError("a class is missing");
        }
        const PickleRef callable = call.front();
        call.erase(call.begin());
        push(PickleTuple{std::move(call)});
        return push(PickleObject{callable, stack_.pop(1).front(), nullptr, {}, {}});
      }
      case Opcode::build: {
        const PickleRef state = stack_.pop(1).front();
        // State set on anything but an object described here changes nothing that could be read.
        if (auto* object = std::get_if<PickleObject>(&stack_.top().value)) {
          object->state = state;
        }
        return true;
      }
      case Opcode::binary_persistent_id:
        return push(PicklePersistent{stack_.pop(1).front()});
      default:
        return false;
    }
  }

  bool control(Opcode opcode) {
    switch (opcode) {
      case Opcode::protocol:
        if (const int version = input_.number<std::uint8_t>(); version < 2 || version > 5) {
          throw InputError(fmt::format("pickle protocol {} is not known; protocols 2 to 5 are", version));
        }
        return true;
      case Opcode::frame:
        input_.require(input_.number<std::uint64_t>());
        return true;
      case Opcode::mark:
        stack_.mark();
        return true;
      case Opcode::pop:
        stack_.pop(1);
        return true;
      case Opcode::pop_mark:
        stack_.pop_to_mark();
        return true;
      case Opcode::duplicate:
        stack_.push_again(&stack_.top());
        return true;
      case Opcode::memoize:
        stack_.remember_next();
        return true;
      case Opcode::binary_put:
        stack_.remember(input_.number<std::uint8_t>());
        return true;
      case Opcode::long_binary_put:
        stack_.remember(input_.number<std::uint32_t>());
        return true;
      case Opcode::binary_get:
        stack_.recall(input_.number<std::uint8_t>());
        return true;
      case Opcode::long_binary_get:
        stack_.recall(input_.number<std::uint32_t>());
        return true;
      case Opcode::stop:
        root_ = stack_.pop(1).front();
        return true;
      default:
        return false;
    }
  }

  bool push(PickleValue value) {
    stack_.push(std::move(value));
    return true;
  }

  bool push_long(std::uint64_t count) {
    std::string digits = input_.text_of(count);
    if (digits.size() > sizeof(std::int64_t)) {
      return push(PickleLongInteger{std::move(digits)});
    }
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80u) != 0;
    digits.resize(sizeof(std::int64_t), negative ? '\xff' : '\0');
    return push(load_little_endian<std::int64_t>(reinterpret_cast<const std::byte*>(digits.data())));
  }

  static Entries pairs(const std::vector<PickleRef>& values) {
    if (values.size() % 2 != 0) {
      throw InputError("a key has no value");
    }
    Entries entries;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      entries.emplace_back(values[i], values[i + 1]);
    }
    return entries;
  }

  bool append(const std::vector<PickleRef>& values) {
    auto* items = std::visit(
        [](auto& target) -> std::vector<PickleRef>* {
          using Kind = std::decay_t<decltype(target)>;
          if constexpr (std::is_same_v<Kind, PickleList> || std::is_same_v<Kind, PickleSet> ||
                        std::is_same_v<Kind, PickleObject>) {
            return &target.items;
          }
          return nullptr;
        },
        stack_.top().value);
    if (items == nullptr) {
      throw InputError("items are appended to something that is no list");
    }
    items->insert(items->end(), values.begin(), values.end());
    return true;
  }

  bool assign(const Entries& added) {
    PickleValue& target = stack_.top().value;
    Entries* entries = nullptr;
    if (auto* dict = std::get_if<PickleDict>(&target)) {
      entries = &dict->entries;
    } else if (auto* object = std::get_if<PickleObject>(&target)) {
      entries = &object->entries;
    } else {
      throw InputError("entries are put into something that is no dict");
    }
    entries->insert(entries->end(), added.begin(), added.end());
    return true;
  }

  PickleInput input_;
  PickleStack stack_;
  PickleRef root_ = nullptr;
};

PickleDocument read_pickle(const RandomAccess& file, const PickleLimits& limits) {
  return PickleReader(file, limits).read(file.name());
}

}  // namespace headroom::io
