#include <fmt/format.h>

#include "core/bytes.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "page/text_table.h"
#include "print.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void info(const std::string& folder) {
  const StoreInfo store = load_engine().store_info(folder);
  page::TextTable table({"database", "encoder", "weights", "options", "width", "rows"});
  for (const auto& database : store.databases) {
    table.add_row({database.name, database.encoder, database.weights_sha256.substr(0, 12), database.options,
                   database.width == 0 ? "varies" : std::to_string(database.width),
                   std::to_string(database.rows)});
  }
  print_result("{}: {} in use, {} on disk\n{}", store.folder, format_bytes(store.bytes_used),
               format_bytes(store.bytes_on_disk),
               store.databases.empty() ? "  (empty)\n" : table.to_string());
}

void verify(const std::string& folder) {
  const StoreVerification result = load_engine().store_verify(folder);
  for (const auto& finding : result.findings) {
    print_result("{}\n", finding);
  }
  print_result("{}, {} damaged\n", counted(result.rows, "row"), result.damaged);
  if (result.damaged > 0) {
    throw InputError("the store has damaged rows; remove them with: headroom store prune --damaged");
  }
}

void import_features(const ImportFeaturesRequest& request) {
  const ImportFeaturesReport report = load_engine().store_import(request);
  print_failed(report.failed);
  print_result(
      "{}: {} of {} imported, {} wide, into {}; train on them with: --encoder {} --features "
      "imported:{}\n",
      request.file, report.imported, counted(report.rows, "row"), report.width, report.database,
      report.encoder, report.name);
  if (report.rounded > 0) {
    print_result("{} with float64 numbers rounded to float32\n", counted(report.rounded, "row"));
  }
}

void add_import(CLI::App& store, Verbs& verbs) {
  auto request = std::make_shared<ImportFeaturesRequest>();
  auto* const command =
      store.add_subcommand("import", "Take in features that the Python project computed (its .pkl cache)");
  add_options(*command, *request);
  verbs.push_back({command, [request] { import_features(*request); }});
}

}  // namespace

void add_store(CLI::App& app, Verbs& verbs) {
  auto* const store =
      app.add_subcommand("store", "Look into, fill, export, check and clean the feature store");
  store->require_subcommand(1);
  auto folder = std::make_shared<std::string>();
  auto database = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  auto damaged = std::make_shared<bool>(false);

  auto* const info_command = store->add_subcommand("info", "Show the databases, their encoders and sizes");
  auto* const export_command = store->add_subcommand("export", "Write a database's keys and rows to a file");
  add_import(*store, verbs);
  auto* const verify_command = store->add_subcommand("verify", "Check every row against its checksum");
  auto* const prune_command = store->add_subcommand("prune", "Remove a database, or damaged rows");
  for (auto* const command : {info_command, export_command, verify_command, prune_command}) {
    add_store_option(*command, *folder);
  }
  export_command->add_option("--database", *database, "Which one, as store info names it [the only one]");
  export_command
      ->add_option(
          "--out", *out,
          ".npy (keys in NAME.keys.txt), .safetensors or .h5; .safetensors for values that vary in size")
      ->required();
  auto* const which = prune_command->add_option("--database", *database, "Remove this database");
  auto* const damaged_flag =
      prune_command->add_flag("--damaged", *damaged, "Remove rows that fail their checksum");
  which->excludes(damaged_flag);

  verbs.push_back({info_command, [folder] { info(*folder); }});
  verbs.push_back({verify_command, [folder] { verify(*folder); }});
  verbs.push_back({export_command, [folder, database, out] {
                     print_result("{}: {}\n", *out,
                                  counted(load_engine().store_export(*folder, *database, *out), "row"));
                   }});
  verbs.push_back({prune_command, [folder, database, damaged] {
                     if (database->empty() && !*damaged) {
                       throw UsageError("store prune: say what to remove, --database NAME or --damaged");
                     }
                     print_result("{} removed\n",
                                  counted(load_engine().store_prune(*folder, *database, *damaged), "row"));
                   }});
}

}  // namespace headroom::cli
