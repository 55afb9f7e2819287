#include "ops/precision.h"

#include <stdexcept>

namespace headroom::ops {

const char* to_string(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::bf16:
      return "bf16";
    case Precision::int8:
      return "int8";
  }
  throw std::logic_error("not a precision");
}

}  // namespace headroom::ops
