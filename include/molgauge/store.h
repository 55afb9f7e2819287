#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/types.h"

namespace molgauge {

struct ImportFeaturesReport;
struct StoreInfo;
struct StoreRows;
struct StoreVerification;
struct WeightsInfo;

/// `molgauge store import`: imports a feature pickle of the Python project into the store, under the name
/// `name`. The numbers stay bit-identical.
struct ImportFeaturesRequest {
  using Report = ImportFeaturesReport;

  std::string file;      ///< pickle of {smiles: array}, at the top level or under the key "features"
  std::string name;      ///< name for --features imported:NAME. If empty, the name of the file is used
  std::string encoder;   ///< encoder of the features. If empty, the encoder that the file states, or minimol
  std::string store;     ///< folder of the feature store. If empty, $MOLGAUGE_HOME/store is used
  bool replace = false;  ///< overwrite rows of this name that differ. If false, such a row is an error
  bool strict = false;   ///< stop at the first entry that is not a molecule
  /// Threads for reading molecules. 0 starts one for each processor that this process may use.
  std::size_t threads = 0;
  bool quiet = false;
};

struct ImportFeaturesReport {
  std::string database, encoder, name;
  std::size_t rows = 0, imported = 0, width = 0;
  std::size_t rounded = 0;  ///< rows with float64 numbers that float32 cannot represent
  /// Entries that were left out. `line` is the number of the entry, counted from 1.
  std::vector<FailedMolecule> failed;
};

/// `molgauge store info`: lists the databases of the store.
struct StoreRequest {
  using Report = StoreInfo;

  std::string store;  ///< folder of the feature store. If empty, $MOLGAUGE_HOME/store is used
};

/// `molgauge store verify`: checks the checksum of every row.
struct VerifyStoreRequest {
  using Report = StoreVerification;

  std::string store;  ///< folder, as in StoreRequest
};

/// The number of rows that a store verb wrote or removed.
struct StoreRows {
  std::size_t rows = 0;
};

/// `molgauge store export`: writes the keys and rows of a database to a file.
struct ExportStoreRequest {
  using Report = StoreRows;

  std::string store;     ///< folder, as in StoreRequest
  std::string database;  ///< name of the database. If empty, the only database of the store is used
  std::string out;       ///< .npy, .safetensors or .h5
};

/// `molgauge store prune`: removes a database, or the damaged rows of all databases.
struct PruneStoreRequest {
  using Report = StoreRows;

  std::string store;     ///< folder, as in StoreRequest
  std::string database;  ///< name of the database to remove; empty if `damaged` is set
  bool damaged = false;  ///< remove the rows with a wrong checksum
};

/// A database of the store. It contains either the rows of one encoder, or values of varying size, such as
/// conformers. For values of varying size, `encoder` is the name of their kind.
struct StoreDatabase {
  std::string name, encoder, weights_sha256, options;
  std::size_t width = 0;  ///< numbers per row; 0 if the values vary in size
  std::size_t rows = 0;
  std::uint64_t bytes = 0;
};

struct StoreInfo {
  std::string folder;
  std::vector<StoreDatabase> databases;
  std::uint64_t bytes_used = 0, bytes_on_disk = 0;
};

struct StoreVerification {
  std::size_t rows = 0, damaged = 0;
  std::vector<std::string> findings;  ///< one line for each damaged part
};

struct WeightsInfo {
  std::string encoder, source, version, sha256, folder;
  std::size_t tensors = 0;
  std::uint64_t numbers = 0;
  std::string problem;  ///< what is wrong with the files; empty if they are intact
};

/// `molgauge weights list` and `molgauge weights verify`: list or check the installed weights.
struct WeightsRequest {
  using Report = std::vector<WeightsInfo>;

  std::string weights;  ///< folder of the installed weights. If empty, $MOLGAUGE_HOME/weights is used
};

/// `molgauge weights init`: creates random weights for tests and measurements.
struct InitWeightsRequest {
  using Report = WeightsInfo;

  std::string encoder;  ///< unimol
  std::uint64_t seed = 0;
  std::string variant = "no_h";  ///< no_h: atoms without hydrogens; all_h: atoms with hydrogens
  /// Sizes of the network. If not set, the published sizes are used.
  std::optional<std::size_t> layers = {}, width = {}, hidden = {}, heads = {}, kernels = {};
  std::string weights;  ///< target folder. If empty, $MOLGAUGE_HOME/weights is used
};

struct InstallWeightsRequest {
  using Report = WeightsInfo;

  std::string encoder = "minimol";
  std::string from;     ///< wheel, .pth, .safetensors or folder. If empty, pip downloads the wheel from PyPI
  std::string weights;  ///< target folder. If empty, $MOLGAUGE_HOME/weights is used
  /// The kind of weights, for encoders with several kinds. If empty, the file name determines the kind.
  std::string variant = {};
};

}  // namespace molgauge
