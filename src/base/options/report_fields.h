#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "molgauge/types.h"

namespace nlohmann {

/// Returns null if there is no value.
template <typename Value>
struct adl_serializer<std::optional<Value>> {
  static void to_json(json& object, const std::optional<Value>& value) {
    object = value ? json(*value) : json(nullptr);
  }
};

}  // namespace nlohmann

/// Lists the fields of a report that become keys of its JSON, in the order of the struct. The file that
/// registers a verb uses it in the namespace of the report, before verb<Request>().
#define MOLGAUGE_REPORT_FIELDS(Type, ...)                                         \
  inline void to_json(nlohmann::json& object, const Type& report) {               \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(MOLGAUGE_REPORT_FIELD, __VA_ARGS__)) \
  }
#define MOLGAUGE_REPORT_FIELD(field) object[#field] = report.field;

namespace molgauge {

// Parts of many reports.
MOLGAUGE_REPORT_FIELDS(FailedMolecule, row, line, file, text, reason)
MOLGAUGE_REPORT_FIELDS(PhaseReport, phase, seconds, peak_host_memory_bytes, peak_tensor_memory_bytes,
                       refused_tensors, peak_device_memory_bytes, peak_device_reserved_bytes,
                       peak_device_active_bytes, device_retries, device_refusals, device_free_bytes,
                       planned_memory_bytes)

}  // namespace molgauge
