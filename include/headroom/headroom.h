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

#if defined(_WIN32)
#define HEADROOM_API
#else
#define HEADROOM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a function or the meaning of an argument changes; what is only added leaves it. */
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

/* "0.1.0" */
HEADROOM_API const char* headroom_version(void);
HEADROOM_API int headroom_api_version(void);

/* What the last call of this thread failed with; "" where it did not. */
HEADROOM_API const char* headroom_last_error(void);

/* Opens the session of the process; `options` may be NULL. Fails with HEADROOM_WRONG_USAGE where one is open.
 */
HEADROOM_API headroom_status headroom_open(const headroom_session_options* options,
                                           headroom_session** session);

/* Ends the session. A call that is running in another thread is asked to stop, as by headroom_stop(), and
 * waited for; none may begin meanwhile. NULL is ignored. */
HEADROOM_API void headroom_close(headroom_session* session);

/* Asks the call that is running to stop. What is finished is kept. Safe from any thread and in a signal
 * handler. */
HEADROOM_API void headroom_stop(headroom_session* session);

/* Runs a verb. The request and the report are JSON.
 *
 * `verb`: baseline, conformers, diff, domain, encode, encoders, evaluate, experiment, explain, pocket_build,
 * pocket_embed, pocket_evaluate, pocket_ligands, pocket_search, pocket_train, predict, report, score,
 * shards_join, shards_verify, simulate, split, store_export, store_import, store_info, store_prune, store_verify, train,
 * weights_init, weights_install or weights_list. diff, explain and simulate are verbs of `headroom memory`.
 * `request`: an object whose keys are the options of the command line with underscores ("memory_budget"), and
 * its arguments in small letters ("molecules"). An unknown key is an error. NULL: no options. `report`: as
 * docs/reference/formats.md describes it. Pass it to headroom_free(). It is NULL if the call fails. Pass NULL
 * if you do not need the report.
 */
HEADROOM_API headroom_status headroom_run(headroom_session* session, const char* verb, const char* request,
                                          char** report);

/* Numbers of one molecule's features. */
HEADROOM_API headroom_status headroom_encoder_width(headroom_session* session, const char* encoder,
                                                    size_t* width);

/* Encodes molecules in memory. Row i of `rows` [count, width], row by row, becomes the features of
 * smiles[i]; all of it is NaN where the molecule could not be encoded.
 *
 * `request`: options of `encode` as JSON, without molecules and out; NULL: the defaults.
 * `report`: as headroom_run() gives it, the failed molecules among it; NULL where it is not wanted.
 */
HEADROOM_API headroom_status headroom_encode(headroom_session* session, const char* request,
                                             const char* const* smiles, size_t count, float* rows,
                                             size_t width, char** report);

/* Frees a text that headroom_run() or headroom_encode() gave. NULL is ignored. */
HEADROOM_API void headroom_free(char* text);

#ifdef __cplusplus
}
#endif

#endif
