#include "base/numerics/torch/message_kernels.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "base/numerics/ops/equivariant/message_paths.h"
#include "base/numerics/torch/cuda/message_steps.h"
#include "base/numerics/torch/perceptron_kernels.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/numerics/torch/uploads.h"

namespace molgauge::torch {
namespace {

/// The usual numbers of products and of radial numbers of an edge.
constexpr std::int64_t kUsualProducts = 592, kUsualHidden = 64;

/// The terms of several sums (cuda::FormTerm), as tensors on a device.
struct Form {
  at::Tensor first, terms;  ///< int32 index of the first term of each sum, and the terms as bytes

  const std::int32_t* begin() const { return read_numbers<std::int32_t>(first); }
  const cuda::FormTerm* all() const {
    return reinterpret_cast<const cuda::FormTerm*>(read_numbers<std::uint8_t>(terms));
  }
  std::int64_t outs() const { return first.size(0) - 1; }
};

struct Triple {
  std::int32_t product, x, y;  ///< indices of a product, of a number in a row, and of a harmonic
  float value;
};

/// Sorts the terms by the index `out`, one of the three indices. The other two indices, `a` and `b`, become
/// the factors of the terms. The result is on the CPU.
Form form_of(const std::vector<Triple>& triples, std::int64_t outs, std::int32_t Triple::*out,
             std::int32_t Triple::*a, std::int32_t Triple::*b) {
  std::vector<std::int32_t> first(static_cast<std::size_t>(outs) + 1, 0);
  for (const Triple& triple : triples) {
    ++first[static_cast<std::size_t>(triple.*out) + 1];
  }
  for (std::size_t i = 1; i < first.size(); ++i) {
    first[i] += first[i - 1];
  }
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  std::vector<cuda::FormTerm> terms(triples.size());
  for (const Triple& triple : triples) {
    terms[static_cast<std::size_t>(next[static_cast<std::size_t>(triple.*out)]++)] = {triple.*a, triple.*b,
                                                                                      triple.value};
  }
  const auto bytes = static_cast<std::int64_t>(terms.size() * sizeof(cuda::FormTerm));
  Form made{at::empty({outs + 1}, at::kInt), at::empty({bytes}, at::kByte)};
  std::copy(first.begin(), first.end(), write_numbers<std::int32_t>(made.first));
  std::memcpy(write_numbers<std::uint8_t>(made.terms), terms.data(), static_cast<std::size_t>(bytes));
  return made;
}

/// The paths to one output block, in a form for matrix products. The sums of a node are [out components,
/// channels (hidden + 1)], with the channels of the paths in their order. The weights are [channels
/// (hidden + 1), out channels].
struct PathGroup {
  std::int64_t channels = 0, out_components, out_channels;
  std::int64_t out_offset;         ///< first column of the output block
  std::int64_t first_product = 0;  ///< among the products of an edge
  std::int64_t first_weight = 0;   ///< place in the arranged weights

  std::int64_t products() const { return channels * out_components; }
};

at::Tensor int_tensor(const std::vector<std::int32_t>& numbers) { return at::tensor(numbers, at::kInt); }

/// The arrays on a device that depend only on the tensor product. They are cached, because each array must be
/// copied to the device.
class ProductForms {
 public:
  ProductForms(ops::TensorProduct product, std::int64_t hidden, c10::Device device)
      : product_(std::move(product)), hidden_(hidden), device_(device) {
    const std::vector<ops::Path> paths =
        ops::describe_paths(product_, hidden, [](const ops::ProductPath&) { return true; });
    const auto& blocks = product_.out().blocks();
    const auto width = static_cast<std::size_t>(product_.out().width()),
               weight_rows = static_cast<std::size_t>(product_.weights());
    std::vector<Triple> triples;
    std::vector<std::int32_t> group_firsts, group_counts, weight_begins(weight_rows),
        weight_steps(weight_rows), begins(width), components(width), channels(width);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      PathGroup group{.out_components = blocks[block].components(),
                      .out_channels = blocks[block].multiplicity,
                      .out_offset = product_.out().offset(block),
                      .first_product = products_,
                      .first_weight = weights_};
      for (const ops::Path& path : paths) {
        group.channels += path.of->out == block ? path.of->in_channels : 0;
      }
      if (group.channels == 0) {
        continue;
      }
      std::int64_t channel = 0;  // first channel of the path in the group
      for (const ops::Path& path : paths) {
        if (path.of->out != block) {
          continue;
        }
        for (std::int64_t u = 0; u < path.of->in_channels; ++u, ++channel) {
          for (const ops::ScaledCoupling& coupling : path.couplings) {
            triples.push_back(
                {static_cast<std::int32_t>(products_ + coupling.third * group.channels + channel),
                 static_cast<std::int32_t>(path.in_offset + u * path.in_components + coupling.first),
                 static_cast<std::int32_t>(path.harmonic_offset + coupling.second), coupling.value});
          }
          for (std::int64_t w = 0; w < group.out_channels; ++w) {
            const auto row = static_cast<std::size_t>(path.of->first_weight + u * group.out_channels + w);
            weight_begins[row] =
                static_cast<std::int32_t>(weights_ + channel * (hidden + 1) * group.out_channels + w);
            weight_steps[row] = static_cast<std::int32_t>(group.out_channels);
          }
        }
      }
      group_firsts.insert(group_firsts.end(), static_cast<std::size_t>(group.products()),
                          static_cast<std::int32_t>(products_));
      group_counts.insert(group_counts.end(), static_cast<std::size_t>(group.products()),
                          static_cast<std::int32_t>(group.products()));
      for (std::int64_t k = 0; k < blocks[block].width(); ++k) {
        const auto column = static_cast<std::size_t>(group.out_offset + k);
        begins[column] = static_cast<std::int32_t>(group.out_offset);
        components[column] = static_cast<std::int32_t>(group.out_components);
        channels[column] = static_cast<std::int32_t>(group.out_channels);
      }
      products_ += group.products();
      weights_ += group.channels * (hidden + 1) * group.out_channels;
      groups_.push_back(group);
    }
    to_products = form_of(triples, products_, &Triple::product, &Triple::x, &Triple::y);
    to_rows = form_of(triples, product_.in().width(), &Triple::x, &Triple::product, &Triple::y);
    to_harmonics = form_of(triples, product_.harmonics().width(), &Triple::y, &Triple::product, &Triple::x);
    group_first = int_tensor(group_firsts);
    group_count = int_tensor(group_counts);
    weight_begin = int_tensor(weight_begins);
    weight_step = int_tensor(weight_steps);
    out_begin = int_tensor(begins);
    out_components = int_tensor(components);
    out_channels = int_tensor(channels);
    move_together({&to_products.first, &to_products.terms, &to_rows.first, &to_rows.terms,
                   &to_harmonics.first, &to_harmonics.terms, &group_first, &group_count, &weight_begin,
                   &weight_step, &out_begin, &out_components, &out_channels},
                  device);
  }

  bool is_of(const ops::TensorProduct& product, std::int64_t hidden, c10::Device device) const {
    return hidden_ == hidden && device_ == device && product_.in() == product.in() &&
           product_.harmonics() == product.harmonics() && product_.out() == product.out();
  }
  const ops::TensorProduct& product() const { return product_; }
  const std::vector<PathGroup>& groups() const { return groups_; }
  /// The number of products of an edge, over all paths.
  std::int64_t products() const { return products_; }
  /// The number of arranged weights, including biases.
  std::int64_t weights() const { return weights_; }

  Form to_products, to_rows, to_harmonics;  ///< for products, and for gradients of rows and harmonics
  at::Tensor group_first, group_count;      ///< the arrays of SumLayout
  at::Tensor weight_begin, weight_step;     ///< the arrays of WeightLayout
  at::Tensor out_begin, out_components, out_channels;  ///< the arrays of OutputLayout

 private:
  const ops::TensorProduct product_;
  const std::int64_t hidden_;
  const c10::Device device_;
  std::vector<PathGroup> groups_;
  std::int64_t products_ = 0, weights_ = 0;
};

std::shared_ptr<const ProductForms> forms_of(const ops::TensorProduct& product, std::int64_t hidden,
                                             c10::Device device) {
  // A model needs only a few entries. If there are more than kMax, the oldest entries are removed.
  constexpr std::size_t kMax = 16;
  struct Kept {
    std::mutex mutex;
    std::vector<std::shared_ptr<const ProductForms>> forms;
  };
  static auto* const kept = new Kept();  // never destroyed, because CUDA may end before static objects are
                                         // destroyed
  const std::lock_guard lock(kept->mutex);
  for (const auto& forms : kept->forms) {
    if (forms->is_of(product, hidden, device)) {
      return forms;
    }
  }
  if (kept->forms.size() == kMax) {
    kept->forms.erase(kept->forms.begin());
  }
  return kept->forms.emplace_back(std::make_shared<ProductForms>(product, hidden, device));
}

class Messages {
 public:
  Messages(const ops::TensorProduct& product, const MessageTensors& tensors, const MessageTiles& tiles)
      : tensors_(tensors),
        tiles_(tiles),
        device_(tensors.rows.device()),
        hidden_(tensors.radial.size(1)),
        forms_(forms_of(product, hidden_, device_)),
        product_(forms_->product()),
        products_(forms_->products()),
        first_(tensors.edges.first_here.defined() ? tensors.edges.first_here
                                                  : tensors.edges.first.to(c10::kCPU)) {
    weights_ = at::empty({forms_->weights()}, tensors_.rows.options());
    run_kernel(cuda::ArrangedWeights{.layout = weight_layout(),
                                     .weight = read_numbers<float>(tensors_.weight),
                                     .bias = read_numbers<float>(tensors_.bias),
                                     .arranged = write_numbers<float>(weights_)},
               weight_numbers(), device_);
  }

  at::Tensor forward() {
    at::Tensor out = at::empty({nodes(), width()}, tensors_.rows.options());
    for_each_tile([&](std::int64_t first, std::int64_t last) {
      make_sums(first, last);
      const at::Tensor made = at::empty({(last - first) * width()}, out.options());
      for (const PathGroup& group : forms_->groups()) {
        at::Tensor own = outputs_of(group, made, last - first);
        at::mm_out(own, sums_of(group, last - first), weights_of(group, weights_));
      }
      run_kernel(cuda::OutputRows{.layout = output_layout(last - first),
                                  .made = read_numbers<float>(made),
                                  .rows = write_numbers<float>(out) + first * width()},
                 made.numel(), device_);
    });
    return out;
  }

  MessageGradients backward(const at::Tensor& gradient, bool wants_harmonics) {
    MessageGradients gradients{
        .rows = {},
        .harmonics = wants_harmonics ? at::empty_like(tensors_.harmonics) : at::Tensor(),
        .radial = at::empty_like(tensors_.radial),
        .weight = at::empty_like(tensors_.weight),
        .bias = at::empty_like(tensors_.bias)};
    const at::Tensor of_edges =
        at::empty({tensors_.edges.source.size(0), product_.in().width()}, tensors_.rows.options());
    at::Tensor of_weights = nodes() > 0 ? at::empty_like(weights_) : at::zeros_like(weights_);
    for_each_tile([&](std::int64_t first, std::int64_t last) {
      make_sums(first, last);
      const at::Tensor of_made = at::empty({(last - first) * width()}, gradient.options());
      run_kernel(cuda::OutputGradients{.layout = output_layout(last - first),
                                       .rows = read_numbers<float>(gradient) + first * width(),
                                       .made = write_numbers<float>(of_made)},
                 of_made.numel(), device_);
      for (const PathGroup& group : forms_->groups()) {
        const at::Tensor own = outputs_of(group, of_made, last - first);
        at::Tensor sums = sums_of(group, last - first), to = weights_of(group, of_weights);
        if (first == 0) {
          at::mm_out(to, sums.t(), own);
        } else {
          to.addmm_(sums.t(), own);
        }
        at::mm_out(sums, own, weights_of(group, weights_).t());
      }
      differentiate_edges(first, last, gradients, of_edges);
    });
    run_kernel(cuda::SeparatedWeights{.layout = weight_layout(),
                                      .arranged = read_numbers<float>(of_weights),
                                      .weight = write_numbers<float>(gradients.weight),
                                      .bias = write_numbers<float>(gradients.bias)},
               weight_numbers(), device_);
    gradients.rows = sum_by_source(of_edges);
    return gradients;
  }

 private:
  std::int64_t nodes() const { return tensors_.rows.size(0); }
  std::int64_t edge(std::int64_t node) const { return read_numbers<std::int64_t>(first_)[node]; }

  std::int64_t width() const { return product_.out().width(); }
  std::int64_t weight_numbers() const { return tensors_.weight.numel() + tensors_.bias.numel(); }

  cuda::WeightLayout weight_layout() const {
    return {.begin = read_numbers<std::int32_t>(forms_->weight_begin),
            .out_channels = read_numbers<std::int32_t>(forms_->weight_step),
            .hidden = hidden_};
  }
  cuda::OutputLayout output_layout(std::int64_t nodes) const {
    return {.begin = read_numbers<std::int32_t>(forms_->out_begin),
            .components = read_numbers<std::int32_t>(forms_->out_components),
            .channels = read_numbers<std::int32_t>(forms_->out_channels),
            .width = width(),
            .nodes = nodes};
  }

  template <typename Work>
  void for_each_tile(const Work& work) {
    const std::int64_t most_nodes = std::max<std::int64_t>(
        1, tiles_.sum_bytes / (products_ * (hidden_ + 1) * static_cast<std::int64_t>(sizeof(float))));
    for (std::int64_t first = 0; first < nodes();) {
      std::int64_t last = first + 1;
      while (last < nodes() && last - first < most_nodes && edge(last + 1) - edge(first) <= tiles_.edges) {
        ++last;
      }
      work(first, last);
      first = last;
    }
  }

  /// Computes the products of the edges of the tile, and the sums of the products over the edges of each
  /// node.
  void make_sums(std::int64_t first, std::int64_t last) {
    const std::int64_t begin = edge(first), edges = edge(last) - begin, nodes = last - first;
    made_.reset();  // frees the memory of the previous tile
    sums_.reset();
    made_ = at::empty({edges, products_}, tensors_.rows.options());
    sums_ = at::empty({nodes * products_ * (hidden_ + 1)}, tensors_.rows.options());
    run_kernel(contraction(forms_->to_products, tensors_.rows, sources() + begin, tensors_.harmonics, nullptr,
                           begin, made_),
               edges * products_, device_);
    const cuda::Sums sums{.layout = layout(nodes),
                          .products = read_numbers<float>(made_),
                          .radial = read_numbers<float>(tensors_.radial) + begin * hidden_,
                          .first = read_numbers<std::int64_t>(tensors_.edges.first) + first,
                          .first_edge = begin,
                          .sums = write_numbers<float>(sums_)};
    run_kernel(sums, sums.count(), device_);
  }

  const std::int64_t* sources() const { return read_numbers<std::int64_t>(tensors_.edges.source); }

  /// Describes a kernel call for the edges of a tile. If q_rows is null, `q` has a row for each edge of the
  /// graph, and `begin` is the first edge of the tile.
  cuda::Contraction contraction(const Form& form, const at::Tensor& p, const std::int64_t* p_rows,
                                const at::Tensor& q, const std::int64_t* q_rows, std::int64_t begin,
                                const at::Tensor& out) const {
    return {.first = form.begin(),
            .terms = form.all(),
            .outs = form.outs(),
            .p = read_numbers<float>(p),
            .p_rows = p_rows,
            .p_width = p.size(1),
            .q = read_numbers<float>(q) + (q_rows == nullptr ? begin * q.size(1) : 0),
            .q_rows = q_rows,
            .q_width = q.size(1),
            .out = write_numbers<float>(out)};
  }

  cuda::SumLayout layout(std::int64_t nodes) const {
    return {.group_first = read_numbers<std::int32_t>(forms_->group_first),
            .group_count = read_numbers<std::int32_t>(forms_->group_count),
            .products = products_,
            .columns = hidden_ + 1,
            .nodes = nodes};
  }

  /// Returns the sums of the tile for a group: [nodes * out components, channels (hidden + 1)].
  at::Tensor sums_of(const PathGroup& group, std::int64_t nodes) const {
    return part_of(sums_, nodes * group.first_product * (hidden_ + 1), nodes * group.out_components,
                   group.channels * (hidden_ + 1));
  }
  /// Returns the block of a group in the results of products: [nodes * out components, out channels].
  static at::Tensor outputs_of(const PathGroup& group, const at::Tensor& made, std::int64_t nodes) {
    return part_of(made, nodes * group.out_offset, nodes * group.out_components, group.out_channels);
  }
  /// Returns the matrix of a group in the arranged weights: [channels (hidden + 1), out channels].
  at::Tensor weights_of(const PathGroup& group, const at::Tensor& arranged) const {
    return part_of(arranged, group.first_weight, group.channels * (hidden_ + 1), group.out_channels);
  }
  /// Returns a matrix that begins at a number of an array.
  static at::Tensor part_of(const at::Tensor& array, std::int64_t begin, std::int64_t rows,
                            std::int64_t columns) {
    return array.slice(0, begin, begin + rows * columns).view({rows, columns});
  }

  /// Computes the gradients of the radial numbers, rows and harmonics of the edges of the tile from the
  /// gradients of the sums.
  void differentiate_edges(std::int64_t first, std::int64_t last, const MessageGradients& gradients,
                           const at::Tensor& of_edges) {
    const std::int64_t begin = edge(first), edges = edge(last) - begin;
    const cuda::SlopeTiles tiles{.layout = layout(last - first),
                                 .of_sums = read_numbers<float>(sums_),
                                 .first = read_numbers<std::int64_t>(tensors_.edges.first) + first,
                                 .first_edge = begin};
    const cuda::RadialGradients of_radial{
        {tiles}, read_numbers<float>(made_), write_numbers<float>(gradients.radial) + begin * hidden_};
    run_tiles(of_radial, of_radial.tiles(), device_);
    const cuda::ProductGradients of_products{
        {tiles}, read_numbers<float>(tensors_.radial) + begin * hidden_, write_numbers<float>(made_)};
    run_tiles(of_products, of_products.tiles(), device_);
    run_kernel(contraction(forms_->to_rows, made_, nullptr, tensors_.harmonics, nullptr, begin,
                           of_edges.slice(0, begin, begin + edges)),
               edges * forms_->to_rows.outs(), device_);
    if (gradients.harmonics.defined()) {
      run_kernel(contraction(forms_->to_harmonics, made_, nullptr, tensors_.rows, sources() + begin, 0,
                             gradients.harmonics.slice(0, begin, begin + edges)),
                 edges * forms_->to_harmonics.outs(), device_);
    }
  }

  /// Returns the edges ordered by source, and the position at which the edges of each node begin.
  std::pair<at::Tensor, at::Tensor> ordered_by_source() const {
    if (tensors_.edges.by_source.defined()) {
      return {tensors_.edges.by_source, tensors_.edges.first_by_source};
    }
    const at::Tensor& source = tensors_.edges.source;
    const at::Tensor order = at::argsort(source, /*stable=*/true, /*dim=*/0, /*descending=*/false);
    return {order, at::searchsorted(source.index_select(0, order), at::arange(nodes() + 1, source.options()))
                       .contiguous()};
  }

  at::Tensor sum_by_source(const at::Tensor& of_edges) const {
    const auto [order, first] = ordered_by_source();
    at::Tensor sums = at::empty_like(tensors_.rows);
    run_kernel(cuda::RowSums{.rows = read_numbers<float>(of_edges),
                             .edges = read_numbers<std::int64_t>(order),
                             .first = read_numbers<std::int64_t>(first),
                             .width = of_edges.size(1),
                             .sums = write_numbers<float>(sums)},
               sums.numel(), device_);
    return sums;
  }

  const MessageTensors& tensors_;
  const MessageTiles tiles_;
  const c10::Device device_;
  const std::int64_t hidden_;
  const std::shared_ptr<const ProductForms> forms_;
  const ops::TensorProduct& product_;
  const std::int64_t products_;  ///< number of products of an edge in all paths
  const at::Tensor first_;       ///< index of the first edge of each node, on the CPU
  at::Tensor weights_;           ///< the arranged weights
  at::Tensor made_, sums_;       ///< arrays for one tile
};

}  // namespace

bool has_message_kernels() { return has_steps_of_gpus(); }

std::uint64_t bytes_of_message_steps(std::int64_t nodes, std::int64_t edges) {
  constexpr std::int64_t kBytes = kUsualProducts * std::int64_t{sizeof(float)};
  const MessageTiles most;
  return static_cast<std::uint64_t>(std::min(most.sum_bytes, nodes * (kUsualHidden + 1) * kBytes) +
                                    std::min(most.edges, edges) * kBytes);
}

at::Tensor message_kernels(const ops::TensorProduct& product, const MessageTensors& tensors,
                           const MessageTiles& tiles) {
  return Messages(product, tensors, tiles).forward();
}

MessageGradients message_backward_by_steps(const ops::TensorProduct& product, const MessageTensors& tensors,
                                           const at::Tensor& gradient, bool wants_harmonics,
                                           const MessageTiles& tiles) {
  return Messages(product, tensors, tiles).backward(gradient, wants_harmonics);
}

RadialNumbers radial_by_operators(const RadialTensors& tensors) {
  RadialNumbers numbers;
  numbers.before_first = at::linear(tensors.x, tensors.first_weight, tensors.first_bias);
  numbers.between = at::silu(numbers.before_first);
  numbers.before_second = at::linear(numbers.between, tensors.second_weight, tensors.second_bias);
  numbers.radial = at::silu(numbers.before_second);
  return numbers;
}

RadialTensors radial_backward_by_operators(const RadialTensors& tensors, const RadialNumbers& numbers,
                                           const at::Tensor& gradient, bool wants_x) {
  const at::Tensor of_second = at::silu_backward(gradient, numbers.before_second);
  const at::Tensor of_first = at::silu_backward(of_second.mm(tensors.second_weight), numbers.before_first);
  const std::vector<at::Tensor> of_biases = column_sums({of_first, of_second});
  return {.x = wants_x ? of_first.mm(tensors.first_weight) : at::Tensor(),
          .first_weight = of_first.t().mm(tensors.x),
          .first_bias = of_biases[0],
          .second_weight = of_second.t().mm(numbers.between),
          .second_bias = of_biases[1]};
}

}  // namespace molgauge::torch
