#include "commands.h"

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "table_options.h"

namespace headroom::cli {
namespace {

/// The end of the help of a command.
struct Ending {
  const char* text = "";
  bool has_encoders = false;  ///< the list of encoders follows
};

constexpr Ending kEncoders = {.has_encoders = true};

struct Command {
  const char* name;     ///< after the names of its parents: "store info"
  const char* summary;  ///< in the help
  void (*add)(CLI::App& command, Verbs& verbs);
  Ending ending = {};
};

/// Only holds further commands.
void group(CLI::App& command, Verbs& /*verbs*/) { command.require_subcommand(1); }

/// A command whose options are the rows of its request.
template <typename Request, void (*action)(const Request&) = run>
void verb(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<Request>();
  add_options(command, *request);
  verbs.push_back({&command, [request, &command] {
                     refuse_options_without_effect(command, options::view(*request));
                     action(*request);
                   }});
}

std::shared_ptr<bool> add_json(CLI::App& command) {
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON instead of text (docs/reference/formats.md)");
  return json;
}

/// As above, with --json.
template <typename Request>
void json_verb(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<Request>();
  add_options(command, *request);
  verbs.push_back({&command, [request, json = add_json(command)] { run(*request, *json); }});
}

/// Plans a verb. The options are those that memory depends on.
template <typename Request>
void plan(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<Request>();
  auto wanted = std::make_shared<PlanMemoryRequest>();
  add_options_of_plan(command, options::mutable_view(*request));
  const auto json = add_json(command);
  if constexpr (std::is_same_v<Request, EncodeRequest>) {
    add_options(command, *wanted);
  }
  verbs.push_back({&command, [=, &command] {
                     refuse_options_without_effect(command, options::view(*request));
                     wanted->work = *request;
                     run(*wanted, *json);
                   }});
}

/// In the order of the help.
constexpr Command kCommands[] = {
    {"demo", "Which new molecules 5,000 real ones cover; then a benchmark of them, from SMILES to scores",
     add_demo},
    {"doctor",
     "Tell what this machine has, and what to do about what it lacks; with --try, encode, train and evaluate "
     "a small set of molecules as usual, with half the memory and with --conservative, and compare",
     add_doctor, kEncoders},
    {"weights", "Install and check the weights of pretrained encoders", group},
    {"weights install", "Fetch, check and convert an encoder's published weights",
     verb<InstallWeightsRequest>},
    {"weights init", "Make random weights for tests and measurements; results of them need --random-weights",
     verb<InitWeightsRequest>},
    {"weights list", "Show what is installed", verb<WeightsRequest>},
    {"weights verify", "Check the installed files against their SHA-256",
     verb<WeightsRequest, verify_weights>},
    {"domain", "Which candidates lie outside what a model was trained on, and what is foreign about them",
     verb<DomainRequest>, kEncoders},
    {"split",
     "Make an out-of-distribution benchmark from labelled molecules, or of the split in a folder of GOOD's "
     "processed files",
     verb<SplitRequest>},
    {"encode", "Encode molecules into the feature store, and to a file", verb<EncodeRequest>, kEncoders},
    {"shards", "Check and join what encode --shard has written", group},
    {"shards verify", "Check that every shard is there, finished and undamaged", verb<VerifyShardsRequest>},
    {"shards join", "Write the rows of all shards to one file", verb<JoinShardsRequest>},
    {"conformers",
     "Place the atoms of molecules in space (ETKDG, MMFF94), and keep the places in the store",
     verb<ConformersRequest>,
     {"Molecules of an .sdf that are three-dimensional are taken as they are. A second run takes all places "
      "from the store.\nExample: headroom conformers molecules.csv --out molecules.sdf"}},
    {"store", "Look into, fill, export, check and clean the feature store", group},
    {"store info", "Show the databases, their encoders and sizes", verb<StoreRequest>},
    {"store export", "Write a database's keys and rows to a file", verb<ExportStoreRequest>},
    {"store import", "Take in features that the Python project computed (its .pkl cache)",
     verb<ImportFeaturesRequest>},
    {"store verify", "Check every row against its checksum", verb<VerifyStoreRequest>},
    {"store prune", "Remove a database, or damaged rows", verb<PruneStoreRequest>},
    {"train", "Train an energy head that tells in- from out-of-distribution", verb<TrainRequest>, kEncoders},
    {"evaluate", "Measure a run's best model on test molecules", verb<EvaluateRequest>},
    {"predict", "Predict properties of molecules with trained chemprop models", verb<PredictRequest>},
    {"score",
     "How far new molecules are out of distribution by a run of train or baseline, or a saved domain: higher "
     "is further",
     add_score},
    {"baseline",
     "Score a benchmark with the usual baselines on a classifier of its labels",
     verb<BaselineRequest>,
     {"--device is the encoder's; classifiers and methods are computed on the CPU.", /*has_encoders=*/true}},
    {"experiment", "Run a matrix of benchmarks, encoders, methods and seeds; resume it where it stopped",
     verb<ExperimentRequest>},
    {"pocket", "RNA binding pockets: their graphs, their encoder, the ligands that fit", group},
    {"pocket build",
     "Make graphs of RNA binding pockets, from AMBER topologies, structures or the Python project's graphs",
     verb<PocketBuildRequest>,
     {"A pocket without a graph is reported in failed_graph_construction.csv, and the others go on.\n"
      "Example: headroom pocket build amber/ --out graphs"}},
    {"pocket ligands",
     "Make the rows that pockets are trained towards, of the ligands' SMILES",
     verb<PocketLigandsRequest>,
     {"Example: headroom pocket ligands compounds.csv --out ligands.h5", /*has_encoders=*/true}},
    {"pocket train",
     "Train an encoder that places pockets beside the rows of their ligands",
     verb<PocketTrainRequest>,
     {"Example: headroom pocket train graphs --ligands ligands.h5 --run runs/pocket"}},
    {"pocket embed",
     "Write a row for each pocket",
     verb<PocketEmbedRequest>,
     {"Example: headroom pocket embed runs/pocket graphs --out pockets.h5"}},
    {"pocket search",
     "Find the ligands of a library that lie nearest to pockets",
     verb<PocketSearchRequest>,
     {"Example: headroom pocket search runs/pocket graphs --ligands library.h5 --out matches.json"}},
    {"pocket evaluate",
     "Rank the true ligands of pockets among a library's",
     verb<PocketEvaluateRequest>,
     {"Example: headroom pocket evaluate runs/pocket graphs --ligands library.h5 --out ranks.json"}},
    {"report", "Write a page with tables and figures of a matrix, a run or baselines", add_report},
    {"memory", "Plan memory, and say where it goes: of runs, processes and traces", group},
    {"memory plan", "Say what a command would take, phase by phase, and what would be chosen within a budget",
     group},
    {"memory plan encode", "Plan headroom encode", plan<EncodeRequest>, kEncoders},
    {"memory plan domain", "Plan headroom domain: encoding, then comparing with the training molecules",
     plan<DomainRequest>, kEncoders},
    {"memory plan train", "Plan headroom train: encoding, then training the head", plan<TrainRequest>,
     kEncoders},
    {"memory plan baseline", "Plan headroom baseline: encoding, then training the classifier",
     plan<BaselineRequest>, kEncoders},
    {"memory plan pocket", "Plan headroom pocket train", plan<PocketTrainRequest>, kEncoders},
    {"memory simulate", "Run a recorded program again under other allocator settings or on another card",
     json_verb<SimulateMemoryRequest>},
    {"memory explain", "Say why memory ran out or was wasted, and what would have cured it",
     json_verb<ExplainMemoryRequest>},
    {"memory diff", "Show what grew from one recording to another, by stack and phase",
     json_verb<DiffMemoryRequest>},
    {"memory report", "Show the phases of a finished run against plan and budget",
     json_verb<ReportMemoryRequest>},
    {"memory watch", "Show what a process takes until it ends; of a run also its phase and batches",
     add_watch},
    {"serve", "The same answers on a web page, and for programs over HTTP, on this machine", add_serve},
    {"migrate",
     "Translate a command line or a script of the Python project: headroom migrate SCRIPT, or headroom "
     "migrate python main.py --mode train ...",
     add_migrate},
};

/// Adds the subcommand below its parents, which come before it in the table.
CLI::App& add_below_parents(CLI::App& app, const Command& command) {
  CLI::App* parent = &app;
  std::string_view name = command.name;
  for (std::size_t end = name.find(' '); end != std::string_view::npos; end = name.find(' ')) {
    parent = parent->get_subcommand(std::string(name.substr(0, end)));
    name.remove_prefix(end + 1);
  }
  return *parent->add_subcommand(std::string(name), command.summary);
}

}  // namespace

void add_commands(CLI::App& app, Verbs& verbs) {
  for (const Command& row : kCommands) {
    CLI::App& command = add_below_parents(app, row);
    row.add(command, verbs);
    if (row.ending.has_encoders) {
      end_with_encoders(command, row.ending.text);
    } else if (row.ending.text[0] != '\0') {
      command.footer(row.ending.text);
    }
  }
}

}  // namespace headroom::cli
