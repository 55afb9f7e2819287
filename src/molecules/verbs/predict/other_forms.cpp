#include "molecules/verbs/predict/other_forms.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "molecules/chem/perceiving_bytes.h"
#include "molecules/chem/perception.h"
#include "molecules/encoding/pipeline/feature_rows.h"

namespace molgauge::verbs {
namespace {

/// Forms are made for this many records at once, or for fewer records if their texts reach kTextAhead
/// characters.
constexpr std::size_t kFormsAhead = 512, kTextAhead = std::size_t{256} << 10;

/// A source of the forms of all records, record by record.
class FormSource {
 public:
  FormSource(pipeline::MoleculeSource source, const OtherForms& forms, const std::vector<bool>& failed,
             std::size_t threads, std::vector<bool>& has_forms)
      : source_(std::move(source)),
        forms_(forms),
        failed_(failed),
        threads_(threads),
        has_forms_(has_forms) {}

  std::optional<chem::MoleculeRecord> next() {
    while (at_ == made_.size()) {
      if (has_ended_) {
        return std::nullopt;
      }
      read_ahead();
    }
    return std::move(made_[at_++]);
  }

 private:
  void read_ahead() {
    std::vector<chem::MoleculeRecord> records;
    for (std::size_t text = 0; records.size() < kFormsAhead && text < kTextAhead;) {
      auto record = source_();
      if (!record) {
        has_ended_ = true;
        break;
      }
      text += record->text.size();
      records.push_back(std::move(*record));
    }
    std::vector<std::vector<chem::MoleculeRecord>> all(records.size());
    parallel_for(records.size(), threads_, [&](std::size_t i) {
      throw_if_cancelled();
      const std::size_t row = has_forms_.size() + i;
      if (row >= failed_.size() || failed_[row] || !records[i].unreadable.empty()) {
        return;
      }
      try {
        all[i] = forms_.make(records[i]);
      } catch (const chem::InvalidMolecule&) {
        // The molecule has a prediction, but RDKit cannot make other forms of it.
      }
    });
    made_.clear();
    at_ = 0;
    for (std::vector<chem::MoleculeRecord>& forms : all) {
      has_forms_.push_back(!forms.empty());
      for (chem::MoleculeRecord& form : forms) {
        form.row = count_++;
        made_.push_back(std::move(form));
      }
    }
  }

  pipeline::MoleculeSource source_;
  const OtherForms& forms_;
  const std::vector<bool>& failed_;
  std::size_t threads_;
  std::vector<bool>& has_forms_;
  std::vector<chem::MoleculeRecord> made_;
  std::size_t at_ = 0, count_ = 0;
  bool has_ended_ = false;
};

}  // namespace

session::MoleculeList list_forms(const pipeline::MoleculeSource& source, std::size_t per_record,
                                 const std::function<bool(const chem::MoleculeRecord&)>& may_have) {
  session::MoleculeList list;
  try {
    while (const auto record = source()) {
      for (std::size_t i = 0; may_have(*record) && i < per_record; ++i) {
        session::add_record(*record, list);
      }
    }
  } catch (const InputError&) {
    // The input is read again for the prediction. It then throws the same error, after the records before the
    // damage were predicted.
  }
  return list;
}

std::uint64_t bytes_beside_forms(const OtherForms& forms, std::uint64_t longer_by, std::size_t records,
                                 std::size_t threads) {
  std::uint64_t parsing = 0;
  for (const encoders::MoleculeSize& size : forms.list.sizes) {
    parsing = std::max(parsing, chem::perceiving_bytes(size.atoms, forms.list.longest_molecule));
  }
  const std::uint64_t texts = (forms.per_record * longer_by + 1) * std::uint64_t{kTextAhead};
  return records * sizeof(Hash128) + records / 4 + texts + 2 * threads * parsing;
}

EncodedForms encode_forms(session::EncodingSession& session, pipeline::MoleculeSource source,
                          const std::vector<bool>& failed, OtherForms forms, std::size_t threads) {
  EncodedForms encoded;
  encoded.per_record = forms.per_record;
  encoded.has_forms.reserve(failed.size());
  FormSource made(std::move(source), forms, failed, threads, encoded.has_forms);
  std::optional<chem::MoleculeRecord> first = made.next();
  if (first) {
    encoded.outcome = session.encode([&] { return first ? std::exchange(first, std::nullopt) : made.next(); },
                                     std::move(forms.list));
  }
  return encoded;
}

FormPredictions::FormPredictions(pipeline::RowTable& rows, const EncodedForms& encoded,
                                 const encoders::chemprop::ChempropEncoder& encoder,
                                 const encoders::chemprop::ModelSet& set)
    : table_(rows),
      encoded_(encoded),
      failed_(failed_rows(encoded.outcome)),
      heads_(encoder, set),
      rows_(encoded.per_record * encoder.width()) {}

std::span<const float> FormPredictions::next(std::span<const double> descriptors) {
  const std::size_t count = encoded_.per_record, width = heads_.stored_width();
  const auto keys = std::span(encoded_.outcome.keys).subspan(next_, count);
  absent_ += pipeline::gather_rows(table_, keys, rows_);
  require_present(absent_, encoded_.outcome);
  present_.clear();
  std::vector<double> repeated;
  for (std::size_t i = 0; i < count; ++i) {
    if (!failed_[next_ + i]) {
      const auto row = std::span(rows_).subspan(i * width, width);
      present_.insert(present_.end(), row.begin(), row.end());
      repeated.insert(repeated.end(), descriptors.begin(), descriptors.end());
    }
  }
  next_ += count;
  return heads_.predict(present_, repeated);
}

}  // namespace molgauge::verbs
