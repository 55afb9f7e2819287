#include "molecules/encoders/minimol/network_definition.h"

namespace molgauge::encoders::minimol {

template class Network<ops::Operators>;

}  // namespace molgauge::encoders::minimol
