#include "commands.h"

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/command_line/table_options.h"

namespace molgauge::cli {
namespace {

/// The text after the options in the help of a command, and whether the list of encoders follows this text.
struct Ending {
  const char* text = "";
  bool has_encoders = false;
};

constexpr Ending kEncoders = {.has_encoders = true};

struct Command {
  const char* name;     ///< full name, such as "store info" for a subcommand
  const char* summary;  ///< one line in the help
  void (*add)(CLI::App& command, Verbs& verbs);
  Ending ending = {};
};

/// A command that only contains subcommands.
void group(CLI::App& command, Verbs& /*verbs*/) { command.require_subcommand(1); }

/// A command whose options are the fields of its request.
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
  put_in(
      command.add_flag("--json", *json, "Print JSON instead of text. docs/reference/formats.md describes it"),
      options::Group::output);
  return json;
}

/// Like verb(), for a command that also has the option --json.
template <typename Request>
void json_verb(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<Request>();
  add_options(command, *request);
  verbs.push_back({&command, [request, json = add_json(command)] { run(*request, *json); }});
}

/// Adds `molgauge memory plan VERB`, with only those options of the verb that affect memory.
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

/// All commands, in the order of the help. A parent comes before its subcommands.
constexpr Command kCommands[] = {
    {"demo", "Run the full workflow on 5,000 NCI molecules", add_demo},
    {"doctor", "Check the installation, hardware and weights", add_doctor, kEncoders},
    {"weights", "Install and check the weights of pretrained encoders", group},
    {"weights install", "Download, check and convert the published weights of an encoder",
     verb<InstallWeightsRequest>},
    {"weights init", "Create random weights for tests and benchmarks (use them with --random-weights)",
     verb<InitWeightsRequest>},
    {"weights list", "List the installed weights", verb<WeightsRequest>},
    {"weights verify", "Check the SHA-256 of the installed files", verb<WeightsRequest, verify_weights>},
    {"domain", "Flag candidates outside a model's training set, and say why", verb<DomainRequest>, kEncoders},
    {"split", "Create an out-of-distribution benchmark from labelled molecules or from a GOOD data set",
     verb<SplitRequest>},
    {"encode", "Encode molecules and store their features", verb<EncodeRequest>, kEncoders},
    {"shards", "Check and join the shards of a large encoding", group},
    {"shards verify", "Check that all shards are present, complete and undamaged", verb<VerifyShardsRequest>},
    {"shards join", "Write the rows of all shards to one file", verb<JoinShardsRequest>},
    {"conformers",
     "Generate 3D conformers (ETKDG, MMFF94)",
     verb<ConformersRequest>,
     {"3D coordinates in an .sdf are used unchanged. The store caches all conformers for later "
      "runs.\nExample: molgauge conformers molecules.csv --out molecules.sdf"}},
    {"store", "Inspect, fill, export, check and clean the feature store", group},
    {"store info", "List the databases with their encoders and sizes", verb<StoreRequest>},
    {"store export", "Export the keys and rows of a database to a file", verb<ExportStoreRequest>},
    {"store import", "Import features that the Python project computed (its .pkl cache)",
     verb<ImportFeaturesRequest>},
    {"store verify", "Check the checksum of every row", verb<VerifyStoreRequest>},
    {"store prune", "Remove a database or damaged rows", verb<PruneStoreRequest>},
    {"train", "Train an energy head to detect out-of-distribution molecules", verb<TrainRequest>, kEncoders},
    {"evaluate", "Evaluate the best model of a run on test molecules", verb<EvaluateRequest>},
    {"predict", "Predict properties of molecules with trained chemprop models", verb<PredictRequest>},
    {"score", "Score how far new molecules are out of distribution (a higher score is further)", add_score},
    {"baseline",
     "Train a classifier of the labels and evaluate published OOD detectors on it",
     verb<BaselineRequest>,
     {"--device selects the device of the encoder. Classifiers and methods run on the CPU.",
      /*has_encoders=*/true}},
    {"experiment", "Run or resume a matrix of benchmarks, encoders, methods and seeds",
     verb<ExperimentRequest>},
    {"pocket", "Build graphs of RNA pockets, train an encoder and search ligands", group},
    {"pocket build",
     "Build graphs of RNA pockets from AMBER topologies, structures or graphs of the Python project",
     verb<PocketBuildRequest>,
     {"If a pocket fails, failed_graph_construction.csv gives the reason and the build continues.\nExample: "
      "molgauge pocket build amber/ --out graphs"}},
    {"pocket ligands",
     "Encode ligands from their SMILES as training targets for pockets",
     verb<PocketLigandsRequest>,
     {"Example: molgauge pocket ligands compounds.csv --out ligands.h5", /*has_encoders=*/true}},
    {"pocket train",
     "Train an encoder that maps pockets close to their ligands",
     verb<PocketTrainRequest>,
     {"Example: molgauge pocket train graphs --ligands ligands.h5 --run runs/pocket"}},
    {"pocket embed",
     "Encode pockets and write a feature row for each",
     verb<PocketEmbedRequest>,
     {"Example: molgauge pocket embed runs/pocket graphs --out pockets.h5"}},
    {"pocket search",
     "Find the nearest ligands of a library for each pocket",
     verb<PocketSearchRequest>,
     {"Example: molgauge pocket search runs/pocket graphs --ligands library.h5 --out matches.json"}},
    {"pocket evaluate",
     "Rank the true ligand of each pocket within a ligand library",
     verb<PocketEvaluateRequest>,
     {"Example: molgauge pocket evaluate runs/pocket graphs --ligands library.h5 --out ranks.json"}},
    {"report", "Write an HTML report of a matrix, a run or baselines", add_report},
    {"memory", "Plan, measure and explain memory use", group},
    {"memory plan", "Project the peak memory of a command and show the chosen execution strategy", group},
    {"memory plan encode", "Plan molgauge encode", plan<EncodeRequest>, kEncoders},
    {"memory plan domain", "Plan molgauge domain (encoding, then comparison with the training molecules)",
     plan<DomainRequest>, kEncoders},
    {"memory plan predict", "Plan molgauge predict", plan<PredictRequest>},
    {"memory plan train", "Plan molgauge train (encoding, then training of the head)", plan<TrainRequest>,
     kEncoders},
    {"memory plan baseline", "Plan molgauge baseline (encoding, then training of the classifier)",
     plan<BaselineRequest>, kEncoders},
    {"memory plan pocket", "Plan molgauge pocket train", plan<PocketTrainRequest>, kEncoders},
    {"memory simulate",
     "Replay recorded allocations with other allocator settings or another memory capacity",
     json_verb<SimulateMemoryRequest>},
    {"memory explain", "Explain why memory ran out or was wasted, and suggest a fix",
     json_verb<ExplainMemoryRequest>},
    {"memory diff", "Compare two recordings and show which stacks and phases grew",
     json_verb<DiffMemoryRequest>},
    {"memory report", "Compare the phases of a finished run with its plan and budget",
     json_verb<ReportMemoryRequest>},
    {"memory watch", "Show the memory of a process or a run until it ends", add_watch},
    {"serve", "Serve results as a local web page and HTTP API", add_serve},
    {"migrate",
     "Translate commands of Mole-PAIR, the Python project that Molgauge replaces",
     add_migrate,
     {"Examples: molgauge migrate SCRIPT, molgauge migrate python main.py --mode train ..."}},
};

/// Adds the command to its parent command.
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

}  // namespace molgauge::cli
