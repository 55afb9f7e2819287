#ifndef HEADROOM_H
#define HEADROOM_H

/*
 * The C API of Headroom, for programs in other languages. C++ programs use headroom/engine.h.
 *
 * Every function that can fail returns a status, which is the exit code of the command line. The text of the
 * error is kept for the thread that called, until its next call: headroom_last_error().
 *
 * A session belongs to the process: one may be open at a time. Its functions may be called from several
 * threads; calls that compute take their turns. Texts are UTF-8 and end with a zero byte.
 */

#include <stddef.h>
#include <stdint.h>

#include "headroom/arrow.h"

#if defined(_WIN32)
#define HEADROOM_API
#else
#define HEADROOM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It is raised if a function or the meaning of an argument changes, or if a
 * struct changes other than at its end. Additions do not raise it, so a program that was compiled with an
 * older header runs with a newer library of the same version:
 *
 * - headroom_session_options begins with its size. Fields that the size does not include have the value 0.
 * - headroom_progress may get further fields at its end. The library makes it, so older callbacks read a
 * part.
 * - headroom_texts, headroom_numbers and the structs of headroom/arrow.h never change.
 */
#define HEADROOM_API_VERSION 1

typedef enum headroom_status {
  HEADROOM_DONE = 0,
  HEADROOM_FAILED = 1,
  HEADROOM_WRONG_USAGE = 2,   /* a request that does not exist, does not fit or has no effect */
  HEADROOM_INPUT_REFUSED = 3, /* a bad file, or no valid molecule */
  HEADROOM_OVER_BUDGET = 4,   /* does not fit the memory budget even at the smallest batch */
  HEADROOM_INTERRUPTED = 130  /* headroom_stop() was called, or the process got a signal */
} headroom_status;

typedef enum headroom_log_level {
  HEADROOM_LOG_TRACE,
  HEADROOM_LOG_DEBUG,
  HEADROOM_LOG_INFO,
  HEADROOM_LOG_WARNING,
  HEADROOM_LOG_ERROR,
  HEADROOM_LOG_OFF
} headroom_log_level;

/* How far a piece of long work has come. `total` is 0 where it is not known; `finished` is 1 in the last
 * report of a piece of work. The texts live until the function returns. */
typedef struct headroom_progress {
  const char* title; /* what is being done: "encode" */
  const char* unit;  /* what is counted, one of it: "molecule" */
  uint64_t done, total;
  double per_second;
  int finished;
} headroom_progress;

/* Called from any thread, one call at a time; they must return soon and must not call the session. */
typedef void (*headroom_log_function)(void* user, headroom_log_level level, const char* text);
typedef void (*headroom_progress_function)(void* user, const headroom_progress* progress);

typedef struct headroom_session_options {
  size_t struct_size; /* sizeof(headroom_session_options), so that fields can be added */
  headroom_log_level log_level;
  headroom_log_function log;           /* NULL: lines are written to stderr */
  headroom_progress_function progress; /* NULL: drawn on stderr */
  void* user;                          /* handed to both functions */
  int quiet;                           /* 1: no information and no progress */
} headroom_session_options;

typedef struct headroom_session headroom_session;

/* The version of Headroom, for example "1.0.0". */
HEADROOM_API const char* headroom_version(void);
HEADROOM_API int headroom_api_version(void);
/* The instruction set whose kernels are in use on this CPU, for example "avx2". "unknown" if
 * HEADROOM_CPU_LEVEL names a level that this CPU does not have. The memory library has no kernels and lacks
 * this function. */
HEADROOM_API const char* headroom_instruction_set(void);

/* What the last call of this thread failed with; "" where it did not. */
HEADROOM_API const char* headroom_last_error(void);

/* Opens the session of the process; `options` may be NULL. Fails with HEADROOM_WRONG_USAGE where one is open.
 */
HEADROOM_API headroom_status headroom_open(const headroom_session_options* options,
                                           headroom_session** session);

/* Sets the level of the log of an open session. Lines below the level are left out. */
HEADROOM_API headroom_status headroom_set_log_level(headroom_session* session, headroom_log_level level);

/* Ends the session. A call that is running in another thread is asked to stop, as by headroom_stop(), and
 * waited for; none may begin meanwhile. NULL is ignored. */
HEADROOM_API void headroom_close(headroom_session* session);

/* Asks the call that is running to stop. What is finished is kept. Safe from any thread and in a signal
 * handler. */
HEADROOM_API void headroom_stop(headroom_session* session);

/* The names of the verbs of headroom_run(), separated by spaces: "baseline conformers diff ...". The text
 * lives as long as the library. docs/reference/c-api-verbs.md lists the keys of their requests. */
HEADROOM_API const char* headroom_verbs(void);

/* Runs a verb. The request and the report are JSON.
 *
 * `verb`: a name of headroom_verbs(). diff, explain and simulate are verbs of `headroom memory`. `request`:
 * an object whose keys are the options of the command line with underscores
 * ("memory_budget"), and its arguments in small letters ("molecules"). An unknown key is an error. NULL: no
 * options. `report`: as docs/reference/formats.md describes it. Pass it to headroom_free(). It is NULL if the
 * call fails. Pass NULL if you do not need the report.
 */
HEADROOM_API headroom_status headroom_run(headroom_session* session, const char* verb, const char* request,
                                          char** report);

/* Explains a memory snapshot of PyTorch, an allocation trace of Headroom, or the text of an out-of-memory
 * error that the caller has in memory. `request`: options of `headroom memory explain` as JSON, without
 * "file" and "message". `report`: as headroom_run() gives it for the verb explain. */
HEADROOM_API headroom_status headroom_explain(headroom_session* session, const char* request,
                                              const char* content, size_t size, char** report);

/* Numbers of one molecule's features. */
HEADROOM_API headroom_status headroom_encoder_width(headroom_session* session, const char* encoder,
                                                    size_t* width);

/* Encodes molecules in memory. Row i of `rows` [count, width], row by row, becomes the features of
 * smiles[i]; all of it is NaN where the molecule could not be encoded.
 *
 * `request`: options of `encode` as JSON, without molecules and out; NULL: the defaults.
 * `report`: as headroom_run() gives it, with all failed molecules. NULL if you do not need it. A list without
 * any valid molecule is no error.
 */
HEADROOM_API headroom_status headroom_encode(headroom_session* session, const char* request,
                                             const char* const* smiles, size_t count, float* rows,
                                             size_t width, char** report);

/*
 * Calls with molecules in memory. Molecules and results are Arrow streams (headroom/arrow.h). No file is
 * written outside the store, unless the request names one.
 *
 * `molecules`: a column of SMILES, or a table with the column "smiles", perhaps a column "name", and columns
 * of numbers that the request names. Text may be utf8, large_utf8, utf8_view or dictionary-encoded. A null is
 * a molecule that fails. The function takes the stream over and releases it in any case. The result: a stream
 * of one batch. Row i belongs to molecule i. The caller releases it. Its `release` is NULL if the call fails.
 * `request`: options of the verb as JSON, without the names of files that molecules in memory replace.
 * `report`: JSON for headroom_free(). NULL if you do not need it.
 */

/* Columns in plain arrays. Text i of a column consists of the bytes characters[offsets[i]] to
 * characters[offsets[i + 1]], without the last one. */
typedef struct headroom_texts {
  const char* name;
  const char* characters;
  const int64_t* offsets; /* one more than there are texts */
} headroom_texts;

typedef struct headroom_numbers {
  const char* name;
  const double* values; /* NaN: missing */
} headroom_numbers;

/* Makes a stream of a table with `count` rows. Copies the columns. The functions below read the columns of
 * text "smiles", "name" and "atoms". */
HEADROOM_API headroom_status headroom_plain_stream(size_t count, const headroom_texts* texts,
                                                   size_t texts_count, const headroom_numbers* numbers,
                                                   size_t numbers_count, struct ArrowArrayStream* stream);

/* Makes a stream of one array. Takes both structs over and releases them in any case. */
HEADROOM_API headroom_status headroom_array_stream(struct ArrowSchema* schema, struct ArrowArray* array,
                                                   struct ArrowArrayStream* stream);

/* Makes a second stream of the rows of a result, from its beginning, without a copy of them. `result`: a
 * stream that a function of this header gave. */
HEADROOM_API headroom_status headroom_stream_again(const struct ArrowArrayStream* result,
                                                   struct ArrowArrayStream* stream);

/* Calibrates training molecules and saves the domain in the folder "save" of the request. The other options
 * are those of `headroom domain`. Columns of the table take the place of columns of a file ("label_column").
 * `calibration`: molecules with measured values and predictions. NULL if the training molecules have them or
 * if predictions are not judged. */
HEADROOM_API headroom_status headroom_fit_domain(headroom_session* session, const char* request,
                                                 struct ArrowArrayStream* training,
                                                 struct ArrowArrayStream* calibration, char** report);

/* Judges molecules with the saved domain that the request names as "train". `verdicts` has the columns of
 * domain.csv with types: text, float64, bool, and `nearest`, a list of the nearest training molecules. With
 * "prediction_column", predictions are judged, too. The domain stays in memory for the next call. */
HEADROOM_API headroom_status headroom_judge(headroom_session* session, const char* request,
                                            struct ArrowArrayStream* molecules,
                                            struct ArrowArrayStream* verdicts, char** report);

/* Runs `headroom domain` with candidates in memory: writes the CSV file "out" of the request, the JSON file
 * and the page next to it. */
HEADROOM_API headroom_status headroom_domain(headroom_session* session, const char* request,
                                             struct ArrowArrayStream* molecules, char** report);

/* Scores molecules with the run that the request names as "run". `scores`: smiles, score, deviation,
 * disagreement, ood_prediction, resembles_training_ood, reason, and for a saved domain domain_p_value and
 * in_training. */
HEADROOM_API headroom_status headroom_score(headroom_session* session, const char* request,
                                            struct ArrowArrayStream* molecules,
                                            struct ArrowArrayStream* scores, char** report);

/* Predicts with the chemprop model that the request names as "model". `predictions`: smiles, the columns of
 * `headroom predict` (float64, null if the molecule failed), and reason. "descriptor_columns" of the request
 * names columns of numbers of `molecules`. */
HEADROOM_API headroom_status headroom_predict(headroom_session* session, const char* request,
                                              struct ArrowArrayStream* molecules,
                                              struct ArrowArrayStream* predictions, char** report);

/* As headroom_encode(). `features`: a fixed-size list of float32, null if the molecule failed, and reason. */
HEADROOM_API headroom_status headroom_features(headroom_session* session, const char* request,
                                               struct ArrowArrayStream* molecules,
                                               struct ArrowArrayStream* features, char** report);

/* As headroom_features(), with the features of atoms, too, for encoders that compute them (unimol).
 * `features`: features, atoms, a list of rows of the same width for the atoms of the molecule, and reason. */
HEADROOM_API headroom_status headroom_atom_features(headroom_session* session, const char* request,
                                                    struct ArrowArrayStream* molecules,
                                                    struct ArrowArrayStream* features, char** report);

/* Makes 3D coordinates with the options of `headroom conformers`. `conformers`: mol_block, a record of an
 * .sdf file, atoms, a list of symbol, x, y and z (angstrom) with hydrogens, and reason. */
HEADROOM_API headroom_status headroom_conformers(headroom_session* session, const char* request,
                                                 struct ArrowArrayStream* molecules,
                                                 struct ArrowArrayStream* conformers);

/* Draws molecules. Width and height are 16 to 2,000. A column "atoms" with numbers from 0, separated by
 * spaces, names atoms to be coloured. `drawings`: drawing, an SVG element for a page, and reason. */
HEADROOM_API headroom_status headroom_depict(headroom_session* session, int width, int height,
                                             struct ArrowArrayStream* molecules,
                                             struct ArrowArrayStream* drawings);

/* Frees a text that a function of this header gave. NULL is ignored. */
HEADROOM_API void headroom_free(char* text);

#ifdef __cplusplus
}
#endif

#endif
