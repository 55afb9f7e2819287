#include "models/encoders/minimol/network_definition.h"

namespace headroom::encoders::minimol {

template class Network<ops::Operators>;

}  // namespace headroom::encoders::minimol
