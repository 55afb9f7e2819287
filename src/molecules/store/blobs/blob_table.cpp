#include "molecules/store/blobs/blob_table.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "molecules/store/lmdb/cursor.h"
#include "molecules/store/tables/footprint.h"
#include "molecules/store/tables/stored_value.h"
#include "molecules/store/tables/table_name.h"
#include "molecules/store/tables/table_upkeep.h"
#include "molecules/store/tables/value_lookup.h"

namespace molgauge::store {

std::string database_name(const BlobSpace& space) {
  if (!can_name_table(space.kind)) {
    throw UsageError("\"" + space.kind +
                     "\" cannot name a kind of values: use up to 64 letters, digits, '.', '_', '-'");
  }
  return table_name(space.kind, "blobs\n" + space.kind + '\n' + space.options);
}

std::string to_json(const BlobSpace& space) {
  return json_line(nlohmann::json{{"kind", space.kind}, {"options", space.options}});
}

BlobSpace blob_space_from_json(std::string_view text) {
  try {
    const auto json = parse_json(text);
    return {json.at("kind").get<std::string>(), json.at("options").get<std::string>()};
  } catch (const nlohmann::json::exception& failure) {
    throw InputError("description of a blob space: " + json_problem(failure));
  }
}

BlobTable::BlobTable(std::shared_ptr<Environment> environment, std::string name, BlobSpace space,
                     unsigned database)
    : environment_(std::move(environment)),
      name_(std::move(name)),
      space_(std::move(space)),
      database_(database) {}

std::size_t BlobTable::size() const { return size_of_table(*environment_, database_).rows; }

template <typename Use>
void BlobTable::look_up(std::span<const Hash128> keys, const Use& use) const {
  environment_->read([&](MDB_txn* transaction) {
    Footprint footprint(*environment_);
    for (const FoundValue& found : find_values(*environment_, transaction, database_, keys)) {
      footprint.touch(found.value);
      if (const auto content = whole_content(keys[found.index], ContentType::bytes, found.value)) {
        use(found.index, *content);
      }
    }
  });
}

std::vector<std::optional<Blob>> BlobTable::read(std::span<const Hash128> keys) const {
  std::vector<std::optional<Blob>> blobs(keys.size());
  look_up(keys, [&](std::size_t index, std::span<const std::byte> content) {
    blobs[index].emplace(content.begin(), content.end());
  });
  return blobs;
}

std::vector<std::optional<std::size_t>> BlobTable::sizes(std::span<const Hash128> keys) const {
  std::vector<std::optional<std::size_t>> sizes(keys.size());
  look_up(keys,
          [&](std::size_t index, std::span<const std::byte> content) { sizes[index] = content.size(); });
  return sizes;
}

void BlobTable::write(std::span<const Hash128> keys, std::span<const Blob> blobs) const {
  const std::array<Values, 1> own{{{*this, keys, blobs}}};
  write_together(own);
}

void BlobTable::write_together(std::span<const Values> all) {
  Environment* environment = nullptr;
  for (const Values& values : all) {
    if (values.keys.size() != values.blobs.size()) {
      throw std::invalid_argument(
          fmt::format("BlobTable: {} keys with {} values", values.keys.size(), values.blobs.size()));
    }
    if (environment != nullptr && environment != values.table.environment_.get()) {
      throw std::invalid_argument("BlobTable: tables of different stores");
    }
    environment = values.table.environment_.get();
    for (const Blob& blob : values.blobs) {
      if (blob.size() > kLargestBlob) {
        throw InputError(
            fmt::format("{}: a value of {} bytes does not fit the store. The maximum is {} bytes",
                        environment->folder().string(), blob.size(), kLargestBlob));
      }
    }
  }
  if (std::ranges::all_of(all, [](const Values& values) { return values.keys.empty(); })) {
    return;
  }
  std::vector<std::byte> packed;
  environment->write([&](MDB_txn* transaction) {
    for (const Values& values : all) {
      for (std::size_t i = 0; i < values.keys.size(); ++i) {
        pack_value(values.keys[i], ContentType::bytes, values.blobs[i], packed);
        put_value(*environment, transaction, values.table.database_, to_value(values.keys[i]),
                  to_value(packed));
      }
    }
  });
}

void BlobTable::for_each(const Visit& visit) const {
  environment_->read([&](MDB_txn* transaction) {
    Footprint footprint(*environment_);
    for_each_pair(*environment_, transaction, database_,
                  [&](MDB_cursor*, const MDB_val& key_value, const MDB_val& value) {
                    footprint.touch(value);
                    Hash128 key;
                    if (!to_key(key_value, key)) {
                      return;
                    }
                    if (const auto content = whole_content(key, ContentType::bytes, to_bytes(value))) {
                      visit(key, *content);
                    }
                  });
  });
}

}  // namespace molgauge::store
