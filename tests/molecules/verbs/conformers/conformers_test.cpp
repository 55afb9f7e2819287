// Tests the conformers of molecules. They are generated once and stored. Each failure and each fallback is
// reported.

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/threads/worker_group.h"
#include "molecules/encoding/session/conformer_maker.h"
#include "molgauge/engine.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

using ::testing::HasSubstr;

class Conformers : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  ConformersRequest request(const std::string& molecules) const {
    replace_file(path("molecules.smi"), molecules);
    ConformersRequest request;
    request.molecules = path("molecules.smi");
    request.out = path("out.sdf");
    request.store = path("store");
    request.threads = 2;
    request.quiet = true;
    return request;
  }
  ConformersReport make(const ConformersRequest& request) { return engine(session_).run(request); }
  std::size_t records_of(const std::string& sdf) const {
    const std::string text = read_file(sdf);
    std::size_t count = 0;
    for (std::size_t at = text.find("$$$$"); at != std::string::npos; at = text.find("$$$$", at + 4)) {
      ++count;
    }
    return count;
  }

  Session session_;
  TemporaryFolder folder_;
};

const std::string kMolecules = "CCO\nCC(=O)Oc1ccccc1C(=O)O\nnonsense\nO=[As]O\nCCO\nc1ccccc1\n";

TEST_F(Conformers, OfATableHaveTheNamesOfItsRowsAsTitles) {
  ConformersRequest named = request("");
  named.molecules = path("named.csv");
  replace_file(named.molecules, "id,smiles\nfirst,CCO\nwrong,C(C\n,CCN\nlast,CCC\n");
  make(named);
  const std::string sdf = read_file(path("out.sdf"));
  EXPECT_TRUE(sdf.starts_with("first\n")) << sdf.substr(0, 40);
  EXPECT_THAT(sdf, HasSubstr("$$$$\n\n"));  // the row without a name
  EXPECT_THAT(sdf, HasSubstr("$$$$\nlast\n"));
}

TEST_F(Conformers, ArePlacedInTheOrderOfTheInput) {
  const ConformersReport report = make(request(kMolecules));
  EXPECT_EQ(report.rows, 6U);
  EXPECT_EQ(report.made + report.from_store, 5U);
  EXPECT_EQ(report.unrefined, 1U);
  ASSERT_EQ(report.failed_records, 1U);
  EXPECT_EQ(report.failed[0].line, 3U);
  EXPECT_EQ(report.failed[0].text, "nonsense");
  const std::string sdf = read_file(path("out.sdf"));
  EXPECT_EQ(records_of(path("out.sdf")), 5U);
  EXPECT_LT(sdf.find("<input>\nCCO\n"), sdf.find("<input>\nCC(=O)O"));
  EXPECT_THAT(sdf, HasSubstr("<mmff>\nno parameters\n"));
}

TEST_F(Conformers, ComeFromTheStoreTheSecondTime) {
  make(request(kMolecules));
  const std::string first = read_file(path("out.sdf"));
  const ConformersReport again = make(request(kMolecules));
  EXPECT_EQ(again.made, 0U);
  EXPECT_EQ(again.from_store, 5U);
  EXPECT_EQ(again.unrefined, 1U) << "fallbacks are reported again";
  // RDKit writes the time into the second line of a block.
  const auto without_times = [](const std::string& sdf) {
    std::string text;
    for (std::size_t at = 0; at < sdf.size();) {
      const std::size_t end = std::min(sdf.find('\n', at), sdf.size() - 1) + 1;
      text += sdf.substr(at, end - at).find("RDKit") == std::string::npos ? sdf.substr(at, end - at) : "";
      at = end;
    }
    return text;
  };
  EXPECT_EQ(without_times(read_file(path("out.sdf"))), without_times(first));

  const StoreInfo info = engine(session_).run(StoreRequest{path("store")});
  ASSERT_EQ(info.databases.size(), 1U);
  EXPECT_EQ(info.databases[0].encoder, "conformers");
  EXPECT_EQ(info.databases[0].rows, 4U) << "CCO came twice";
  EXPECT_THAT(info.databases[0].options, HasSubstr("rdkit="));
  EXPECT_EQ(engine(session_).run(VerifyStoreRequest{path("store")}).rows, 4U);
  EXPECT_EQ(engine(session_)
                .run(ExportStoreRequest{path("store"), info.databases[0].name, path("out.safetensors")})
                .rows,
            4U);
  EXPECT_THROW(
      engine(session_).run(ExportStoreRequest{path("store"), info.databases[0].name, path("out.npy")}).rows,
      UsageError);
  EXPECT_EQ(engine(session_).run(PruneStoreRequest{path("store"), info.databases[0].name}).rows, 4U);
  EXPECT_GE(make(request(kMolecules)).made, 4U) << "nothing is left in the store";
}

TEST_F(Conformers, OfTheFastEngineAreStoredApart) {
  make(request(kMolecules));
  EXPECT_EQ(read_file(path("out.sdf")).find("<engine>"), std::string::npos);
  ConformersRequest fast = request(kMolecules);
  fast.options.engine = ConformerEngine::fast;
  const ConformersReport report = make(fast);
  EXPECT_GE(report.made, 4U) << "the conformers of RDKit are not used";
  EXPECT_EQ(report.from_exact, 0U);
  EXPECT_EQ(report.unrefined, 1U);
  EXPECT_THAT(read_file(path("out.sdf")), HasSubstr("<engine>\nfast\n"));
  EXPECT_EQ(make(fast).made, 0U);
  EXPECT_EQ(engine(session_).run(StoreRequest{path("store")}).databases.size(), 2U);
}

TEST_F(Conformers, ThatCannotBeEmbeddedAreFlatOrFail) {
  ConformersRequest molybdenum = request("CS[CH-][Mo+2]1234(C#[O+])(C#[O+])C5=C1[C-]2C3=C54\nCO\n");
  EXPECT_EQ(make(molybdenum).flat, 1U);
  EXPECT_THAT(read_file(path("out.sdf")), HasSubstr("<places>\n2d\n"));
  molybdenum.options.fallback = ConformerFallback::fail;
  const ConformersReport report = make(molybdenum);
  EXPECT_EQ(report.flat, 0U);
  ASSERT_EQ(report.failed_records, 1U) << "its stored conformer is not used either";
  EXPECT_THAT(report.failed[0].reason, HasSubstr("3D embedding failed"));
}

TEST_F(Conformers, OfThreeDimensionalInputAreTakenAsTheyAre) {
  make(request("CCO\n"));
  std::filesystem::rename(path("out.sdf"), path("in.sdf"));
  ConformersRequest again = request("CCO\n");
  again.molecules = path("in.sdf");
  const ConformersReport report = make(again);
  EXPECT_EQ(report.own, 1U);
  EXPECT_EQ(report.made + report.from_store, 0U);
  const std::string in = read_file(path("in.sdf"));
  EXPECT_TRUE(read_file(path("out.sdf")).starts_with(in.substr(0, in.find("M  END"))));
}

TEST_F(Conformers, LimitsHoldForEachMoleculeByItself) {
  ConformersRequest limited = request("CCO\n" + std::string(300, 'C') + "\nCO\n");
  limited.options.max_atoms = 100;
  const ConformersReport report = make(limited);
  EXPECT_EQ(report.made, 2U);
  ASSERT_EQ(report.failed_records, 1U);
  EXPECT_THAT(report.failed[0].reason, HasSubstr("more than the maximum of 100"));
  limited.options.max_atoms = 0;
  EXPECT_THROW(make(limited), UsageError);
  ConformersRequest strict = request("CCO\nnonsense\n");
  strict.strict = true;
  EXPECT_THROW(make(strict), InputError);
  EXPECT_THROW(make(request("nonsense\n")), InputError) << "not a molecule";
  ConformersRequest wrong = request("C\n");
  wrong.out = path("out.mol2");
  EXPECT_THROW(make(wrong), UsageError);
}

TEST_F(Conformers, HaveADeadline) {
  ConformersRequest impossible = request("CCN\nCN\n");
  impossible.options.deadline_seconds = 1e-9;  // no conformer is ready in a nanosecond
  EXPECT_THROW(make(impossible), InputError);
  impossible.options.deadline_seconds = 0;
  EXPECT_THROW(make(impossible), UsageError);
}

class ConformersOfEachEngine : public Conformers, public testing::WithParamInterface<ConformerEngine> {};

TEST_P(ConformersOfEachEngine, DependOnNeitherThreadsNorOrder) {
  std::string chains;
  for (int i = 1; i < 24; ++i) {
    chains += std::string(static_cast<std::size_t>(i % 8 + 1), 'C') + "O" +
              std::string(static_cast<std::size_t>(i / 8 + 1), 'N') + "\n";
  }
  const std::vector<chem::MoleculeRecord> records = [&] {
    std::vector<chem::MoleculeRecord> all;
    for (std::size_t at = 0; at < chains.size(); at = chains.find('\n', at) + 1) {
      chem::MoleculeRecord record;
      record.text = chains.substr(at, chains.find('\n', at) - at);
      all.push_back(std::move(record));
    }
    return all;
  }();
  const auto place_all = [&](const std::string& store, std::size_t threads, bool is_reversed = false) {
    std::vector<chem::MadeConformer> made(records.size());
    session::ConformerMaker maker(
        store::BlobStore::open(path(store), store::Access::write).table(session::conformer_space(GetParam())),
        {.engine = GetParam()});
    parallel_for(records.size(), threads, [&](std::size_t i) {
      const std::size_t at = is_reversed ? records.size() - 1 - i : i;
      made[at] = maker.make(records[at]);
    });
    maker.flush();
    return made;
  };
  const auto one = place_all("one", 1);
  EXPECT_EQ(place_all("many", 4), one);
  EXPECT_EQ(place_all("reversed", 2, true), one);
  EXPECT_EQ(place_all("one", 3), one) << "from the store";
}

INSTANTIATE_TEST_SUITE_P(Engines, ConformersOfEachEngine,
                         testing::Values(ConformerEngine::exact, ConformerEngine::fast),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

/// A run that is killed at any time keeps the conformers that it finished at least half a second earlier. The
/// next run continues.
TEST_F(Conformers, SurviveAKill) {
  std::string chains;
  for (int i = 0; i < 100; ++i) {
    chains += std::string(static_cast<std::size_t>(i % 12 + 6), 'C') + "N" +
              std::string(static_cast<std::size_t>(i / 12 + 1), 'C') + "\n";
  }
  const ConformersRequest all = request(chains);
  const pid_t child = fork();
  if (child == 0) {
    try {
      make(all);
    } catch (...) {
    }
    _exit(0);
  }
  // The store contains some conformers before the kill.
  const auto is_something_stored = [&] {
    try {
      const StoreInfo info = engine(session_).run(StoreRequest{path("store")});
      return std::any_of(info.databases.begin(), info.databases.end(),
                         [](const StoreDatabase& database) { return database.rows > 0; });
    } catch (const Error&) {
      return false;  // the store does not exist yet
    }
  };
  while (!is_something_stored()) {
    ASSERT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "it ended before it could be killed";
    usleep(20'000);
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(std::filesystem::exists(path("out.sdf")));
  EXPECT_EQ(engine(session_).run(VerifyStoreRequest{path("store")}).damaged, 0U);
  const ConformersReport report = make(all);
  EXPECT_GT(report.from_store, 0U);
  EXPECT_EQ(report.made + report.from_store, 100U);
  EXPECT_EQ(records_of(path("out.sdf")), 100U);
}

}  // namespace
}  // namespace molgauge::test
