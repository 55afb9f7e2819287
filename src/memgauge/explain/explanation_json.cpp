#include <cstddef>

#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "memgauge/explain/causes.h"
#include "memgauge/explain/explanation_text.h"
#include "memgauge/explain/roles.h"

namespace molgauge::allocator {
namespace {

using Json = nlohmann::ordered_json;

/// The version is raised if a field changes its meaning or is removed, but not for new fields
/// (docs/reference/formats.md).
constexpr int kFormatVersion = 1;

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
          {"origin", at.origin},
          {"requested_bytes", at.requested_bytes},
          {"allocated_bytes", at.allocated_bytes},
          {"reserved_bytes", at.reserved_bytes},
          {"device_free_bytes", at.device_free_bytes},
          {"stranded_bytes", at.stranded_bytes},
          {"largest_free_block_bytes", at.largest_free_block_bytes},
          {"pending_bytes", at.pending_bytes}};
}

const char* verdict(MemoryVerdict verdict) {
  switch (verdict) {
    case MemoryVerdict::fragmented:
      return "fragmented";
    case MemoryVerdict::too_much:
      return "too_much";
    case MemoryVerdict::wasteful:
      return "wasteful";
    case MemoryVerdict::no_history:
      return "no_history";
    case MemoryVerdict::sound:
      break;
  }
  return "sound";
}

template <typename Items, typename Make>
Json list_of(const Items& items, Make make) {
  Json list = Json::array();
  for (const auto& item : items) {
    list.push_back(make(item));
  }
  return list;
}

Json device(const MemoryOfDevice& of) {
  return {{"source", of.source},
          {"device", of.device},
          {"events", of.events},
          {"out_of_memory", of.out_of_memory},
          {"reserved_bytes", of.reserved_bytes},
          {"in_use_bytes", of.in_use_bytes},
          {"peak_reserved_bytes", of.peak_reserved_bytes},
          {"is_explained", of.is_explained}};
}

Json holder(const MemoryHolder& held) {
  return {{"origin", held.origin},
          {"bytes", held.bytes},
          {"blocks", held.blocks},
          {"operation", held.operation},
          {"frames", held.frames},
          {"role", name_of(held.role)},
          {"role_certainty", name_of(held.certainty)},
          {"pending", held.pending},
          {"pool", held.pool}};
}

Json pool(const MemoryOfPool& of) {
  return {{"name", of.name},
          {"segments", of.segments},
          {"reserved_bytes", of.reserved_bytes},
          {"in_use_bytes", of.in_use_bytes},
          {"pending_bytes", of.pending_bytes}};
}

Json baseline(const MemoryBaseline& found) {
  return {{"reproduces", found.reproduces},
          {"reason", found.reason},
          {"peak_reserved_bytes", found.peak_reserved_bytes},
          {"recorded_peak_reserved_bytes", found.recorded_peak_reserved_bytes},
          {"compared_events", found.compared_events},
          {"different_events", found.different_events}};
}

Json margin(const MemoryMargin& found) {
  return {{"figure", found.figure},
          {"value", found.value},
          {"threshold", found.threshold},
          {"is_above", found.is_above}};
}

Json imbalance(const MemoryImbalance& found) {
  return {{"most", found.most}, {"least", found.least}, {"ratio", found.ratio}};
}

Json extrapolation(const MemoryExtrapolation& found) {
  return {{"from", found.from},
          {"ratio", found.ratio},
          {"needed_bytes", found.needed_bytes},
          {"share", found.share}};
}

Json leak(const MemoryLeak& found) {
  return {{"origin", found.origin},
          {"frames", found.frames},
          {"iterations", found.iterations},
          {"bytes_per_iteration", found.bytes_per_iteration},
          {"bytes", found.bytes}};
}

Json saving(const MemorySaving& found) {
  return {{"role", name_of(found.role)},
          {"change", found.change},
          {"price", found.price},
          {"held_bytes", found.held_bytes},
          {"saved_bytes", found.saved_bytes},
          {"is_simulated", found.is_simulated},
          {"limit", found.limit},
          {"fits", found.fits ? Json(*found.fits) : Json(nullptr)}};
}

Json growth(const MemoryGrowth& found) {
  return {{"origin", found.origin},
          {"frames", found.frames},
          {"before_bytes", found.before_bytes},
          {"after_bytes", found.after_bytes}};
}

Json cure(const MemoryCure& tried) {
  return {{"change", tried.change},
          {"settings", tried.settings},
          {"remark", tried.remark},
          {"is_setting", tried.is_setting},
          {"is_cure", tried.is_cure},
          {"doubt", tried.doubt},
          {"tried_to_the_end", tried.tried_to_the_end},
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
  Json json = {{"format_version", kFormatVersion},
               {"kind", "explanation"},
               {"source", explanation.source},
               {"format", explanation.format},
               {"device", explanation.device},
               {"settings", explanation.settings},
               {"on_cpu", explanation.on_cpu},
               {"events", explanation.events},
               {"allocations", explanation.allocations},
               {"residents", explanation.residents},
               {"reserved_before_bytes", explanation.reserved_before_bytes},
               {"capacity_bytes", capacity(explanation.capacity_bytes)},
               {"capacity_is_inferred", explanation.capacity_is_inferred},
               {"allowed_bytes", capacity(explanation.allowed_bytes)},
               {"allowed_is_inferred", explanation.allowed_is_inferred},
               {"baseline", explanation.baseline ? baseline(*explanation.baseline) : Json(nullptr)},
               {"notes", explanation.notes},
               {"devices", list_of(explanation.devices, device)},
               {"verdict", verdict(explanation.verdict)},
               {"verdict_text", verdict_sentence(explanation)},
               {"cause", name_of(explanation.cause)},
               {"cause_text", explanation.cause_text},
               {"cure_text", cure_sentence(explanation)},
               {"margins", list_of(explanation.margins, margin)},
               {"moment", moment(explanation.moment)},
               {"moment_is_recorded", explanation.moment_is_recorded},
               {"ends_with_failure", explanation.ends_with_failure},
               {"requested_live_bytes", explanation.requested_live_bytes},
               {"peak_reserved_bytes", explanation.peak_reserved_bytes},
               {"peak_in_use_bytes", explanation.peak_in_use_bytes},
               {"recorded_peak_reserved_bytes", capacity(explanation.recorded_peak_reserved_bytes)},
               {"retries", explanation.retries},
               {"empty_cache_calls", explanation.empty_cache_calls},
               {"holders", list_of(explanation.holders, holder)},
               {"pools", list_of(explanation.pools, pool)},
               {"cures", list_of(explanation.cures, cure)},
               {"imbalance", explanation.imbalance ? imbalance(*explanation.imbalance) : Json(nullptr)},
               {"extrapolation",
                explanation.extrapolation ? extrapolation(*explanation.extrapolation) : Json(nullptr)},
               {"kept_from_before_bytes", explanation.kept_from_before_bytes},
               {"leaks", list_of(explanation.leaks, leak)},
               {"savings", list_of(explanation.savings, saving)}};
  json["stretches"] = Json::array();
  for (const auto& stretch : explanation.stretches) {
    Json entry = {{"name", stretch.name}};
    entry.update(point(stretch.point));
    json["stretches"].push_back(std::move(entry));
  }
  json["timeline"] = points(explanation.timeline);
  return json_text(json);
}

std::string difference_json(const MemoryDifference& difference) {
  return json_text(Json{{"format_version", kFormatVersion},
                        {"kind", "difference"},
                        {"before", difference.before},
                        {"after", difference.after},
                        {"before_peak_bytes", difference.before_peak_bytes},
                        {"after_peak_bytes", difference.after_peak_bytes},
                        {"before_end_bytes", difference.before_end_bytes},
                        {"after_end_bytes", difference.after_end_bytes},
                        {"before_reserved_bytes", difference.before_reserved_bytes},
                        {"after_reserved_bytes", difference.after_reserved_bytes},
                        {"at_peak", list_of(difference.at_peak, growth)},
                        {"at_end", list_of(difference.at_end, growth)},
                        {"by_phase", list_of(difference.by_phase, growth)}});
}

std::string simulation_json(const SimulateMemoryReport& report) {
  Json json = {{"format_version", kFormatVersion},
               {"kind", "simulation"},
               {"source", report.source},
               {"format", report.format},
               {"device", report.device},
               {"events", report.events},
               {"allocations", report.allocations},
               {"begins_in_the_middle", report.begins_in_the_middle},
               {"capacity_bytes", capacity(report.capacity_bytes)},
               {"notes", report.notes}};
  json["agreement"] = report.agreement ? agreement(*report.agreement) : Json(nullptr);
  json["runs"] = Json::array();
  for (const auto& simulated : report.runs) {
    json["runs"].push_back(run(simulated));
  }
  return json_text(json);
}

}  // namespace molgauge::allocator
