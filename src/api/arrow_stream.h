#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/arrow_column.h"
#include "molgauge/arrow.h"

/// Tables passed through the Arrow C data interface (include/molgauge/arrow.h).
namespace molgauge::arrow {

/// Makes `out` a stream of one batch with the rows of `table`, which must be a structure. The receiver may
/// release the stream, the schema and the batch independently of each other.
void give_stream(Column table, ArrowArrayStream* out);

/// Makes `out` a second stream of the rows of `stream`. `stream` must come from give_stream(). Throws
/// UsageError if it does not.
void give_again(const ArrowArrayStream& stream, ArrowArrayStream* out);

/// Makes `out` a stream of one array. The stream takes ownership of both structs.
void give_array_stream(ArrowSchema* schema, ArrowArray* array, ArrowArrayStream* out);

/// A column of an input table.
struct InputColumn {
  std::string name;
  bool is_text = false;
  std::vector<std::optional<std::string>> texts = {};  ///< values of a text column
  std::vector<double> numbers = {};  ///< values of a column of another type. NaN stands for a missing value
};

struct InputTable {
  std::size_t rows = 0;
  std::vector<InputColumn> columns;
};

/// Reads all batches of a stream of structures. A stream of another type becomes a table with one column
/// without a name. Supported column types are text (utf8, large_utf8, utf8_view, dictionary-encoded),
/// numbers, bool and null. Always releases the stream. A stream without batches gives a table without rows.
/// Throws UsageError if a column has another type. Throws Error with the message of the producer if the
/// stream fails.
InputTable read_stream(ArrowArrayStream* stream);

}  // namespace molgauge::arrow
