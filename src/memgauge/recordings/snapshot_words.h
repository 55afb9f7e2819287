#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace molgauge::allocator {

/// The words in snapshots of PyTorch. Texts are numbered in order of appearance, and these words have the
/// first numbers. Each comment describes the group of words that ends in its line.
enum class Word : std::uint32_t {
  action,
  addr,
  device_free,
  size,
  stream,
  time_us,
  frames,  // keys of an event
  alloc,
  free_requested,
  free_completed,
  segment_alloc,
  segment_free,
  segment_map,
  segment_unmap,  // actions of an event
  oom,
  snapshot,
  filename,
  line,
  name,  // keys of a frame
  device,
  address,
  total_size,
  segment_type,
  is_expandable,
  blocks,
  small,  // keys of a segment
  state,
  requested_size,
  active_allocated,
  active_pending_free,
  active_awaiting_free,
  inactive,  // keys of a block
  segments,
  device_traces,
  allocator_settings,
  allocator_configuration,
  external_annotations,  // keys of the whole snapshot
  user_metadata,
  history,
  real_size,
  segment_pool_id,
  expandable_segments,
  stage,
  stage_start,
  stage_end,  // keys of an annotation
  accelerator_configuration,
  max_split_size,
  garbage_collection_threshold,
  roundup_power2_divisions,  // keys of the effective settings
  host_segments,
  fx_node_name,
  fx_original_trace,  // keys of a frame of compiled code
  count
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Word::count)> kWords = {
    "action",
    "addr",
    "device_free",
    "size",
    "stream",
    "time_us",
    "frames",
    "alloc",
    "free_requested",
    "free_completed",
    "segment_alloc",
    "segment_free",
    "segment_map",
    "segment_unmap",
    "oom",
    "snapshot",
    "filename",
    "line",
    "name",
    "device",
    "address",
    "total_size",
    "segment_type",
    "is_expandable",
    "blocks",
    "small",
    "state",
    "requested_size",
    "active_allocated",
    "active_pending_free",
    "active_awaiting_free",
    "inactive",
    "segments",
    "device_traces",
    "allocator_settings",
    "PYTORCH_CUDA_ALLOC_CONF",
    "external_annotations",
    "user_metadata",
    "history",
    "real_size",
    "segment_pool_id",
    "expandable_segments",
    "stage",
    "START",
    "END",
    "PYTORCH_ALLOC_CONF",
    "max_split_size",
    "garbage_collection_threshold",
    "roundup_power2_divisions",
    "host_segments",
    "fx_node_name",
    "fx_original_trace"};

}  // namespace molgauge::allocator
