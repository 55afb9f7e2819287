#include "verbs/predict/spellings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chem/perceiving_bytes.h"
#include "chem/perception.h"
#include "chem/spellings.h"
#include "core/cancellation.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/worker_group.h"
#include "encoding/session/output_requirements.h"

namespace headroom::verbs {
namespace {

/// Spellings are generated for this many records at once, or for fewer records if their texts reach
/// kTextAhead characters.
constexpr std::size_t kReadAhead = 128, kTextAhead = std::size_t{256} << 10;
/// Upper limit of the length of a spelling, relative to the SMILES of the input. A spelling can be longer
/// because it has more brackets and ring numbers.
constexpr std::uint64_t kLongerBy = 3;

/// A source of the other spellings of all records, record by record.
class SpellingSource {
 public:
  SpellingSource(pipeline::MoleculeSource source, const std::vector<bool>& failed, std::size_t threads,
                 std::vector<bool>& is_chiral)
      : source_(std::move(source)), failed_(failed), threads_(threads), is_chiral_(is_chiral) {}

  std::optional<chem::MoleculeRecord> next() {
    while (at_ == spellings_.size()) {
      if (has_ended_) {
        return std::nullopt;
      }
      read_ahead();
    }
    return std::move(spellings_[at_++]);
  }

 private:
  void read_ahead() {
    std::vector<chem::MoleculeRecord> records;
    for (std::size_t text = 0; records.size() < kReadAhead && text < kTextAhead;) {
      auto record = source_();
      if (!record) {
        has_ended_ = true;
        break;
      }
      text += record->text.size();
      records.push_back(std::move(*record));
    }
    std::vector<std::vector<std::string>> texts(records.size());
    parallel_for(records.size(), threads_, [&](std::size_t i) {
      throw_if_cancelled();
      const std::size_t row = is_chiral_.size() + i;
      if (row >= failed_.size() || failed_[row] || !records[i].unreadable.empty()) {
        return;
      }
      try {
        texts[i] = chem::other_spellings(records[i], kOtherSpellings);
      } catch (const chem::InvalidMolecule&) {
        // RDKit cannot write every molecule with a prediction as SMILES. Such a molecule has no spread.
      }
    });
    spellings_.clear();
    at_ = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      is_chiral_.push_back(!texts[i].empty());
      for (std::string& text : texts[i]) {
        chem::MoleculeRecord& spelling = spellings_.emplace_back();
        spelling.text = std::move(text);
        spelling.row = count_++;
        spelling.line = records[i].line;
        spelling.file = records[i].file;
      }
    }
  }

  pipeline::MoleculeSource source_;
  const std::vector<bool>& failed_;
  std::size_t threads_;
  std::vector<bool>& is_chiral_;
  std::vector<chem::MoleculeRecord> spellings_;
  std::size_t at_ = 0, count_ = 0;
  bool has_ended_ = false;
};

double median_of(std::vector<float> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) {
    return double{*middle};
  }
  return (double{*std::max_element(numbers.begin(), middle)} + double{*middle}) / 2;
}

}  // namespace

void require_chirality(const PredictRequest& request, const encoders::chemprop::ModelSet& set) {
  if (request.check_spellings && set.models.front().form.features == encoders::chemprop::FeatureSet::rigr) {
    throw UsageError(
        "--check-spellings has no effect on this model, because RIGR features do not contain chirality. "
        "Leave "
        "it out");
  }
}

session::MoleculeList list_spellings(const pipeline::MoleculeSource& source) {
  session::MoleculeList list;
  try {
    while (const auto record = source()) {
      if (chem::may_be_chiral(*record)) {
        for (std::size_t i = 0; i < kOtherSpellings; ++i) {
          session::add_record(*record, list);
        }
      }
    }
  } catch (const InputError&) {
    // The input is read again for the prediction. It then throws the same error, after the records before the
    // damage were predicted.
  }
  list.text_bytes *= kLongerBy;
  list.longest_text *= kLongerBy;
  list.longest_molecule *= kLongerBy;
  return list;
}

std::uint64_t bytes_beside_spellings(const session::MoleculeList& list, std::size_t records,
                                     const encoders::chemprop::ModelSet& set, std::size_t threads) {
  std::uint64_t parsing = 0;
  for (const encoders::MoleculeSize& size : list.sizes) {
    parsing = std::max(parsing, chem::perceiving_bytes(size.atoms, list.longest_molecule));
  }
  std::size_t tasks = 0;
  for (const encoders::chemprop::Ensemble& ensemble : set.ensembles) {
    tasks += ensemble.tasks.size();
  }
  const std::uint64_t texts = (kOtherSpellings * kLongerBy + 1) * std::uint64_t{kTextAhead};
  const std::uint64_t spreads = list.records / kOtherSpellings * tasks * sizeof(float);
  return records * sizeof(Hash128) + records / 4 + texts + 2 * threads * parsing + spreads;
}

EncodedSpellings encode_spellings(session::EncodingSession& session, pipeline::MoleculeSource source,
                                  const std::vector<bool>& failed, session::MoleculeList list,
                                  std::size_t threads) {
  EncodedSpellings encoded;
  encoded.is_chiral.reserve(failed.size());
  SpellingSource spellings(std::move(source), failed, threads, encoded.is_chiral);
  std::optional<chem::MoleculeRecord> first = spellings.next();
  if (first) {
    encoded.outcome = session.encode(
        [&] { return first ? std::exchange(first, std::nullopt) : spellings.next(); }, std::move(list));
  }
  return encoded;
}

void Spreads::add(const std::vector<float>& spread) {
  ++molecules_;
  for (std::size_t task = 0; task < spread.size(); ++task) {
    if (!std::isnan(spread[task])) {
      spreads_[task].push_back(spread[task]);
    }
  }
}

void Spreads::report_to(PredictReport& report) const {
  report.chiral_rows = molecules_;
  for (std::size_t task = 0; task < spreads_.size(); ++task) {
    const std::vector<float>& own = spreads_[task];
    if (!own.empty()) {
      report.tasks[task].median_spread = median_of(own);
      report.tasks[task].largest_spread = double{*std::max_element(own.begin(), own.end())};
    }
  }
}

std::string spelling_warning(const PredictReport& report) {
  constexpr std::size_t kShown = 5;
  if (report.chiral_rows == 0) {
    return "";
  }
  std::vector<std::string> tasks;
  for (std::size_t i = 0; i < report.tasks.size() && i < kShown; ++i) {
    const PredictedTask& task = report.tasks[i];
    tasks.push_back(fmt::format("{} {:.3g} (median) and up to {:.3g}", task.name, task.median_spread,
                                task.largest_spread));
  }
  return fmt::format(
      "the predictions of {} depend on the spelling. Spread over {} SMILES of each: {}{}",
      counted(report.chiral_rows, "chiral molecule"), kOtherSpellings + 1, fmt::join(tasks, ", "),
      report.tasks.size() > kShown ? fmt::format(", and {} more tasks in the columns spelling_spread_TASK",
                                                 report.tasks.size() - kShown)
                                   : "");
}

}  // namespace headroom::verbs
