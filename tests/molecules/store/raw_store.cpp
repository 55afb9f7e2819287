#include "raw_store.h"

#include <fstream>
#include <stdexcept>

#include <lmdb.h>

#include "base/core/files/atomic_file.h"

namespace molgauge::store::test {
namespace {

void require(int code) {
  if (code != MDB_SUCCESS) {
    throw std::runtime_error(mdb_strerror(code));
  }
}

}  // namespace

void put_raw(const std::filesystem::path& folder, const std::string& database, const std::string& key,
             const std::string& value) {
  constexpr unsigned kDatabases = 16;
  MDB_env* environment = nullptr;
  MDB_txn* transaction = nullptr;
  MDB_dbi handle = 0;
  require(mdb_env_create(&environment));
  require(mdb_env_set_maxdbs(environment, kDatabases));
  require(mdb_env_open(environment, folder.c_str(), 0, 0644));
  require(mdb_txn_begin(environment, nullptr, 0, &transaction));
  const char* const name = database.empty() ? nullptr : database.c_str();
  require(mdb_dbi_open(transaction, name, MDB_CREATE, &handle));
  MDB_val raw_key{key.size(), const_cast<char*>(key.data())};
  MDB_val raw_value{value.size(), const_cast<char*>(value.data())};
  require(mdb_put(transaction, handle, &raw_key, &raw_value, 0));
  require(mdb_txn_commit(transaction));
  mdb_env_close(environment);
}

bool flip_bit_in(const std::filesystem::path& folder, const std::string& bytes) {
  const auto file = folder / "data.mdb";
  const std::size_t place = read_file(file).find(bytes);
  if (place == std::string::npos) {
    return false;
  }
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(place));
  stream.put(static_cast<char>(bytes.front() ^ 0x10));
  return static_cast<bool>(stream.flush());
}

}  // namespace molgauge::store::test
