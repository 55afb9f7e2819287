#include <fstream>

#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/hash.h"
#include "base/core/json/sealed_json.h"
#include "base/core/text/hexadecimal.h"
#include "fuzzed.h"
#include "pockets/graphs/graph_set_writer.h"
#include "pockets/graphs/manifest.h"

namespace {

using namespace molgauge;

constexpr const char* kGraph = "a_model0";

pocket::Terms terms_of(std::int64_t places, std::int64_t attributes) {
  pocket::Terms terms{ops::Integers{places, 2}, ops::Floats{2, attributes}};
  for (std::int64_t i = 0; i < 2 * places; ++i) {
    terms.atoms.data()[i] = i % 2 == 0 ? i / 2 : places - 1 - i / 2;
  }
  std::fill_n(terms.attributes.data(), 2 * attributes, 0.5F);
  return terms;
}

/// Writes a valid set. Later, one of its files is replaced by the fuzzed input.
void write_whole(const std::filesystem::path& folder) {
  pocket::Pockets pocket;
  pocket.sizes = {5};
  pocket.features = ops::Floats{5, 3};
  pocket.positions = ops::Floats{5, 3};
  for (std::int64_t i = 0; i < 15; ++i) {
    pocket.features.data()[i] = static_cast<float>(i % 4);
    pocket.positions.data()[i] = static_cast<float>(i * 7 % 11);
  }
  pocket.bonds = terms_of(2, 2);
  pocket.angles = terms_of(3, 2);
  pocket.dihedrals = terms_of(4, 3);
  pocket.pairs = terms_of(2, 3);
  pocket::GraphSetWriter writer(folder, {.source = "amber"});
  writer.add(kGraph, "made of nothing", pocket);
  writer.commit();
}

/// Makes the checksums in the manifest right. Otherwise changed files would be refused before they are
/// parsed.
void admit(const std::filesystem::path& manifest, const std::filesystem::path& graph) {
  auto fields = nlohmann::json::parse(read_file(manifest), nullptr, /*allow_exceptions=*/false);
  if (!fields.is_object()) {
    return;
  }
  if (fields.contains("graphs") && fields["graphs"].is_array() && !fields["graphs"].empty() &&
      fields["graphs"][0].is_object()) {
    const std::string content = read_file(graph);
    fields["graphs"][0]["bytes"] = content.size();
    fields["graphs"][0]["checksum"] = to_hexadecimal(hash128(content));
  }
  fields.erase("checksum");
  std::ofstream(manifest) << sealed(fields).dump();
}

}  // namespace

/// The first byte of the input chooses the file. The other bytes become the content of the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::filesystem::path folder = fuzz::file_of(data, 0, "whole").parent_path() / "graph-set",
                              manifest = folder / pocket::kManifestFile,
                              graph = pocket::graph_file(folder, kGraph);
  std::filesystem::remove(manifest);
  write_whole(folder);
  std::ofstream(data[0] % 2 == 0 ? manifest : graph, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
  admit(manifest, graph);
  return fuzz::allow_input_errors([&] {
    const auto set = pocket::GraphSet::open(folder);
    for (std::size_t i = 0; i < set.graphs().size(); ++i) {
      pocket::arrange(set.load(i), set.graphs()[i].name);
    }
  });
}
