#ifndef MOLGAUGE_H
#define MOLGAUGE_H

/*
 * The C API of Molgauge, for programs in other languages. C++ programs use molgauge/engine.h.
 *
 * Every function that can fail returns a status. The status has the value of the exit code of the command
 * line. If a call fails, molgauge_last_error() returns the text of the error in the thread that made the
 * call. The text is replaced when this thread makes its next call.
 *
 * A process can have one open session at a time. Several threads may use it. Calls that compute run one after
 * another. Texts are UTF-8 and end with a zero byte.
 */

/* C programs include this header. NOLINTBEGIN(modernize-deprecated-headers, modernize-use-using) */
#include <stddef.h>
#include <stdint.h>

#include "molgauge/arrow.h"

#if defined(_WIN32)
#define MOLGAUGE_API
#else
#define MOLGAUGE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It is raised if a function, the meaning of an argument or an existing part
 * of a struct changes. It is not raised for additions, so a program that was compiled with an older header
 * runs with a newer library of the same version:
 *
 * - molgauge_session_options begins with its size. Fields beyond this size have the value 0.
 * - molgauge_progress may get further fields at its end. The library fills it, so older callbacks ignore
 *   these fields.
 * - molgauge_texts, molgauge_numbers and the structs of molgauge/arrow.h never change.
 */
#define MOLGAUGE_API_VERSION 1

typedef enum molgauge_status {
  MOLGAUGE_DONE = 0,
  MOLGAUGE_FAILED = 1,
  MOLGAUGE_WRONG_USAGE = 2,   /* an unknown, contradictory or ineffective request */
  MOLGAUGE_INPUT_REFUSED = 3, /* a bad file, or no valid molecule */
  MOLGAUGE_OVER_BUDGET = 4,   /* does not fit the budget even with the smallest batch */
  MOLGAUGE_INTERRUPTED = 130  /* molgauge_stop() was called, or the process got a signal */
} molgauge_status;

typedef enum molgauge_log_level {
  MOLGAUGE_LOG_TRACE,
  MOLGAUGE_LOG_DEBUG,
  MOLGAUGE_LOG_INFO,
  MOLGAUGE_LOG_WARNING,
  MOLGAUGE_LOG_ERROR,
  MOLGAUGE_LOG_OFF
} molgauge_log_level;

/* The progress of long work. `total` is 0 if it is not known. `finished` is 1 in the last report of this
 * work. The texts are valid until the callback returns. */
typedef struct molgauge_progress {
  const char* title; /* the name of the work, for example "encode" */
  const char* unit;  /* the name of one counted thing, for example "molecule" */
  uint64_t done, total;
  double per_second;
  int finished;
} molgauge_progress;

/* Callbacks for the log and for the progress. The library calls them from any thread, one call at a time.
 * They must return soon and must not call functions of the session. */
typedef void (*molgauge_log_function)(void* user, molgauge_log_level level, const char* text);
typedef void (*molgauge_progress_function)(void* user, const molgauge_progress* progress);

typedef struct molgauge_session_options {
  size_t struct_size; /* sizeof(molgauge_session_options), so that fields can be added */
  molgauge_log_level log_level;
  molgauge_log_function log;           /* NULL: lines are written to stderr */
  molgauge_progress_function progress; /* NULL: drawn on stderr */
  void* user;                          /* passed to both functions */
  int quiet;                           /* 1: no information and no progress */
} molgauge_session_options;

typedef struct molgauge_session molgauge_session;

/* The version of Molgauge, for example "1.0.0". */
MOLGAUGE_API const char* molgauge_version(void);
MOLGAUGE_API int molgauge_api_version(void);
/* The instruction set whose kernels are in use on this CPU, for example "avx2". "unknown" if
 * MOLGAUGE_CPU_LEVEL names a level that this CPU does not have. The memory library has no kernels and lacks
 * this function. */
MOLGAUGE_API const char* molgauge_instruction_set(void);

/* The text of the error of the last call in this thread, or "" if the call did not fail. */
MOLGAUGE_API const char* molgauge_last_error(void);

/* Opens the session of the process. `options` may be NULL. Fails with MOLGAUGE_WRONG_USAGE if a session is
 * already open. */
MOLGAUGE_API molgauge_status molgauge_open(const molgauge_session_options* options,
                                           molgauge_session** session);

/* Sets the level of the log of an open session. Lines below the level are left out. */
MOLGAUGE_API molgauge_status molgauge_set_log_level(molgauge_session* session, molgauge_log_level level);

/* Ends the session. If a call is running in another thread, molgauge_close() stops it as molgauge_stop() does
 * and waits until it returns. No other call may begin during this time. NULL is ignored. */
MOLGAUGE_API void molgauge_close(molgauge_session* session);

/* Asks the running call to stop. Finished work is kept. May be called from any thread and in a signal
 * handler. */
MOLGAUGE_API void molgauge_stop(molgauge_session* session);

/* The names of the verbs of molgauge_run(), separated by spaces: "baseline conformers diff ...". The text
 * lives as long as the library. docs/reference/c-api-verbs.md lists the keys of their requests. */
MOLGAUGE_API const char* molgauge_verbs(void);

/* Runs a verb. The request and the report are JSON.
 *
 * `verb`: a name of molgauge_verbs(). diff, explain and simulate are verbs of `molgauge memory`.
 * `request`: an object, or NULL for no options. Its keys are the options of the command line with underscores
 * ("memory_budget"), and the arguments in lower case ("molecules"). An unknown key is an error.
 * `report`: docs/reference/formats.md describes it. Free it with molgauge_free(). It becomes NULL if the call
 * fails. Pass NULL if you do not need the report.
 */
MOLGAUGE_API molgauge_status molgauge_run(molgauge_session* session, const char* verb, const char* request,
                                          char** report);

/* Explains a memory snapshot of PyTorch, an allocation trace of Molgauge, or the text of an out-of-memory
 * error that the caller has in memory. `request`: options of `molgauge memory explain` as JSON, without
 * "file" and "message". `report`: as in molgauge_run() for the verb explain. */
MOLGAUGE_API molgauge_status molgauge_explain(molgauge_session* session, const char* request,
                                              const char* content, size_t size, char** report);

/* Sets `width` to the number of features that the encoder computes for one molecule. */
MOLGAUGE_API molgauge_status molgauge_encoder_width(molgauge_session* session, const char* encoder,
                                                    size_t* width);

/* Encodes molecules in memory. Row i of `rows` (row-major, [count, width]) receives the features of
 * smiles[i]. The whole row is NaN if the molecule could not be encoded. It is not an error if all molecules
 * are invalid.
 *
 * `request`: options of `molgauge encode` as JSON, without "molecules" and "out". NULL selects the defaults.
 * `report`: as in molgauge_run(), with all failed molecules. Pass NULL if you do not need it.
 */
MOLGAUGE_API molgauge_status molgauge_encode(molgauge_session* session, const char* request,
                                             const char* const* smiles, size_t count, float* rows,
                                             size_t width, char** report);

/*
 * Calls with molecules in memory. Molecules and results are Arrow streams (molgauge/arrow.h). No file is
 * written outside the store, unless the request names one.
 *
 * `molecules`: a column of SMILES, or a table with the column "smiles". The table may also have a column
 * "name", and columns of numbers that the request names. Text may be utf8, large_utf8, utf8_view or
 * dictionary-encoded. A null counts as a molecule that fails. The function takes ownership of the stream and
 * always releases it.
 * Result: a stream of one batch, in which row i belongs to molecule i. The caller releases the stream. If the
 * call fails, the `release` of the stream is NULL.
 * `request`: options of the verb as JSON, without the names of files that molecules in memory replace.
 * `report`: JSON text. Free it with molgauge_free(). Pass NULL if you do not need it.
 */

/* A column of texts in plain arrays. Text i consists of the bytes from characters[offsets[i]] up to, but not
 * including, characters[offsets[i + 1]]. */
typedef struct molgauge_texts {
  const char* name;
  const char* characters;
  const int64_t* offsets; /* number of texts + 1 offsets */
} molgauge_texts;

typedef struct molgauge_numbers {
  const char* name;
  const double* values; /* NaN: missing */
} molgauge_numbers;

/* Makes a stream of a table with `count` rows and copies the columns into it. The functions below read the
 * text columns "smiles", "name" and "atoms". */
MOLGAUGE_API molgauge_status molgauge_plain_stream(size_t count, const molgauge_texts* texts,
                                                   size_t texts_count, const molgauge_numbers* numbers,
                                                   size_t numbers_count, struct ArrowArrayStream* stream);

/* Makes a stream of one array. The stream takes ownership of both structs. */
MOLGAUGE_API molgauge_status molgauge_array_stream(struct ArrowSchema* schema, struct ArrowArray* array,
                                                   struct ArrowArrayStream* stream);

/* Makes a second stream that reads the rows of a result from the beginning, without a copy of the rows.
 * `result`: a stream that a function of this header returned. */
MOLGAUGE_API molgauge_status molgauge_stream_again(const struct ArrowArrayStream* result,
                                                   struct ArrowArrayStream* stream);

/* Builds a domain from training molecules, calibrates it and saves it in the folder "save" of the request.
 * The other options are options of `molgauge domain`. Options that name columns, such as "label_column", name
 * columns of the tables. The label column may contain numbers, bool or text
 * (docs/reference/formats-input.md). `calibration`: molecules with measured values and predictions. Pass NULL
 * if the training molecules have them or if predictions are not judged. */
MOLGAUGE_API molgauge_status molgauge_fit_domain(molgauge_session* session, const char* request,
                                                 struct ArrowArrayStream* training,
                                                 struct ArrowArrayStream* calibration, char** report);

/* Judges molecules with the saved domain that the request names as "train". `verdicts` has the columns of
 * domain.csv as text, float64 or bool, and the column `nearest`, a list of the nearest training molecules. If
 * the request has "prediction_column", the predictions in this column are also judged. The domain stays in
 * memory for the next call. */
MOLGAUGE_API molgauge_status molgauge_judge(molgauge_session* session, const char* request,
                                            struct ArrowArrayStream* molecules,
                                            struct ArrowArrayStream* verdicts, char** report);

/* Runs `molgauge domain` with candidates in memory. It writes the CSV file "out" of the request, and the JSON
 * file and the HTML page next to it. */
MOLGAUGE_API molgauge_status molgauge_domain(molgauge_session* session, const char* request,
                                             struct ArrowArrayStream* molecules, char** report);

/* Scores molecules with the run that the request names as "run". `scores` has the columns smiles, score,
 * deviation, disagreement, ood_prediction, resembles_training_ood and reason. For a saved domain, it also has
 * domain_p_value and in_training. */
MOLGAUGE_API molgauge_status molgauge_score(molgauge_session* session, const char* request,
                                            struct ArrowArrayStream* molecules,
                                            struct ArrowArrayStream* scores, char** report);

/* Predicts with the chemprop model that the request names as "model". `predictions` has the columns smiles
 * and reason, and the columns of `molgauge predict` (float64, null if the molecule failed).
 * "descriptor_columns" of the request names numeric columns of `molecules`. */
MOLGAUGE_API molgauge_status molgauge_predict(molgauge_session* session, const char* request,
                                              struct ArrowArrayStream* molecules,
                                              struct ArrowArrayStream* predictions, char** report);

/* Encodes molecules with the options of molgauge_encode(). The result has two columns: features (a fixed-size
 * list of float32, null if the molecule failed) and reason. */
MOLGAUGE_API molgauge_status molgauge_features(molgauge_session* session, const char* request,
                                               struct ArrowArrayStream* molecules,
                                               struct ArrowArrayStream* features, char** report);

/* Like molgauge_features(), for encoders that also compute atom features (unimol). The result has the columns
 * features, atoms and reason. `atoms` contains a list of rows for each molecule: one row for each atom, with
 * the width of `features`. */
MOLGAUGE_API molgauge_status molgauge_atom_features(molgauge_session* session, const char* request,
                                                    struct ArrowArrayStream* molecules,
                                                    struct ArrowArrayStream* features, char** report);

/* Generates 3D conformers with the options of `molgauge conformers`. The result has the columns mol_block (a
 * record of an .sdf file), atoms (a list of symbol, x, y and z in angstrom, including hydrogens) and
 * reason. */
MOLGAUGE_API molgauge_status molgauge_conformers(molgauge_session* session, const char* request,
                                                 struct ArrowArrayStream* molecules,
                                                 struct ArrowArrayStream* conformers);

/* Draws molecules. Width and height are from 16 to 2,000. The optional column "atoms" of `molecules` contains
 * the numbers of the atoms to colour, counted from 0 and separated by spaces. The result has the columns
 * drawing (an SVG element for an HTML page) and reason. */
MOLGAUGE_API molgauge_status molgauge_depict(molgauge_session* session, int width, int height,
                                             struct ArrowArrayStream* molecules,
                                             struct ArrowArrayStream* drawings);

/* Frees a text that a function of this header returned, such as a report. NULL is ignored. */
MOLGAUGE_API void molgauge_free(char* text);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-deprecated-headers, modernize-use-using) */

#endif
