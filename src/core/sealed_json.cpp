#include "core/sealed_json.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/hexadecimal.h"

namespace headroom {

std::string checksum_of_fields(const nlohmann::json& object) {
  nlohmann::json fields = object;
  fields.erase("checksum");
  return to_hexadecimal(hash128(fields.dump()));
}

Seal check_seal(const nlohmann::json& object) {
  const auto found = object.find("checksum");
  if (found == object.end()) {
    return Seal::absent;
  }
  if (!found->is_string() || found->get<std::string>() != checksum_of_fields(object)) {
    throw InputError("is damaged: its content has changed since it was written (its checksum is another)");
  }
  return Seal::intact;
}

}  // namespace headroom
