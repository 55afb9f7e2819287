#pragma once

#include <cstddef>
#include <span>

namespace headroom {

/// For memory that will be written from end to end: asks the kernel for pages of 2 MiB where it has not been
/// touched yet. A fresh page of 4 KiB costs more time than writing it does. Adds nothing to the resident
/// memory: the pages lie within the span. It is a hint, without effect where the kernel has no such pages.
void prefer_large_pages(std::span<std::byte> memory);

}  // namespace headroom
