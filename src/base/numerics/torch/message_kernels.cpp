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

/// The arrays on a device that depend only on the tensor product. They are cached, because each array must be
/// copied to the device.
class ProductForms {
 public:
  ProductForms(ops::TensorProduct product, std::int64_t hidden, c10::Device device)
      : product_(std::move(product)),
        hidden_(hidden),
        device_(device),
        paths_(ops::describe_paths(product_, hidden, [](const ops::ProductPath&) { return true; })) {
    std::vector<Triple> triples;
    std::vector<std::int32_t> first_of_path, count_of_path;
    for (const ops::Path& path : paths_) {
      const std::int64_t first = products_, channels = path.of->in_channels;
      for (const ops::ScaledCoupling& coupling : path.couplings) {
        for (std::int64_t u = 0; u < channels; ++u) {
          triples.push_back(
              {static_cast<std::int32_t>(first + coupling.third * channels + u),
               static_cast<std::int32_t>(path.in_offset + u * path.in_components + coupling.first),
               static_cast<std::int32_t>(path.harmonic_offset + coupling.second), coupling.value});
        }
      }
      const std::int64_t count = channels * path.out_components;
      first_products_.push_back(first);
      products_ += count;
      first_of_path.insert(first_of_path.end(), static_cast<std::size_t>(count),
                           static_cast<std::int32_t>(first));
      count_of_path.insert(count_of_path.end(), static_cast<std::size_t>(count),
                           static_cast<std::int32_t>(count));
    }
    to_products = form_of(triples, products_, &Triple::product, &Triple::x, &Triple::y);
    to_rows = form_of(triples, product_.in().width(), &Triple::x, &Triple::product, &Triple::y);
    to_harmonics = form_of(triples, product_.harmonics().width(), &Triple::y, &Triple::product, &Triple::x);
    path_first = at::tensor(first_of_path, at::kInt);
    path_count = at::tensor(count_of_path, at::kInt);
    move_together({&to_products.first, &to_products.terms, &to_rows.first, &to_rows.terms,
                   &to_harmonics.first, &to_harmonics.terms, &path_first, &path_count},
                  device);
  }

  bool is_of(const ops::TensorProduct& product, std::int64_t hidden, c10::Device device) const {
    return hidden_ == hidden && device_ == device && product_.in() == product.in() &&
           product_.harmonics() == product.harmonics() && product_.out() == product.out();
  }
  const ops::TensorProduct& product() const { return product_; }
  const std::vector<ops::Path>& paths() const { return paths_; }
  /// The index of the first product of a path.
  std::int64_t first_product(std::size_t path) const { return first_products_[path]; }
  /// The number of products of an edge, over all paths.
  std::int64_t products() const { return products_; }

  Form to_products, to_rows, to_harmonics;  ///< for products, and for gradients of rows and harmonics
  at::Tensor path_first, path_count;        ///< the arrays of SumLayout

 private:
  const ops::TensorProduct product_;
  const std::int64_t hidden_;
  const c10::Device device_;
  const std::vector<ops::Path> paths_;
  std::vector<std::int64_t> first_products_;
  std::int64_t products_ = 0;
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

/// A path in a form for matrix products. The sums of a node are [out components, channels (hidden + 1)].
struct MatrixPath {
  const ops::Path* of;
  std::int64_t first_product, products;
  at::Tensor weights;  ///< [channels (hidden + 1), out channels]. The last row of a channel is the bias.

  std::int64_t channels() const { return of->of->in_channels; }
  std::int64_t out_channels() const { return of->of->out_channels; }
};

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
    for (std::size_t i = 0; i < forms_->paths().size(); ++i) {
      const ops::Path& path = forms_->paths()[i];
      matrix_paths_.push_back(
          {&path, forms_->first_product(i), path.of->in_channels * path.out_components, weights_of(path)});
    }
  }

  at::Tensor forward() {
    at::Tensor out = at::zeros({nodes(), product_.out().width()}, tensors_.rows.options());
    for_each_tile([&](std::int64_t first, std::int64_t last) {
      make_sums(first, last);
      for (const MatrixPath& path : matrix_paths_) {
        const at::Tensor made = at::mm(sums_of(path, last - first), path.weights);
        outputs_of(path, out, first, last)
            .add_(made.view({last - first, path.of->out_components, path.out_channels()}).transpose(1, 2));
      }
    });
    return out;
  }

  MessageGradients backward(const at::Tensor& gradient, bool wants_harmonics) {
    MessageGradients gradients{
        .rows = {},
        .harmonics = wants_harmonics ? at::empty_like(tensors_.harmonics) : at::Tensor(),
        .radial = at::empty_like(tensors_.radial),
        .weight = at::zeros_like(tensors_.weight),
        .bias = at::zeros_like(tensors_.bias)};
    const at::Tensor of_edges =
        at::empty({tensors_.edges.source.size(0), product_.in().width()}, tensors_.rows.options());
    std::vector<at::Tensor> of_weights;
    for (const MatrixPath& path : matrix_paths_) {
      of_weights.push_back(at::zeros_like(path.weights));
    }
    for_each_tile([&](std::int64_t first, std::int64_t last) {
      make_sums(first, last);
      for (std::size_t i = 0; i < matrix_paths_.size(); ++i) {
        const MatrixPath& path = matrix_paths_[i];
        const at::Tensor own = outputs_of(path, gradient, first, last)
                                   .transpose(1, 2)
                                   .reshape({(last - first) * path.of->out_components, path.out_channels()});
        at::Tensor sums = sums_of(path, last - first);
        of_weights[i].addmm_(sums.t(), own);
        at::mm_out(sums, own, path.weights.t());
      }
      differentiate_edges(first, last, gradients, of_edges);
    });
    for (std::size_t i = 0; i < matrix_paths_.size(); ++i) {
      add_weights(matrix_paths_[i], of_weights[i], gradients);
    }
    gradients.rows = sum_by_source(of_edges);
    return gradients;
  }

 private:
  std::int64_t nodes() const { return tensors_.rows.size(0); }
  std::int64_t edge(std::int64_t node) const { return read_numbers<std::int64_t>(first_)[node]; }

  at::Tensor weights_of(const ops::Path& path) const {
    const std::int64_t u = path.of->in_channels, w = path.of->out_channels, first = path.of->first_weight;
    const at::Tensor both = at::cat({tensors_.weight.slice(0, first, first + u * w).view({u, w, hidden_}),
                                     tensors_.bias.slice(0, first, first + u * w).view({u, w, 1})},
                                    2);
    return both.permute({0, 2, 1}).reshape({u * (hidden_ + 1), w});
  }

  void add_weights(const MatrixPath& path, const at::Tensor& of_weights, const MessageGradients& to) const {
    const std::int64_t u = path.channels(), w = path.out_channels(), first = path.of->of->first_weight;
    const at::Tensor both = of_weights.view({u, hidden_ + 1, w}).permute({0, 2, 1});
    to.weight.slice(0, first, first + u * w).copy_(both.slice(2, 0, hidden_).reshape({u * w, hidden_}));
    to.bias.slice(0, first, first + u * w).copy_(both.select(2, hidden_).reshape({u * w}));
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
      if (edge(last) > edge(first)) {
        work(first, last);
      }
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
    return {.path_first = read_numbers<std::int32_t>(forms_->path_first),
            .path_count = read_numbers<std::int32_t>(forms_->path_count),
            .products = products_,
            .columns = hidden_ + 1,
            .nodes = nodes};
  }

  /// Returns the sums of the tile for a path: [nodes * out components, channels (hidden + 1)].
  at::Tensor sums_of(const MatrixPath& path, std::int64_t nodes) const {
    const std::int64_t columns = hidden_ + 1, begin = nodes * path.first_product * columns;
    return sums_.slice(0, begin, begin + nodes * path.products * columns)
        .view({nodes * path.of->out_components, path.channels() * columns});
  }

  /// The block of the output that belongs to a path: [nodes, out channels, out components].
  at::Tensor outputs_of(const MatrixPath& path, const at::Tensor& out, std::int64_t first,
                        std::int64_t last) const {
    const std::int64_t begin = product_.out().offset(path.of->of->out),
                       width = path.out_channels() * path.of->out_components;
    return out.slice(0, first, last)
        .slice(1, begin, begin + width)
        .unflatten(1, {path.out_channels(), path.of->out_components});
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
  std::vector<MatrixPath> matrix_paths_;
  at::Tensor made_, sums_;  ///< arrays for one tile
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

at::Tensor radial_by_operators(const RadialTensors& tensors) {
  const at::Tensor between = at::silu(at::linear(tensors.x, tensors.first_weight, tensors.first_bias));
  return at::silu(at::linear(between, tensors.second_weight, tensors.second_bias));
}

RadialTensors radial_backward_by_operators(const RadialTensors& tensors, const at::Tensor& gradient,
                                           bool wants_x) {
  const at::Tensor before = at::linear(tensors.x, tensors.first_weight, tensors.first_bias);
  const at::Tensor between = at::silu(before);
  const at::Tensor of_last =
      at::silu_backward(gradient, at::linear(between, tensors.second_weight, tensors.second_bias));
  const at::Tensor of_first = at::silu_backward(of_last.mm(tensors.second_weight), before);
  return {.x = wants_x ? of_first.mm(tensors.first_weight) : at::Tensor(),
          .first_weight = of_first.t().mm(tensors.x),
          .first_bias = of_first.sum(0),
          .second_weight = of_last.t().mm(between),
          .second_bias = of_last.sum(0)};
}

}  // namespace molgauge::torch
