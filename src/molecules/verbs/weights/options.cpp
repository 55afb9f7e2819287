// Options of `molgauge weights`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

/// Declares that the verb writes the weights, because it installs them.
constexpr Option installed(Option weights) {
  weights.files.does = FileUse::Does::writes;
  return weights;
}

using L = WeightsRequest;

constexpr std::array kList = {weights_row<L>()};

using I = InstallWeightsRequest;

constexpr std::array kInstall = {
    Option{.name = "ENCODER",
           .field = field<I, &I::encoder>,
           .help = "Encoder such as minimol (molgauge doctor lists all), or admet-ai for molgauge predict",
           .is_required = true},
    Option{.name = "from",
           .field = field<I, &I::from>,
           .group = Group::input,
           .help = "Source: a wheel, .pth, .pt, .safetensors or folder [the published wheel from PyPI, if "
                   "there is one]",
           .is_common = true,
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "variant",
           .field = field<I, &I::variant>,
           .group = Group::model,
           .help = "For unimol: no_h (weights for heavy atoms) or all_h (for all atoms) [from the file name]",
           .is_common = true},
    installed(weights_row<I>())};

using R = InitWeightsRequest;

constexpr NumericRange kSize = whole(1, 65'536);

template <auto size>
constexpr Option size_row(std::string_view name, std::string_view help) {
  return {.name = name,
          .field = field<R, size>,
          .group = Group::model,
          .help = help,
          .is_common = true,
          .range = kSize};
}

constexpr std::array kInit = {
    Option{.name = "ENCODER", .field = field<R, &R::encoder>, .help = "Encoder: unimol", .is_required = true},
    Option{.name = "seed",
           .field = field<R, &R::seed>,
           .group = Group::model,
           .help = "Seed of the random numbers",
           .is_common = true,
           .is_required = true,
           .range = kSeed},
    Option{.name = "variant",
           .field = field<R, &R::variant>,
           .group = Group::model,
           .help = "Input atoms: no_h (without hydrogens) or all_h (all)",
           .is_common = true},
    size_row<&R::layers>("layers", "Number of layers [15]"),
    size_row<&R::width>("width", "Embedding width [512]"),
    size_row<&R::hidden>("hidden", "Width of the feed-forward layer [2048]"),
    size_row<&R::heads>("heads", "Number of attention heads [64]"),
    size_row<&R::kernels>("kernels", "Number of Gaussian distance kernels [128]"),
    installed(weights_row<R>())};

}  // namespace

template <>
std::span<const Option> table<WeightsRequest>() {
  return kList;
}

template <>
std::span<const Option> table<InstallWeightsRequest>() {
  return kInstall;
}

template <>
std::span<const Option> table<InitWeightsRequest>() {
  return kInit;
}

}  // namespace molgauge::options
