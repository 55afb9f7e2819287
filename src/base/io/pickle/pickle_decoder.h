#pragma once

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/pickle/pickle_opcodes.h"

namespace molgauge::io {

enum class PickleContainer : std::uint8_t { list, tuple, set, dict };

/// Executes an opcode by calling functions of the sink, and returns true. Handles the opcodes of plain data
/// (numbers, texts, bytes, containers) and the opcodes that move values between the stack and the memo.
/// Returns false for all other opcodes. The sink stores the stack and the memo and checks their limits. If an
/// opcode is invalid, it throws InputError that contains only the reason.
///
/// The sink has these members. Lengths are in bytes, and the content follows in the input. Positions are
/// positions on the stack.
///
///     Number number<Number>()            the next number of the input, little-endian
///     std::size_t take_mark()            the position of the last mark, which is removed
///     std::size_t last(count)            where the last `count` values begin, all above the last mark
///
/// The following members return true:
///
///     push_none(), push_boolean(bool), push_integer(std::int64_t)
///     push_long(length)                  two's complement, little-endian
///     push_float()                       8 bytes follow, big-endian
///     push_text(length), push_bytes(length)
///     push_container(kind, position)     moves the values from `position` on into a new container
///     append(position), assign(position) move the values from `position` on into the container below
///     drop(position)                     removes the values from `position` on
///     mark(), duplicate(), remember(number), remember_next(), recall(number)
///     check_frame(length)
template <typename Sink>
bool decode_plain(PickleOpcode opcode, Sink& sink) {
  using Opcode = PickleOpcode;
  using Container = PickleContainer;
  const auto number = [&]<typename Number>(Number) { return sink.template number<Number>(); };
  const auto byte = [&] { return number(std::uint8_t{}); };
  const auto word = [&] { return number(std::uint32_t{}); };
  const auto long_word = [&] { return number(std::uint64_t{}); };
  switch (opcode) {
    case Opcode::none:
      return sink.push_none();
    case Opcode::new_true:
      return sink.push_boolean(true);
    case Opcode::new_false:
      return sink.push_boolean(false);
    case Opcode::binary_int:
      return sink.push_integer(number(std::int32_t{}));
    case Opcode::binary_int1:
      return sink.push_integer(byte());
    case Opcode::binary_int2:
      return sink.push_integer(number(std::uint16_t{}));
    case Opcode::long1:
      return sink.push_long(byte());
    case Opcode::long4:
      return sink.push_long(word());
    case Opcode::binary_float:
      return sink.push_float();
    case Opcode::short_binary_unicode:
    case Opcode::short_binary_string:  // str of Python 2, read as text
      return sink.push_text(byte());
    case Opcode::binary_unicode:
    case Opcode::binary_string:
      return sink.push_text(word());
    case Opcode::binary_unicode8:
      return sink.push_text(long_word());
    case Opcode::short_binary_bytes:
      return sink.push_bytes(byte());
    case Opcode::binary_bytes:
      return sink.push_bytes(word());
    case Opcode::binary_bytes8:
    case Opcode::bytearray8:
      return sink.push_bytes(long_word());
    case Opcode::empty_list:
      return sink.push_container(Container::list, sink.last(0));
    case Opcode::empty_dict:
      return sink.push_container(Container::dict, sink.last(0));
    case Opcode::empty_set:
      return sink.push_container(Container::set, sink.last(0));
    case Opcode::empty_tuple:
      return sink.push_container(Container::tuple, sink.last(0));
    case Opcode::tuple1:
      return sink.push_container(Container::tuple, sink.last(1));
    case Opcode::tuple2:
      return sink.push_container(Container::tuple, sink.last(2));
    case Opcode::tuple3:
      return sink.push_container(Container::tuple, sink.last(3));
    case Opcode::tuple:
      return sink.push_container(Container::tuple, sink.take_mark());
    case Opcode::list:
      return sink.push_container(Container::list, sink.take_mark());
    case Opcode::frozen_set:
      return sink.push_container(Container::set, sink.take_mark());
    case Opcode::dict:
      return sink.push_container(Container::dict, sink.take_mark());
    case Opcode::append:
      return sink.append(sink.last(1));
    case Opcode::appends:
    case Opcode::add_items:
      return sink.append(sink.take_mark());
    case Opcode::set_item:
      return sink.assign(sink.last(2));
    case Opcode::set_items:
      return sink.assign(sink.take_mark());
    case Opcode::protocol:
      if (const int version = byte(); version < 2 || version > 5) {
        throw InputError(fmt::format("pickle protocol {} is not known. Protocols 2 to 5 are", version));
      }
      return true;
    case Opcode::frame:
      return sink.check_frame(long_word());
    case Opcode::mark:
      return sink.mark();
    case Opcode::pop:
      return sink.drop(sink.last(1));
    case Opcode::pop_mark:
      return sink.drop(sink.take_mark());
    case Opcode::duplicate:
      return sink.duplicate();
    case Opcode::memoize:
      return sink.remember_next();
    case Opcode::binary_put:
      return sink.remember(byte());
    case Opcode::long_binary_put:
      return sink.remember(word());
    case Opcode::binary_get:
      return sink.recall(byte());
    case Opcode::long_binary_get:
      return sink.recall(word());
    default:
      return false;
  }
}

/// The error for an opcode that no reader supports.
inline InputError unknown_opcode(PickleOpcode opcode) {
  return InputError(fmt::format(
      "the opcode {:#04x} is not allowed here. Save the file again with pickle protocol 2 or later",
      static_cast<unsigned>(opcode)));
}

}  // namespace molgauge::io
