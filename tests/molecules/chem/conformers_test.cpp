#include <algorithm>
#include <csignal>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "molecules/chem/conformers/sdf_record.h"
#include "molecules/chem/conformers/worker_process.h"
#include "molecules/chem/input_conformer.h"
#include "records.h"

namespace molgauge::chem {
namespace {

using molgauge::test::smiles_record;
using testing::AnyOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

constexpr ConformerLimits kPatient{.deadline = std::chrono::duration<double>(120)};

/// Returns the reason why the process cannot make a conformer.
std::string refusal(WorkerProcess& worker, const std::string& smiles,
                    const ConformerLimits& limits = kPatient) {
  try {
    worker.make(smiles_record(smiles), limits);
    return "";
  } catch (const InvalidMolecule& failure) {
    return failure.what();
  }
}

TEST(MadeConformer, IsPackedAndUnpacked) {
  const MadeConformer made{
      {{8, 1}, {{0, 1, 2}, {-3.5F, 4, 1e-3F}}}, Embedding::flat, Refinement::no_parameters};
  const auto bytes = pack(made);
  EXPECT_EQ(unpack_conformer(bytes), made);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(unpack_conformer(std::span(bytes).first(length))) << length;
  }
  for (const std::size_t place : {0, 1, 2, 3, 4, 7}) {
    auto wrong = bytes;
    wrong[place] = std::byte{0xEE};
    EXPECT_FALSE(unpack_conformer(wrong)) << place;
  }
  auto nowhere = made;
  nowhere.conformer.positions[1][2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(unpack_conformer(pack(nowhere)));
  EXPECT_THAT(without_hydrogens(made.conformer).elements, SizeIs(1));
}

TEST(WorkerProcess, PlacesAMoleculeTheSameEveryTime) {
  WorkerProcess worker, other;
  const MadeConformer made = worker.make(smiles_record("CC(=O)Oc1ccccc1C(=O)O"), kPatient);
  EXPECT_THAT(made.conformer.elements, SizeIs(21));
  EXPECT_EQ(std::ranges::count(made.conformer.elements, 1), 8);
  EXPECT_EQ(made.embedding, Embedding::three_dimensional);
  EXPECT_NE(made.refinement, Refinement::none);
  worker.make(smiles_record("CCO"), kPatient);
  EXPECT_EQ(worker.make(smiles_record("CC(=O)Oc1ccccc1C(=O)O"), kPatient), made) << "after another one";
  EXPECT_EQ(other.make(smiles_record("CC(=O)Oc1ccccc1C(=O)O"), kPatient), made) << "in another process";
  EXPECT_EQ(worker.lost(), 0U);
}

TEST(WorkerProcess, SaysWhichPlacesAreNotWhatTheRecipeWants) {
  WorkerProcess worker;
  EXPECT_EQ(worker.make(smiles_record("C"), kPatient).refinement, Refinement::converged);
  EXPECT_EQ(worker.make(smiles_record("O=[As]O"), kPatient).refinement, Refinement::no_parameters);
  const MadeConformer flat =
      worker.make(smiles_record("CS[CH-][Mo+2]1234(C#[O+])(C#[O+])C5=C1[C-]2C3=C54"), kPatient);
  EXPECT_EQ(flat.embedding, Embedding::flat);
  EXPECT_EQ(flat.refinement, Refinement::none);
  EXPECT_TRUE(std::ranges::all_of(flat.conformer.positions, [](const auto& place) { return place[2] == 0; }));
}

TEST(WorkerProcess, RefusesWhatIsNoMolecule) {
  WorkerProcess worker;
  EXPECT_EQ(refusal(worker, ""), "empty");
  EXPECT_NE(refusal(worker, "C1CC"), "");
  EXPECT_NE(refusal(worker, "C(C)(C)(C)(C)C"), "");
  EXPECT_THAT(refusal(worker, std::string(400, 'C')), HasSubstr("1202 atoms with its hydrogens"));
  EXPECT_EQ(worker.lost(), 0U) << "no process died";
}

std::string peptide_of(int residues) {
  std::string peptide;
  for (int i = 0; i < residues / 2; ++i) {
    peptide += "N[C@@H](C)C(=O)N[C@@H](CO)C(=O)";
  }
  return peptide;
}

/// If the process that requests a conformer is killed, its worker process also ends and stops working on the
/// molecule.
TEST(WorkerProcess, EndsWithTheProcessThatAsks) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0)
      << "this process waits for the processes that its child leaves";
  int numbers[2];
  ASSERT_EQ(pipe(numbers), 0);
  const pid_t child = fork();
  if (child == 0) {
    WorkerProcess worker;
    worker.make(smiles_record("CO"), kPatient);
    const pid_t process = worker.process();
    if (write(numbers[1], &process, sizeof process) == sizeof process) {
      worker.make(smiles_record(peptide_of(86)), {.deadline = std::chrono::duration<double>(20)});
    }
    _exit(0);
  }
  pid_t process = 0;
  ASSERT_EQ(read(numbers[0], &process, sizeof process), static_cast<ssize_t>(sizeof process));
  usleep(200'000);  // RDKit now needs more than a minute for the peptide. If it has not started yet, the test
                    // still passes
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  int status = 0;
  EXPECT_EQ(waitpid(process, &status, 0), process);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status) << ", its alarm";
  close(numbers[0]);
  close(numbers[1]);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/// The molecules are invalid or take RDKit a long time. Before its deadline, each of them gets a conformer or
/// fails with a reason.
TEST(WorkerProcess, OutlivesHostileMolecules) {
  const std::string peptide = peptide_of(86);  // about 470 atoms
  std::string fragments = "C";
  for (int i = 0; i < 9'999; ++i) {
    fragments += ".C";
  }
  const std::vector<std::string> hostile = {
      std::string(2000, 'C'),
      "C12C3C4C1C5C2C3C45",
      "C1C2CC3CC1CC(C2)(C3)C12CC3CC(CC(C3)C1)C2",
      "C12=C3C4=C5C6=C1C7=C8C9=C1C%10=C%11C(=C29)C3=C2C3=C4C4=C5C5=C9C6=C7C6=C7C8=C1C1=C8C%10=C%10C%11=C2C2="
      "C3C3="
      "C4C4=C5C5=C%11C(=C59)C6=C5C7=C1C1=C6C8=C%10C2=C2C3=C3C4=C%11C5=C1C3=C26",
      "[Fe+2].[Cl-].[Cl-]",
      "[CH9]",
      "F[Xe](F)(F)(F)(F)F",
      peptide,
      "",
      fragments,
      "C.C.C.O.[Na+].[Cl-]",
  };
  WorkerProcess worker;
  const ConformerLimits limits{.deadline = std::chrono::duration<double>(3), .most_atoms = 700};
  for (const std::string& smiles : hostile) {
    SCOPED_TRACE(smiles.substr(0, 60));
    try {
      const MadeConformer made = worker.make(smiles_record(smiles), limits);
      EXPECT_FALSE(made.conformer.elements.empty());
    } catch (const InvalidMolecule& failure) {
      EXPECT_STRNE(failure.what(), "");
    }
    EXPECT_THAT(worker.make(smiles_record("CO"), kPatient).conformer.elements, SizeIs(6)) << "the next one";
  }
}

TEST(FaultyWorker, IsReplacedAndItsMoleculeFailsAlone) {
  WorkerProcess worker(FAULTY_WORKER);
  worker.make(smiles_record("fine"), kPatient);
  const pid_t first = worker.process();
  EXPECT_THAT(refusal(worker, "crash"), HasSubstr("crashed (signal 9"));
  worker.make(smiles_record("fine"), kPatient);
  EXPECT_NE(worker.process(), first);
  EXPECT_THAT(refusal(worker, "leave"), HasSubstr("exit code 3"));
  EXPECT_THAT(refusal(worker, "babble"), HasSubstr("returned an invalid answer"));
  EXPECT_EQ(worker.lost(), 3U);
  EXPECT_EQ(refusal(worker, "refuse"), "refused as asked");
  worker.make(smiles_record("fine"), kPatient);
  EXPECT_EQ(worker.lost(), 3U) << "a refusal does not end a process";
}

TEST(FaultyWorker, IsEndedAtTheDeadline) {
  WorkerProcess worker(FAULTY_WORKER);
  worker.make(smiles_record("fine"), kPatient);
  const pid_t process = worker.process();
  EXPECT_THAT(refusal(worker, "hang", {.deadline = std::chrono::duration<double>(0.2)}), HasSubstr("0.2 s"));
  EXPECT_EQ(kill(process, 0), -1) << "it still runs";
  worker.make(smiles_record("fine"), kPatient);
  EXPECT_EQ(worker.lost(), 1U);
}

TEST(FaultyWorker, ThatIsKilledBetweenMoleculesCostsTheNextOne) {
  WorkerProcess worker(FAULTY_WORKER);
  worker.make(smiles_record("fine"), kPatient);
  kill(worker.process(), SIGKILL);
  EXPECT_THAT(refusal(worker, "fine"), HasSubstr("crashed"));
  EXPECT_EQ(refusal(worker, "fine"), "");
}

TEST(FaultyWorker, ThatCannotBeStartedIsAnError) {
  WorkerProcess missing("/nowhere/worker"), silent("/bin/true");
  EXPECT_THAT([&] { missing.make(smiles_record("C"), kPatient); },
              ThrowsMessage<Error>(HasSubstr("/nowhere/worker")));
  EXPECT_THAT([&] { silent.make(smiles_record("C"), kPatient); },
              ThrowsMessage<Error>(HasSubstr("/bin/true")));
}

/// If the host ignores SIGCHLD, the kernel collects its children and reuses their numbers.
TEST(FaultyWorker, IsEndedAlsoIfTheHostIgnoresItsChildren) {
  const auto former = signal(SIGCHLD, SIG_IGN);
  {
    WorkerProcess worker(FAULTY_WORKER);
    worker.make(smiles_record("fine"), kPatient);
    EXPECT_THAT(refusal(worker, "crash"), HasSubstr("stopped answering")) << "the kernel has collected it";
    worker.make(smiles_record("fine"), kPatient);
    const pid_t process = worker.process();
    EXPECT_THAT(refusal(worker, "hang", {.deadline = std::chrono::duration<double>(0.2)}),
                HasSubstr("0.2 s"));
    EXPECT_EQ(kill(process, 0), -1) << "it still runs";
    worker.make(smiles_record("fine"), kPatient);
  }
  signal(SIGCHLD, former);
}

TEST(FaultyWorker, EndsWithItsObject) {
  pid_t process = 0;
  {
    WorkerProcess worker(FAULTY_WORKER);
    worker.make(smiles_record("fine"), kPatient);
    process = worker.process();
  }
  EXPECT_EQ(kill(process, 0), -1);
}

TEST(SdfRecord, IsReadBackAsItWasPlaced) {
  WorkerProcess worker;
  const MoleculeRecord record = smiles_record("C[C@H](N)C(=O)O");
  const MadeConformer made = worker.make(record, kPatient);
  const std::string sdf = sdf_record(record, made);
  EXPECT_THAT(sdf, HasSubstr("<input>\nC[C@H](N)C(=O)O\n"));
  EXPECT_THAT(sdf, HasSubstr("<places>\n3d\n"));
  const MoleculeRecord block = molgauge::test::mol_block_record(sdf.substr(0, sdf.find(">  <input>")));
  const auto own = input_conformer(block, Coordinates::all);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->elements, made.conformer.elements);
  for (std::size_t i = 0; i < own->positions.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(own->positions[i][axis], made.conformer.positions[i][axis], 1e-4);
    }
  }
  EXPECT_THROW(sdf_record(smiles_record("CC"), made), InvalidMolecule) << "another molecule's";
}

}  // namespace
}  // namespace molgauge::chem
