#include <cerrno>
#include <memory>
#include <utility>

#include "api/arrow_stream.h"
#include "base/core/error.h"

namespace molgauge::arrow {
namespace {

/// Owns all memory to which an exported schema points. The children and the dictionary of the schema own
/// their memory themselves.
struct SchemaOwner {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  ArrowSchema dictionary = {};
};

struct ArrayOwner {
  std::shared_ptr<const Column> root;  ///< keeps the buffers alive
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary = {};
};

/// Releases the owner, and the children and the dictionary that the receiver has not moved out.
template <typename Owner, typename Struct>
void release(Struct* self) {
  auto* const owner = static_cast<Owner*>(self->private_data);
  for (Struct& child : owner->children) {
    if (child.release != nullptr) {
      child.release(&child);
    }
  }
  if (owner->dictionary.release != nullptr) {
    owner->dictionary.release(&owner->dictionary);
  }
  self->release = nullptr;
  delete owner;
}

template <typename Struct, typename Owner>
void point_to_children(Struct& out, Owner& owner) {
  for (Struct& child : owner.children) {
    owner.child_pointers.push_back(&child);
  }
  out.n_children = static_cast<std::int64_t>(owner.children.size());
  out.children = owner.child_pointers.empty() ? nullptr : owner.child_pointers.data();
}

/// Passes the owner to `out`. This happens before the children are filled in. If an exception is thrown
/// later, release() therefore also frees an incomplete owner.
template <typename Struct, typename Owner>
void give(Struct& out, std::unique_ptr<Owner> owner) {
  out.release = &release<Owner, Struct>;
  out.private_data = owner.release();
}

void give_schema(const Column& column, ArrowSchema& out) {
  auto owner = std::make_unique<SchemaOwner>();
  out = {};
  owner->format = column.format;
  owner->name = column.name;
  out.format = owner->format.c_str();
  out.name = owner->name.c_str();
  out.flags = ARROW_FLAG_NULLABLE;
  owner->children.resize(column.children.size());
  owner->child_pointers.reserve(column.children.size());
  SchemaOwner& parts = *owner;
  point_to_children(out, parts);
  give(out, std::move(owner));
  for (std::size_t i = 0; i < column.children.size(); ++i) {
    give_schema(column.children[i], parts.children[i]);
  }
  if (!column.dictionary.empty()) {
    give_schema(column.dictionary.front(), parts.dictionary);
    out.dictionary = &parts.dictionary;
  }
}

void give_array(const std::shared_ptr<const Column>& root, const Column& column, ArrowArray& out) {
  // An empty buffer must not be null, because null means a missing buffer.
  static const std::byte kNoBytes[8] = {};
  auto owner = std::make_unique<ArrayOwner>();
  out = {};
  owner->root = root;
  for (std::size_t i = 0; i < column.buffers.size(); ++i) {
    const auto& buffer = column.buffers[i];
    const bool is_absent = i == 0 && column.null_count == 0;  // the first buffer is the validity bitmap
    owner->buffers.push_back(is_absent ? nullptr : buffer.empty() ? kNoBytes : buffer.data());
  }
  out.length = column.length;
  out.null_count = column.null_count;
  out.n_buffers = static_cast<std::int64_t>(owner->buffers.size());
  out.buffers = owner->buffers.data();
  owner->children.resize(column.children.size());
  owner->child_pointers.reserve(column.children.size());
  ArrayOwner& parts = *owner;
  point_to_children(out, parts);
  give(out, std::move(owner));
  for (std::size_t i = 0; i < column.children.size(); ++i) {
    give_array(root, column.children[i], parts.children[i]);
  }
  if (!column.dictionary.empty()) {
    give_array(root, column.dictionary.front(), parts.dictionary);
    out.dictionary = &parts.dictionary;
  }
}

struct StreamOwner {
  std::shared_ptr<const Column> table;
  bool is_at_end = false;
};

StreamOwner& owner_of(ArrowArrayStream* stream) { return *static_cast<StreamOwner*>(stream->private_data); }

/// Runs `give`, which fills `out`. Returns 0, or an error number if memory runs out.
template <typename Struct, typename Give>
int guarded(Struct* out, const Give& give) noexcept {
  try {
    *out = {};
    give();
    return 0;
  } catch (...) {
    if (out->release != nullptr) {
      out->release(out);
    }
    return ENOMEM;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(out, [&] { give_schema(*owner_of(stream).table, *out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(out, [&] {
    StreamOwner& owner = owner_of(stream);
    if (!owner.is_at_end) {
      give_array(owner.table, *owner.table, *out);
      owner.is_at_end = true;
    }
  });
}

const char* get_last_error(ArrowArrayStream* /*stream*/) { return "out of memory"; }

void release_stream(ArrowArrayStream* stream) {
  delete &owner_of(stream);
  stream->release = nullptr;
}

/// The schema and the array of molgauge_array_stream(). Another library has made them.
struct PairOwner {
  PairOwner(ArrowSchema* from_schema, ArrowArray* from_array)
      : schema(std::exchange(*from_schema, {})), array(std::exchange(*from_array, {})) {}
  PairOwner(const PairOwner&) = delete;
  PairOwner& operator=(const PairOwner&) = delete;
  ~PairOwner() {
    if (schema.release != nullptr) {
      schema.release(&schema);
    }
    if (array.release != nullptr) {
      array.release(&array);
    }
  }

  ArrowSchema schema;
  ArrowArray array;
};

PairOwner& pair_of(ArrowArrayStream* stream) { return *static_cast<PairOwner*>(stream->private_data); }

/// Moves the schema out of the stream. This works only once, which is enough for read_stream().
int take_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  *out = std::exchange(pair_of(stream).schema, {});
  return out->release == nullptr ? EINVAL : 0;
}

int take_array(ArrowArrayStream* stream, ArrowArray* out) {
  *out = std::exchange(pair_of(stream).array, {});
  return 0;
}

const char* error_of_pair(ArrowArrayStream* /*stream*/) { return "the schema was taken already"; }

void release_pair(ArrowArrayStream* stream) {
  delete &pair_of(stream);
  stream->release = nullptr;
}

void give_table(std::shared_ptr<const Column> table, ArrowArrayStream* out) {
  auto owner = std::make_unique<StreamOwner>();
  owner->table = std::move(table);
  *out = {&get_schema, &get_next, &get_last_error, &release_stream, owner.release()};
}

}  // namespace

void give_stream(Column table, ArrowArrayStream* out) {
  give_table(std::make_shared<const Column>(std::move(table)), out);
}

void give_again(const ArrowArrayStream& stream, ArrowArrayStream* out) {
  if (stream.release != &release_stream) {
    throw UsageError("the stream is not a result of this library, or it was released. Pass a result");
  }
  give_table(static_cast<const StreamOwner*>(stream.private_data)->table, out);
}

void give_array_stream(ArrowSchema* schema, ArrowArray* array, ArrowArrayStream* out) {
  auto owner = std::make_unique<PairOwner>(schema, array);
  *out = {&take_schema, &take_array, &error_of_pair, &release_pair, owner.release()};
}

}  // namespace molgauge::arrow
