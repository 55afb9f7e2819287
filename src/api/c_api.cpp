// The C API (include/headroom/headroom.h). It offers the engine as plain functions, with requests and reports
// in JSON.

#include <string>
#include <vector>

#include "api/c_session.h"
#include "core/error.h"
#include "headroom/engine.h"
#include "models/encoders/registry.h"
#include "numerics/ops/cpu/instruction_level.h"
#include "options/json_request.h"
#include "verbs/registry.h"
#include "verbs/report_json.h"

namespace headroom::c {

std::size_t width_of(const std::string& encoder) { return encoders::require_encoder(encoder).width; }

}  // namespace headroom::c

using headroom::c::guarded;

const char* headroom_verbs(void) {
  static const std::string names = headroom::verbs::names_of_json_verbs();
  return names.c_str();
}

const char* headroom_instruction_set(void) {
  try {
    return headroom::ops::cpu::to_string(headroom::ops::cpu::chosen_level());
  } catch (const headroom::UsageError&) {
    return "unknown";
  }
}

headroom_status headroom_run(headroom_session* session, const char* verb, const char* request,
                             char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::c::require(session, "session");
    headroom::c::require(verb, "verb");
    headroom::c::give(headroom::verbs::find_verb(std::string(verb))
                          .run_json(headroom::engine(session->session), headroom::c::parsed(request)),
                      report);
  });
}

headroom_status headroom_encoder_width(headroom_session* session, const char* encoder, size_t* width) {
  return guarded([&] {
    headroom::c::require(session, "session");
    headroom::c::require(encoder, "encoder");
    headroom::c::require(width, "width");
    *width = headroom::c::width_of(encoder);
  });
}

headroom_status headroom_explain(headroom_session* session, const char* request, const char* content,
                                 size_t size, char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::c::require(session, "session");
    const auto work = headroom::c::explain_request(request, content, size);
    headroom::c::give(headroom::report_json(headroom::engine(session->session).run(work)), report);
  });
}

headroom_status headroom_encode(headroom_session* session, const char* request, const char* const* smiles,
                                size_t count, float* rows, size_t width, char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::c::require(session, "session");
    if (count > 0) {
      headroom::c::require(smiles, "smiles");
      headroom::c::require(rows, "rows");
    }
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      headroom::c::require(smiles[i], ("smiles[" + std::to_string(i) + "]").c_str());
      texts.emplace_back(smiles[i]);
    }
    const auto encode = headroom::options::read_request<headroom::EncodeRequest>(
        headroom::c::parsed(request), headroom::options::Presence::as_given);
    headroom::c::give(headroom::report_json(
                          headroom::engine(session->session).encode(encode, texts, {rows, count * width})),
                      report);
  });
}
