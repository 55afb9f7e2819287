#include <nlohmann/json.hpp>

#include "allocator/explain/explanation_text.h"
#include "core/json_text.h"

namespace headroom::allocator {
namespace {

using Json = nlohmann::ordered_json;

Json capacity(const std::optional<std::uint64_t>& bytes) { return bytes ? Json(*bytes) : Json(nullptr); }

Json point(const MemoryTimelinePoint& at) {
  return {{"event", at.event},
          {"reserved_bytes", at.reserved_bytes},
          {"allocated_bytes", at.allocated_bytes},
          {"cached_bytes", at.cached_bytes},
          {"stranded_bytes", at.stranded_bytes},
          {"largest_free_block_bytes", at.largest_free_block_bytes}};
}

Json points(const std::vector<MemoryTimelinePoint>& timeline) {
  Json list = Json::array();
  for (const auto& at : timeline) {
    list.push_back(point(at));
  }
  return list;
}

Json moment(const MemoryRunOut& at) {
  return {{"event", at.event},
          {"phase", at.phase},
          {"requested_bytes", at.requested_bytes},
          {"allocated_bytes", at.allocated_bytes},
          {"reserved_bytes", at.reserved_bytes},
          {"device_free_bytes", at.device_free_bytes},
          {"stranded_bytes", at.stranded_bytes},
          {"largest_free_block_bytes", at.largest_free_block_bytes}};
}

const char* verdict(MemoryVerdict verdict) {
  switch (verdict) {
    case MemoryVerdict::fragmented:
      return "fragmented";
    case MemoryVerdict::too_much:
      return "too_much";
    case MemoryVerdict::wasteful:
      return "wasteful";
    case MemoryVerdict::sound:
      break;
  }
  return "sound";
}

Json cure(const MemoryCure& tried) {
  return {{"change", tried.change},
          {"is_setting", tried.is_setting},
          {"is_cure", tried.is_cure},
          {"peak_reserved_bytes", tried.peak_reserved_bytes},
          {"retries", tried.retries},
          {"run_out_event", tried.run_out_event ? Json(*tried.run_out_event) : Json(nullptr)}};
}

Json run(const SimulatedMemory& simulated) {
  return {{"settings", simulated.settings},
          {"fits", simulated.fits},
          {"run_out", simulated.run_out ? moment(*simulated.run_out) : Json(nullptr)},
          {"peak_reserved_bytes", simulated.peak_reserved_bytes},
          {"peak_allocated_bytes", simulated.peak_allocated_bytes},
          {"peak_active_bytes", simulated.peak_active_bytes},
          {"retries", simulated.retries},
          {"device_allocations", simulated.device_allocations},
          {"settings_without_effect", simulated.settings_without_effect},
          {"timeline", points(simulated.timeline)}};
}

Json agreement(const SimulationAgreement& compared) {
  return {{"compared_events", compared.compared_events},
          {"different_events", compared.different_events},
          {"first_different_event",
           compared.first_different_event ? Json(*compared.first_different_event) : Json(nullptr)},
          {"simulated_peak_bytes", compared.simulated_peak_bytes},
          {"recorded_peak_bytes", compared.recorded_peak_bytes},
          {"same_blocks_at_end", compared.same_blocks_at_end}};
}

}  // namespace

std::string explanation_json(const MemoryExplanation& explanation) {
  Json json = {{"source", explanation.source},
               {"format", explanation.format},
               {"settings", explanation.settings},
               {"on_cpu", explanation.on_cpu},
               {"events", explanation.events},
               {"allocations", explanation.allocations},
               {"capacity_bytes", capacity(explanation.capacity_bytes)},
               {"allowed_bytes", capacity(explanation.allowed_bytes)},
               {"notes", explanation.notes},
               {"verdict", verdict(explanation.verdict)},
               {"moment", moment(explanation.moment)},
               {"requested_live_bytes", explanation.requested_live_bytes},
               {"peak_reserved_bytes", explanation.peak_reserved_bytes},
               {"recorded_peak_reserved_bytes", capacity(explanation.recorded_peak_reserved_bytes)}};
  json["holders"] = Json::array();
  for (const auto& holder : explanation.holders) {
    json["holders"].push_back(
        {{"origin", holder.origin}, {"bytes", holder.bytes}, {"blocks", holder.blocks}});
  }
  json["cures"] = Json::array();
  for (const auto& tried : explanation.cures) {
    json["cures"].push_back(cure(tried));
  }
  json["stretches"] = Json::array();
  for (const auto& stretch : explanation.stretches) {
    Json entry = {{"name", stretch.name}};
    entry.update(point(stretch.point));
    json["stretches"].push_back(std::move(entry));
  }
  json["timeline"] = points(explanation.timeline);
  return json_text(json);
}

std::string simulation_json(const SimulateMemoryReport& report) {
  Json json = {{"source", report.source},
               {"format", report.format},
               {"events", report.events},
               {"allocations", report.allocations},
               {"capacity_bytes", capacity(report.capacity_bytes)},
               {"notes", report.notes}};
  json["agreement"] = report.agreement ? agreement(*report.agreement) : Json(nullptr);
  json["runs"] = Json::array();
  for (const auto& simulated : report.runs) {
    json["runs"].push_back(run(simulated));
  }
  return json_text(json);
}

}  // namespace headroom::allocator
