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
#include "api/result_tables.h"
#include "core/error.h"
#include "headroom/engine.h"
#include "options/json_request.h"
#include "verbs/report_json.h"

namespace headroom {
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
std::vector<std::optional<std::string_view>> views_of(const headroom_texts& texts, std::size_t count) {
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

}  // namespace
}  // namespace headroom

using headroom::GivenStreams;
using headroom::c::guarded;
using headroom::c::require;

headroom_status headroom_plain_stream(size_t count, const headroom_texts* texts, size_t texts_count,
                                      const headroom_numbers* numbers, size_t numbers_count,
                                      struct ArrowArrayStream* stream) {
  return guarded([&] {
    require(stream, "stream");
    headroom::clear(stream, nullptr);
    std::vector<headroom::arrow::Column> columns;
    for (size_t i = 0; i < texts_count; ++i) {
      require(texts, "texts");
      require(texts[i].name, "the name of a column of text");
      columns.push_back(headroom::arrow::text(texts[i].name, headroom::views_of(texts[i], count)));
    }
    for (size_t i = 0; i < numbers_count; ++i) {
      require(numbers, "numbers");
      require(numbers[i].name, "the name of a column of numbers");
      if (count > 0) {
        require(numbers[i].values, numbers[i].name);
      }
      columns.push_back(headroom::arrow::numbers(numbers[i].name, {numbers[i].values, count}));
    }
    headroom::arrow::give_stream(
        headroom::arrow::structure("", static_cast<std::int64_t>(count), std::move(columns)), stream);
  });
}

headroom_status headroom_array_stream(struct ArrowSchema* schema, struct ArrowArray* array,
                                      struct ArrowArrayStream* stream) {
  return guarded([&] {
    require(schema, "schema");
    require(array, "array");
    require(stream, "stream");
    headroom::arrow::give_array_stream(schema, array, stream);
  });
}

headroom_status headroom_stream_again(const struct ArrowArrayStream* result,
                                      struct ArrowArrayStream* stream) {
  return guarded([&] {
    require(result, "result");
    require(stream, "stream");
    headroom::clear(stream, nullptr);
    headroom::arrow::give_again(*result, stream);
  });
}

headroom_status headroom_fit_domain(headroom_session* session, const char* request,
                                    struct ArrowArrayStream* training, struct ArrowArrayStream* calibration,
                                    char** report) {
  const GivenStreams released = {training, calibration};
  return guarded([&] {
    headroom::clear(nullptr, report);
    require(session, "session");
    require(training, "training");
    const auto work = headroom::request_of<headroom::DomainRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(training, work.label_column);
    headroom::MoleculeTable predicted;
    if (calibration != nullptr) {
      predicted = headroom::arrow::read_molecules(calibration, work.label_column);
    }
    headroom::c::give(
        headroom::report_json(headroom::engine(session->session)
                                  .fit_domain(work, own, calibration == nullptr ? nullptr : &predicted)),
        report);
  });
}

headroom_status headroom_judge(headroom_session* session, const char* request,
                               struct ArrowArrayStream* molecules, struct ArrowArrayStream* verdicts,
                               char** report) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(verdicts, report);
    require(session, "session");
    require(molecules, "molecules");
    require(verdicts, "verdicts");
    const auto work = headroom::request_of<headroom::DomainRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(molecules);
    const headroom::JudgedList judged = headroom::judge(headroom::engine(session->session), work, own);
    const bool is_calibrated = !work.prediction_column.empty() && judged.calibration.has_value();
    headroom::c::give(headroom::judged_json(judged), report);
    headroom::arrow::give_stream(
        headroom::arrow::verdict_table(own, judged, is_calibrated ? &*judged.calibration : nullptr),
        verdicts);
  });
}

headroom_status headroom_domain(headroom_session* session, const char* request,
                                struct ArrowArrayStream* molecules, char** report) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(nullptr, report);
    require(session, "session");
    require(molecules, "molecules");
    const auto work = headroom::request_of<headroom::DomainRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(molecules);
    headroom::c::give(headroom::report_json(headroom::engine(session->session).judge_domain(work, own)),
                      report);
  });
}

headroom_status headroom_score(headroom_session* session, const char* request,
                               struct ArrowArrayStream* molecules, struct ArrowArrayStream* scores,
                               char** report) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(scores, report);
    require(session, "session");
    require(molecules, "molecules");
    require(scores, "scores");
    const auto work = headroom::request_of<headroom::ScoreRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(molecules);
    headroom::ScoreReport scored = headroom::engine(session->session).score(work, own);
    headroom::arrow::Column table = headroom::arrow::score_table(own, scored);
    scored.molecules.clear();  // the molecules are already in the table
    headroom::c::give(headroom::report_json(scored), report);
    headroom::arrow::give_stream(std::move(table), scores);
  });
}

headroom_status headroom_predict(headroom_session* session, const char* request,
                                 struct ArrowArrayStream* molecules, struct ArrowArrayStream* predictions,
                                 char** report) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(predictions, report);
    require(session, "session");
    require(molecules, "molecules");
    require(predictions, "predictions");
    const auto work = headroom::request_of<headroom::PredictRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(molecules);
    const headroom::PredictedList predicted = headroom::engine(session->session).predict(work, own);
    headroom::c::give(headroom::report_json(predicted.report), report);
    headroom::arrow::give_stream(headroom::arrow::prediction_table(own, predicted), predictions);
  });
}

headroom_status headroom_features(headroom_session* session, const char* request,
                                  struct ArrowArrayStream* molecules, struct ArrowArrayStream* features,
                                  char** report) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(features, report);
    require(session, "session");
    require(molecules, "molecules");
    require(features, "features");
    const auto work = headroom::request_of<headroom::EncodeRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(molecules);
    headroom::Engine& engine = headroom::engine(session->session);
    std::vector<float> rows(own.smiles.size() * headroom::c::width_of(work.encoder));
    const headroom::EncodeReport encoded = engine.encode(work, own.smiles, rows);
    headroom::c::give(headroom::report_json(encoded), report);
    headroom::arrow::give_stream(headroom::arrow::feature_table(encoded, rows), features);
  });
}

headroom_status headroom_atom_features(headroom_session* session, const char* request,
                                       struct ArrowArrayStream* molecules, struct ArrowArrayStream* features,
                                       char** report) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(features, report);
    require(session, "session");
    require(molecules, "molecules");
    require(features, "features");
    const auto work = headroom::request_of<headroom::EncodeRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(molecules);
    headroom::Engine& engine = headroom::engine(session->session);
    std::vector<float> rows(own.smiles.size() * headroom::c::width_of(work.encoder));
    headroom::AtomFeatures atoms;
    const headroom::EncodeReport encoded = engine.encode_atoms(work, own.smiles, rows, atoms);
    headroom::c::give(headroom::report_json(encoded), report);
    headroom::arrow::give_stream(headroom::arrow::atom_table(encoded, rows, atoms), features);
  });
}

headroom_status headroom_conformers(headroom_session* session, const char* request,
                                    struct ArrowArrayStream* molecules, struct ArrowArrayStream* conformers) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(conformers, nullptr);
    require(session, "session");
    require(molecules, "molecules");
    require(conformers, "conformers");
    const auto work = headroom::request_of<headroom::ConformersRequest>(request);
    const headroom::MoleculeTable own = headroom::arrow::read_molecules(molecules);
    headroom::arrow::give_stream(headroom::arrow::conformer_table(
                                     headroom::engine(session->session).make_conformers(work, own.smiles)),
                                 conformers);
  });
}

headroom_status headroom_depict(headroom_session* session, int width, int height,
                                struct ArrowArrayStream* molecules, struct ArrowArrayStream* drawings) {
  const GivenStreams released = {molecules};
  return guarded([&] {
    headroom::clear(drawings, nullptr);
    require(session, "session");
    require(molecules, "molecules");
    require(drawings, "drawings");
    headroom::arrow::DrawnMolecules own = headroom::arrow::read_drawn_molecules(molecules);
    headroom::Engine& engine = headroom::engine(session->session);
    std::vector<std::string> drawn(own.smiles.size()), reasons(own.smiles.size());
    for (std::size_t i = 0; i < own.smiles.size(); ++i) {
      try {
        drawn[i] = engine.depict({own.smiles[i], width, height, std::move(own.atoms[i])});
      } catch (const headroom::InputError& problem) {
        reasons[i] = problem.what();
      }
    }
    headroom::arrow::give_stream(headroom::arrow::drawing_table(drawn, reasons), drawings);
  });
}
