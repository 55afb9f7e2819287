#include "every_verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/options/tables.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/store/weights/weight_store.h"
#include "pickle_writer.h"
#include "pocket_set.h"
#include "small_force_field.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMolecules = 40;

/// Writes inputs of `pocket build`: structures with a table and a force field, and graphs of the Python
/// project.
void make_pocket_inputs(const fs::path& folder) {
  fs::create_directory(folder / "structures");
  for (const char* const name : {"1abc", "2abc"}) {
    replace_file(folder / "structures" / (std::string(name) + ".pdb"),
                 small_rna(2) + small_ligand(name[0] == '1' ? 1.0 : 1.5) + "END\n");
  }
  replace_file(folder / "c.xml", small_force_field());
  replace_file(folder / "c.hariboss.csv", "id,sm_ligand_ids\n1ABC,MG\n2ABC,MG\n");
  replace_file(folder / "c.complexes.csv", "id,sm_ligand_ids\n1ABC,AAA\n2ABC,BBB\n");
  fs::create_directory(folder / "python");
  for (const char* const name : {"1abc_LIG_model0.pt", "1abc_LIG_model1.pt"}) {
    fs::copy(own_data("pocket/graphs") / name, folder / "python" / name);
  }
  fs::copy(own_data("pocket/node_feature_norm_params.npz"), folder / "c.norm.npz");
}

/// Installs a model of the tests under the name of published models.
void install_models(const fs::path& folder) {
  fs::create_directories(folder / "models");
  fs::copy(own_data("chemprop/v2_regression.pt"), folder / "models/model_0.pt");
  store::WeightManifest manifest;
  manifest.encoder = kInstalled;
  manifest.files = {{"models/model_0.pt", store::sha256_of_file(folder / "models/model_0.pt")}};
  store::write_files_manifest(folder, manifest);
}

}  // namespace

std::vector<VerbOfFiles> verbs_of_files() {
  using options::table;
  const std::vector<std::string> molecules = {"t.csv", "t.smi", "c.csv", "c.smi", "c.failed.csv", "t.json"},
                                 benchmarks = {"t.json", "c.json"},
                                 features = {".npy", ".h5", ".safetensors"},
                                 table_or_page = {".csv", ".html"}, rows = {".h5", ".npz"},
                                 recordings = {"c.pickle", "c.trace"},
                                 other_recordings = {"c.trace", "c.pickle"}, json = {".json"},
                                 page = {".html"};
  const std::vector<std::string> ecfp = {"--encoder", "ecfp"};
  return {
      {{"encode"},
       table<EncodeRequest>(),
       {{"MOLECULES", molecules}},
       {{"out", features}, {"atom-features", rows}, {"pair-features", rows}},
       ecfp,
       3},
      {{"encode"},
       table<EncodeRequest>(),
       {{"MOLECULES", molecules}},
       {},
       {"--encoder", "ecfp", "--shard", "1/2"},
       1},
      {{"shards", "verify"}, table<VerifyShardsRequest>(), {{"FOLDER", {"shards"}}}, {}, {}, 0.2},
      {{"shards", "join"}, table<JoinShardsRequest>(), {{"FOLDER", {"shards"}}}, {{"out", {".npy"}}}},
      {{"conformers"}, table<ConformersRequest>(), {{"MOLECULES", {"c.smi", "c.csv"}}}, {{"out", {".sdf"}}}},
      {{"doctor", "--try"}, table<TryRequest>(), {{"MOLECULES", {"c.csv"}}}, {}, ecfp, 0.02},
      {{"split"},
       table<SplitRequest>(),
       {{"MOLECULES", molecules}},
       {{"out", json}},
       {"--domain", "size", "--algorithm", "drugood"},
       2},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"t.csv", "t.smi", "t.json"}}, {"CANDIDATES", molecules}},
       {{"out", {".csv"}}},
       ecfp,
       5},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"saved", "saved-model"}}, {"CANDIDATES", molecules}},
       {{"out", {".csv"}}},
       {},
       2},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"t.csv", "t.smi", "saved"}}, {"CANDIDATES", {"y.csv"}}},
       {{"out", {".csv"}}},
       {"--calibration", "y.csv", "--label-column", "y", "--prediction-column", "p", "--encoder", "ecfp"},
       1},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"t.csv", "t.smi"}}, {"CANDIDATES", molecules}, {"model", {"c.pt", kInstalled, "run"}}},
       {{"out", {".csv"}}},
       {},
       1,
       "model"},
      {{"train"},
       table<TrainRequest>(),
       {{"BENCHMARK", benchmarks}, {"ood", {"y.csv", "c.smi", "nci"}}, {"splits-cache", {"c.json"}}},
       {},
       {"--encoder", "ecfp", "--epochs", "1"},
       2},
      {{"evaluate"}, table<EvaluateRequest>(), {{"RUN", {"run"}}, {"data", benchmarks}}, {}, {}, 2},
      {{"score"},
       table<ScoreRequest>(),
       {{"RUN", {"run", "saved"}}, {"MOLECULES", molecules}},
       {{"out", {".csv"}}, {"page", page}},
       {},
       3},
      {{"predict"},
       table<PredictRequest>(),
       {{"MODEL", {"c.pt", kInstalled}}, {"MOLECULES", molecules}},
       {{"out", {".csv"}}},
       {},
       2},
      {{"baseline"},
       table<BaselineRequest>(),
       {{"BENCHMARK", benchmarks}},
       {},
       {"--encoder", "ecfp", "--method", "raw_knn"},
       1},
      {{"experiment"}, table<ExperimentRequest>(), {{"SPEC", {"c.toml"}}}, {}, {}, 1},
      {{"report"}, table<ReportRequest>(), {{"DIR", {"run", "matrix"}}}, {{"out", page}}, {}, 2},
      {{"pocket", "build"},
       table<PocketBuildRequest>(),
       {{"INPUT", {"amber", "amber/0abc_L00_model0_rna.prmtop"}}},
       {},
       {},
       2},
      {{"pocket", "build"},
       table<PocketBuildRequest>(),
       {{"INPUT", {"structures"}}},
       {},
       {"--force-field", "c.xml", "--hariboss-csv", "c.hariboss.csv"},
       0.5},
      {{"pocket", "build"},
       table<PocketBuildRequest>(),
       {{"INPUT", {"python"}}},
       {},
       {"--normalization", "c.norm.npz"},
       0.5},
      {{"pocket", "ligands"},
       table<PocketLigandsRequest>(),
       {{"COMPOUNDS", {"c.compounds.csv"}}},
       {{"out", rows}},
       {"--encoder", "ecfp", "--hariboss-csv", "c.complexes.csv"},
       0.5},
      {{"pocket", "ligands"},
       table<PocketLigandsRequest>(),
       {{"COMPOUNDS", {"c.compounds.csv"}}},
       {{"out", rows}},
       ecfp,
       1},
      {{"pocket", "train"},
       table<PocketTrainRequest>(),
       {{"GRAPHS", {"graphs"}}, {"ligands", {"c.npz"}}, {"splits", {"pockets/splits.json"}}},
       {},
       {"--epochs", "1", "--hidden-irreps", "4x0e + 2x1o", "--num-layers", "1"},
       1},
      {{"pocket", "embed"},
       table<PocketEmbedRequest>(),
       {{"ENCODER", {"pockets", "pockets/best_model.safetensors"}}, {"GRAPHS", {"graphs"}}},
       {{"out", rows}}},
      {{"pocket", "search"},
       table<PocketSearchRequest>(),
       {{"ENCODER", {"pockets"}}, {"GRAPHS", {"graphs"}}, {"ligands", {"c.npz"}}},
       {{"out", json}, {"page", page}}},
      {{"pocket", "evaluate"},
       table<PocketEvaluateRequest>(),
       {{"ENCODER", {"pockets"}},
        {"GRAPHS", {"graphs"}},
        {"ligands", {"c.npz"}},
        {"splits", {"pockets/splits.json"}}},
       {{"out", json}, {"page", page}}},
      {{"store", "info"}, table<StoreRequest>(), {}, {}, {}, 0.2},
      {{"store", "verify"}, table<VerifyStoreRequest>(), {}, {}, {}, 0.2},
      {{"store", "prune"}, table<PruneStoreRequest>(), {}, {}, {"--damaged"}, 0.2},
      {{"store", "export"}, table<ExportStoreRequest>(), {}, {{"out", features}}, {}, 1},
      {{"store", "import"}, table<ImportFeaturesRequest>(), {{"FILE", {"t.pickle"}}}, {}, {}, 0.5},
      {{"weights", "list"}, table<WeightsRequest>(), {}, {}, {}, 0.1},
      {{"weights", "verify"}, table<WeightsRequest>(), {}, {}, {}, 0.1},
      {{"weights", "install", "minimol"},
       table<InstallWeightsRequest>(),
       {{"from", {"c.pickle", "run/best_model.safetensors"}}},
       {},
       {},
       0.5},
      {{"weights", "init", "unimol"},
       table<InitWeightsRequest>(),
       {},
       {},
       {"--seed", "1", "--layers", "1", "--width", "8", "--hidden", "8", "--heads", "1", "--kernels", "2"},
       0.5},
      {{"memory", "simulate"}, table<SimulateMemoryRequest>(), {{"TRACE", recordings}}, {}, {}, 0.2},
      {{"memory", "diff"},
       table<DiffMemoryRequest>(),
       {{"BEFORE", recordings}, {"AFTER", other_recordings}},
       {},
       {},
       0.2},
      {{"memory", "explain"},
       table<ExplainMemoryRequest>(),
       {{"FILE", recordings}, {"OTHER-RANKS", other_recordings}},
       {{"page", {".html", ".pickle", ".trace"}}},
       {},
       3},
      {{"memory", "explain"}, table<ExplainMemoryRequest>(), {}, {}, {"--message", "c.message.txt"}, 0.2},
      {{"memory", "report"}, table<ReportMemoryRequest>(), {{"RUN", {"run"}}}, {}, {}, 0.2},
      {{"memory", "plan", "encode"}, {}, {}, {}, {"t.csv", "--encoder", "ecfp"}, 0.2},
      {{"memory", "watch"}, table<WatchMemoryRequest>(), {{"TARGET", {"run"}}}, {}, {}, 0.2},
      {{"migrate"}, {}, {}, {}, {"python", "main.py", "--mode", "train"}, 0.1},
      {{"serve", "--port", "0"},
       table<ServeRequest>(),
       {{"model", {"run", "saved", "saved-model", "c.pt", kInstalled}}, {"token-file", {"c.failed.csv"}}},
       {},
       {},
       0.3},
      {{"demo", "--molecules", "t.smi"}, {}, {}, {}, {}, 0.05},
  };
}

void make_inputs_of_every_verb(const fs::path& folder) {
  const PocketSet set;
  ASSERT_EQ(set.train("pockets", {"--epochs", "1"}).exit_code, 0);
  for (const char* const name : {"amber", "graphs", "pockets"}) {
    fs::copy(set.path(name), folder / name, fs::copy_options::recursive);
  }
  fs::copy(set.ligands(), folder / "c.npz");
  make_pocket_inputs(folder);
  const Workplace place;
  const std::string table = read_file(place.nci_table(kMolecules));
  replace_file(folder / "t.csv", table);
  replace_file(folder / "c.csv", table.substr(0, table.find('\n', 200) + 1));
  replace_file(folder / "c.failed.csv", read_file(folder / "c.csv"));
  replace_file(folder / "t.smi", read_file(place.nci_molecules(kMolecules)));
  replace_file(folder / "c.smi", read_file(place.nci_molecules(4)));
  replace_file(folder / "c.compounds.csv", "id,canonical_smiles\nAAA,CCO\nBBB,CCN\n");
  replace_file(folder / "t.pickle", feature_cache({{"CCO", {1, 2}}, {"c1ccccc1", {3, 4}}}));
  fs::copy(own_data("allocator/protocol4.pickle"), folder / "c.pickle");
  replace_file(folder / "c.toml", R"([matrix]
encoders = ["ecfp"]
seeds = [1]
[training]
epochs = 1
[[benchmark]]
name = "b"
file = "t.json"
[[method]]
name = "energy-dpo"
loss = "dpo"
)");
  replace_file(
      folder / "c.message.txt",
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity "
      "of 15.70 GiB of which 1.20 GiB is free.\n");
  replace_file(folder / "notes.txt", "notes of the user");
  fs::create_directory(folder / "mine");
  for (const char* const name : {"molecules.csv", "config.json", "manifest.json", "notes.txt"}) {
    replace_file(folder / "mine" / name, "a file of the user");
  }
  // The parts of the benchmark must be large enough, so the table has more molecules than the calls read.
  const std::string at = folder.string() + "/";
  const std::vector<std::string> store = {"--store", at + "store", "--quiet"};
  const auto call = [&](std::vector<std::string> words) {
    words.insert(words.end(), store.begin(), store.end());
    const Outcome outcome = molgauge(words);
    ASSERT_EQ(outcome.exit_code, 0) << fmt::format("{}", fmt::join(words, " ")) << outcome.err;
  };
  ASSERT_EQ(place.split(place.nci_molecules(400), at + "t.json", {"--algorithm", "drugood"}).exit_code, 0);
  fs::copy(at + "t.json", at + "c.json");
  fs::copy(own_data("chemprop/v2_regression.pt"), at + "c.pt");
  call({"train", at + "t.json", "--run", at + "run", "--encoder", "ecfp", "--epochs", "1", "--memory-trace",
        at + "c.trace"});
  call({"evaluate", at + "run"});
  call({"domain", at + "t.csv", at + "c.csv", "--encoder", "ecfp", "--save", at + "saved", "--out",
        at + "earlier.csv"});
  call({"domain", at + "t.csv", at + "c.csv", "--model", at + "c.pt", "--save", at + "saved-model", "--out",
        at + "earlier.csv"});
  install_models(folder / "weights" / kInstalled);
  std::string measured = "smiles,y,p\n";
  for (std::size_t i = 1; i <= kMolecules; ++i) {
    measured += fmt::format("{}O,{},{}\n", std::string(i, 'C'), i, static_cast<double>(i) + 0.1 * (i % 5));
  }
  replace_file(folder / "y.csv", measured);
  call({"experiment", at + "c.toml", "--out", at + "matrix"});
  for (const char* const shard : {"1/2", "2/2"}) {
    call({"encode", at + "t.csv", "--encoder", "ecfp", "--shard", shard, "--out", at + "shards"});
  }
}

}  // namespace molgauge::test
