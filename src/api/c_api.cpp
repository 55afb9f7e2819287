// The C API (include/molgauge/molgauge.h). It offers the engine as plain functions, with requests and reports
// in JSON.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/c_session.h"
#include "api/registry.h"
#include "base/core/error.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/options/json_request.h"
#include "molecules/encoders/registry.h"
#include "molgauge/engine.h"

namespace molgauge::c {

std::size_t width_of(const std::string& encoder) { return encoders::require_encoder(encoder).width; }

}  // namespace molgauge::c

using molgauge::c::guarded;

const char* molgauge_verbs(void) {
  static const std::string names = fmt::format("{}", fmt::join(molgauge::verbs::json_verbs(), " "));
  return names.c_str();
}

const char* molgauge_instruction_set(void) {
  try {
    return molgauge::ops::cpu::to_string(molgauge::ops::cpu::chosen_level());
  } catch (const molgauge::UsageError&) {
    return "unknown";
  }
}

molgauge_status molgauge_run(molgauge_session* session, const char* verb, const char* request,
                             char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    molgauge::c::require(session, "session");
    molgauge::c::require(verb, "verb");
    molgauge::c::give(molgauge::verbs::find_verb(std::string(verb))
                          .run_json(molgauge::engine(session->session), molgauge::c::parsed(request)),
                      report);
  });
}

molgauge_status molgauge_encoder_width(molgauge_session* session, const char* encoder, size_t* width) {
  return guarded([&] {
    molgauge::c::require(session, "session");
    molgauge::c::require(encoder, "encoder");
    molgauge::c::require(width, "width");
    *width = molgauge::c::width_of(encoder);
  });
}

molgauge_status molgauge_explain(molgauge_session* session, const char* request, const char* content,
                                 size_t size, char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    molgauge::c::require(session, "session");
    const auto work = molgauge::c::explain_request(request, content, size);
    molgauge::c::give(molgauge::verbs::report_json<molgauge::ExplainMemoryRequest>(
                          molgauge::engine(session->session).run(work)),
                      report);
  });
}

molgauge_status molgauge_encode(molgauge_session* session, const char* request, const char* const* smiles,
                                size_t count, float* rows, size_t width, char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    molgauge::c::require(session, "session");
    if (count > 0) {
      molgauge::c::require(smiles, "smiles");
      molgauge::c::require(rows, "rows");
    }
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      molgauge::c::require(smiles[i], ("smiles[" + std::to_string(i) + "]").c_str());
      texts.emplace_back(smiles[i]);
    }
    const auto encode = molgauge::options::read_request<molgauge::EncodeRequest>(
        molgauge::c::parsed(request), molgauge::options::Presence::as_given);
    molgauge::c::give(molgauge::verbs::report_json<molgauge::EncodeRequest>(
                          molgauge::engine(session->session).encode(encode, texts, {rows, count * width})),
                      report);
  });
}
