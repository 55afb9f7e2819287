// Functions of the C API for molecules in memory. Molecules and results are Arrow streams.

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/arrow_stream.h"
#include "api/c_session.h"
#include "api/input_tables.h"
#include "api/registry.h"
#include "api/result_tables.h"
#include "base/core/error.h"
#include "base/options/json_request.h"
#include "molgauge/engine.h"

namespace molgauge {
namespace {

using options::Presence;

/// The streams that the caller passed to a function. They are always released, even if another argument is
/// invalid.
class GivenStreams {
 public:
  GivenStreams(std::initializer_list<ArrowArrayStream*> streams) : streams_(streams) {}
  GivenStreams(const GivenStreams&) = delete;
  GivenStreams& operator=(const GivenStreams&) = delete;
  ~GivenStreams() {
    for (ArrowArrayStream* const stream : streams_) {
      if (stream != nullptr && stream->release != nullptr) {
        stream->release(stream);
      }
    }
  }

 private:
  std::vector<ArrowArrayStream*> streams_;
};

/// Clears the outputs of a call, so they are defined even if the call fails.
void clear(ArrowArrayStream* result, char** report) {
  if (result != nullptr) {
    *result = {};
  }
  if (report != nullptr) {
    *report = nullptr;
  }
}

template <typename Request>
Request request_of(const char* request) {
  return options::read_request<Request>(c::parsed(request), Presence::as_given);
}

/// Returns views of texts that are stored in one buffer.
std::vector<std::optional<std::string_view>> views_of(const molgauge_texts& texts, std::size_t count) {
  c::require(texts.offsets, "offsets");
  std::vector<std::optional<std::string_view>> views;
  views.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = texts.offsets[i], end = texts.offsets[i + 1];
    if (begin < 0 || end < begin) {
      throw UsageError("the offsets of texts decrease. Pass offsets in ascending order");
    }
    if (end > begin) {
      c::require(texts.characters, "characters");
    }
    views.emplace_back(
        end == begin ? std::string_view()
                     : std::string_view(texts.characters + begin, static_cast<std::size_t>(end - begin)));
  }
  return views;
}

nlohmann::json judged_json(const JudgedList& judged) {
  nlohmann::json counts = {{"inside", 0}, {"borderline", 0}, {"outside", 0}, {"unreadable", 0}};
  for (const JudgedMolecule& molecule : judged.molecules) {
    auto& count = counts[to_string(molecule.verdict)];
    count = count.get<std::size_t>() + 1;
  }
  nlohmann::json calibration = nullptr;
  if (judged.calibration) {
    calibration = {{"are_classes", judged.calibration->are_classes},
                   {"prediction", judged.calibration->prediction},
                   {"uncertainty", judged.calibration->uncertainty},
                   {"lower", judged.calibration->lower},
                   {"upper", judged.calibration->upper}};
  }
  return {{"encoder", judged.encoder},
          {"training_molecules", judged.training_molecules},
          {"counts", counts},
          {"calibration", calibration}};
}

/// Judges molecules, and their predictions if the request names a prediction column.
JudgedList judge(Engine& engine, const DomainRequest& request, const MoleculeTable& molecules) {
  if (request.prediction_column.empty()) {
    return engine.judge_molecules(request, molecules.smiles);
  }
  const auto predictions =
      arrow::predictions_in(molecules, request.prediction_column, request.uncertainty_column,
                            request.lower_column, request.upper_column);
  return engine.judge_molecules(request, molecules.smiles, predictions);
}

/// A stream for a result, and the name of the argument in messages.
struct Result {
  ArrowArrayStream* stream;
  const char* name;
};

/// Calls `work` with the engine, the request and the molecules. `work` sets the report and returns the table
/// for `result`.
template <typename Request, typename Work>
molgauge_status on_molecules(molgauge_session* session, const char* request, ArrowArrayStream* molecules,
                             Result result, char** report, const Work& work) {
  const GivenStreams released = {molecules};
  return c::guarded([&] {
    clear(result.stream, report);
    c::require(session, "session");
    c::require(molecules, "molecules");
    c::require(result.stream, result.name);
    const auto read_request = request_of<Request>(request);
    const MoleculeTable own = arrow::read_molecules(molecules);
    arrow::give_stream(work(engine(session->session), read_request, own), result.stream);
  });
}

}  // namespace
}  // namespace molgauge

using molgauge::GivenStreams;
using molgauge::c::guarded;
using molgauge::c::require;

molgauge_status molgauge_plain_stream(size_t count, const molgauge_texts* texts, size_t texts_count,
                                      const molgauge_numbers* numbers, size_t numbers_count,
                                      struct ArrowArrayStream* stream) {
  return guarded([&] {
    require(stream, "stream");
    molgauge::clear(stream, nullptr);
    std::vector<molgauge::arrow::Column> columns;
    for (size_t i = 0; i < texts_count; ++i) {
      require(texts, "texts");
      require(texts[i].name, "the name of a column of text");
      columns.push_back(molgauge::arrow::text(texts[i].name, molgauge::views_of(texts[i], count)));
    }
    for (size_t i = 0; i < numbers_count; ++i) {
      require(numbers, "numbers");
      require(numbers[i].name, "the name of a column of numbers");
      if (count > 0) {
        require(numbers[i].values, numbers[i].name);
      }
      columns.push_back(molgauge::arrow::numbers(numbers[i].name, {numbers[i].values, count}));
    }
    molgauge::arrow::give_stream(
        molgauge::arrow::structure("", static_cast<std::int64_t>(count), std::move(columns)), stream);
  });
}

molgauge_status molgauge_array_stream(struct ArrowSchema* schema, struct ArrowArray* array,
                                      struct ArrowArrayStream* stream) {
  return guarded([&] {
    require(schema, "schema");
    require(array, "array");
    require(stream, "stream");
    molgauge::arrow::give_array_stream(schema, array, stream);
  });
}

molgauge_status molgauge_stream_again(const struct ArrowArrayStream* result,
                                      struct ArrowArrayStream* stream) {
  return guarded([&] {
    require(result, "result");
    require(stream, "stream");
    molgauge::clear(stream, nullptr);
    molgauge::arrow::give_again(*result, stream);
  });
}

molgauge_status molgauge_fit_domain(molgauge_session* session, const char* request,
                                    struct ArrowArrayStream* training, struct ArrowArrayStream* calibration,
                                    char** report) {
  const GivenStreams released = {training, calibration};
  return guarded([&] {
    molgauge::clear(nullptr, report);
    require(session, "session");
    require(training, "training");
    const auto work = molgauge::request_of<molgauge::DomainRequest>(request);
    const molgauge::MoleculeTable own = molgauge::arrow::read_molecules(training, work.label_column);
    molgauge::MoleculeTable predicted;
    if (calibration != nullptr) {
      predicted = molgauge::arrow::read_molecules(calibration, work.label_column);
    }
    molgauge::c::give(molgauge::verbs::report_json<molgauge::DomainRequest>(
                          molgauge::engine(session->session)
                              .fit_domain(work, own, calibration == nullptr ? nullptr : &predicted)),
                      report);
  });
}

molgauge_status molgauge_judge(molgauge_session* session, const char* request,
                               struct ArrowArrayStream* molecules, struct ArrowArrayStream* verdicts,
                               char** report) {
  return molgauge::on_molecules<molgauge::DomainRequest>(
      session, request, molecules, {verdicts, "verdicts"}, report,
      [&](molgauge::Engine& engine, const auto& work, const molgauge::MoleculeTable& own) {
        const molgauge::JudgedList judged = molgauge::judge(engine, work, own);
        const bool is_calibrated = !work.prediction_column.empty() && judged.calibration.has_value();
        molgauge::c::give(molgauge::judged_json(judged), report);
        return molgauge::arrow::verdict_table(own, judged, is_calibrated ? &*judged.calibration : nullptr);
      });
}

molgauge_status molgauge_domain(molgauge_session* session, const char* request,
                                struct ArrowArrayStream* molecules, char** report) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    molgauge::clear(nullptr, report);
    require(session, "session");
    require(molecules, "molecules");
    const auto work = molgauge::request_of<molgauge::DomainRequest>(request);
    const molgauge::MoleculeTable own = molgauge::arrow::read_molecules(molecules);
    molgauge::c::give(molgauge::verbs::report_json<molgauge::DomainRequest>(
                          molgauge::engine(session->session).judge_domain(work, own)),
                      report);
  });
}

molgauge_status molgauge_score(molgauge_session* session, const char* request,
                               struct ArrowArrayStream* molecules, struct ArrowArrayStream* scores,
                               char** report) {
  return molgauge::on_molecules<molgauge::ScoreRequest>(
      session, request, molecules, {scores, "scores"}, report,
      [&](molgauge::Engine& engine, const auto& work, const molgauge::MoleculeTable& own) {
        molgauge::ScoreReport scored = engine.score(work, own);
        molgauge::arrow::Column table = molgauge::arrow::score_table(own, scored);
        scored.molecules.clear();  // the molecules are already in the table
        molgauge::c::give(molgauge::verbs::report_json<molgauge::ScoreRequest>(scored), report);
        return table;
      });
}

molgauge_status molgauge_predict(molgauge_session* session, const char* request,
                                 struct ArrowArrayStream* molecules, struct ArrowArrayStream* predictions,
                                 char** report) {
  return molgauge::on_molecules<molgauge::PredictRequest>(
      session, request, molecules, {predictions, "predictions"}, report,
      [&](molgauge::Engine& engine, const auto& work, const molgauge::MoleculeTable& own) {
        const molgauge::PredictedList predicted = engine.predict(work, own);
        molgauge::c::give(molgauge::verbs::report_json<molgauge::PredictRequest>(predicted.report), report);
        return molgauge::arrow::prediction_table(own, predicted);
      });
}

molgauge_status molgauge_features(molgauge_session* session, const char* request,
                                  struct ArrowArrayStream* molecules, struct ArrowArrayStream* features,
                                  char** report) {
  return molgauge::on_molecules<molgauge::EncodeRequest>(
      session, request, molecules, {features, "features"}, report,
      [&](molgauge::Engine& engine, const auto& work, const molgauge::MoleculeTable& own) {
        std::vector<float> rows(own.smiles.size() * molgauge::c::width_of(work.encoder));
        const molgauge::EncodeReport encoded = engine.encode(work, own.smiles, rows);
        molgauge::c::give(molgauge::verbs::report_json<molgauge::EncodeRequest>(encoded), report);
        return molgauge::arrow::feature_table(encoded, rows);
      });
}

molgauge_status molgauge_atom_features(molgauge_session* session, const char* request,
                                       struct ArrowArrayStream* molecules, struct ArrowArrayStream* features,
                                       char** report) {
  return molgauge::on_molecules<molgauge::EncodeRequest>(
      session, request, molecules, {features, "features"}, report,
      [&](molgauge::Engine& engine, const auto& work, const molgauge::MoleculeTable& own) {
        std::vector<float> rows(own.smiles.size() * molgauge::c::width_of(work.encoder));
        molgauge::AtomFeatures atoms;
        const molgauge::EncodeReport encoded = engine.encode_atoms(work, own.smiles, rows, atoms);
        molgauge::c::give(molgauge::verbs::report_json<molgauge::EncodeRequest>(encoded), report);
        return molgauge::arrow::atom_table(encoded, rows, atoms);
      });
}

molgauge_status molgauge_conformers(molgauge_session* session, const char* request,
                                    struct ArrowArrayStream* molecules, struct ArrowArrayStream* conformers) {
  return molgauge::on_molecules<molgauge::ConformersRequest>(
      session, request, molecules, {conformers, "conformers"}, nullptr,
      [](molgauge::Engine& engine, const auto& work, const molgauge::MoleculeTable& own) {
        return molgauge::arrow::conformer_table(engine.make_conformers(work, own.smiles));
      });
}

molgauge_status molgauge_depict(molgauge_session* session, int width, int height,
                                struct ArrowArrayStream* molecules, struct ArrowArrayStream* drawings) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    molgauge::clear(drawings, nullptr);
    require(session, "session");
    require(molecules, "molecules");
    require(drawings, "drawings");
    molgauge::arrow::DrawnMolecules own = molgauge::arrow::read_drawn_molecules(molecules);
    molgauge::Engine& engine = molgauge::engine(session->session);
    std::vector<std::string> drawn(own.smiles.size()), reasons(own.smiles.size());
    for (std::size_t i = 0; i < own.smiles.size(); ++i) {
      try {
        drawn[i] = engine.depict({own.smiles[i], width, height, std::move(own.atoms[i])});
      } catch (const molgauge::InputError& problem) {
        reasons[i] = problem.what();
      }
    }
    molgauge::arrow::give_stream(molgauge::arrow::drawing_table(drawn, reasons), drawings);
  });
}
