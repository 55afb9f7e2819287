/*
 * A C program that passes tables to the library and back, in every order of releases. AddressSanitizer
 * watches it: the memory of a table is freed once, and not used afterwards.
 *
 *   molgauge_arrow_program STORE            # all calls, 150 with tables of verdicts
 *   molgauge_arrow_program STORE 10000      # the same with 10,000 such calls
 *   molgauge_arrow_program STORE misuse     # reads a released table: AddressSanitizer ends the program
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "molgauge/molgauge.h"

#define REQUIRE(condition)                                                               \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, molgauge_last_error()); \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)

enum { ETHERS = 200, LONGEST = 256, CALLS_OF_A_ROUND = 3 };

static molgauge_session* session;

/* ------------------------------------------------- a producer that counts its releases ------------------ */

static int released_schemas, released_arrays;

static void release_schema(struct ArrowSchema* schema) {
  ++released_schemas;
  schema->release = NULL;
}

static void release_array(struct ArrowArray* array) {
  ++released_arrays;
  free((void*)array->buffers[1]);
  free((void*)array->buffers[2]);
  free(array->buffers);
  array->release = NULL;
}

/* A column of one text. The buffers belong to the array. */
static void make_column(const char* text, struct ArrowSchema* schema, struct ArrowArray* array) {
  const size_t length = strlen(text);
  int32_t* const offsets = malloc(2 * sizeof(int32_t));
  char* const characters = malloc(length);
  const void** const buffers = malloc(3 * sizeof(void*));
  REQUIRE(offsets != NULL && characters != NULL && buffers != NULL);
  offsets[0] = 0;
  offsets[1] = (int32_t)length;
  memcpy(characters, text, length);
  buffers[0] = NULL;
  buffers[1] = offsets;
  buffers[2] = characters;
  memset(schema, 0, sizeof(*schema));
  schema->format = "u";
  schema->name = "smiles";
  schema->release = release_schema;
  memset(array, 0, sizeof(*array));
  array->length = 1;
  array->n_buffers = 3;
  array->buffers = buffers;
  array->release = release_array;
}

/* ------------------------------------------------- calls ---------------------------------------------------
 */

/* `count` ethers of growing length, from plain arrays that are freed at once. */
static struct ArrowArrayStream ethers(int count) {
  struct ArrowArrayStream stream = {0};
  char* const characters = malloc((size_t)count * LONGEST);
  int64_t* const offsets = calloc((size_t)count + 1, sizeof(int64_t));
  molgauge_texts smiles = {"smiles", characters, offsets};
  int i;
  REQUIRE(characters != NULL && offsets != NULL);
  for (i = 0; i < count; ++i) {
    char* const text = characters + offsets[i];
    memset(text, 'C', (size_t)i + 1);
    memcpy(text + i + 1, "OCC", 3);
    offsets[i + 1] = offsets[i] + i + 4;
  }
  REQUIRE(molgauge_plain_stream((size_t)count, &smiles, 1, NULL, 0, &stream) == MOLGAUGE_DONE);
  free(characters);
  free(offsets);
  return stream;
}

static struct ArrowArrayStream verdicts_of(const char* request) {
  struct ArrowArrayStream molecules = ethers(20), verdicts = {0};
  REQUIRE(molgauge_judge(session, request, &molecules, &verdicts, NULL) == MOLGAUGE_DONE);
  REQUIRE(molecules.release == NULL && verdicts.release != NULL);
  return verdicts;
}

static int64_t place_of(const struct ArrowSchema* table, const char* name) {
  int64_t i = 0;
  while (i < table->n_children && strcmp(table->children[i]->name, name) != 0) {
    ++i;
  }
  REQUIRE(i < table->n_children);
  return i;
}

static double sum_of(const struct ArrowArray* numbers) {
  const double* const values = numbers->buffers[1];
  double sum = 0;
  int64_t i;
  for (i = 0; i < numbers->length; ++i) {
    sum += values[i];
  }
  return sum;
}

/* The table outlives its stream, and a column that was moved out outlives its table. */
static void release_in_every_order(const char* request) {
  struct ArrowArrayStream verdicts = verdicts_of(request), again = {0};
  struct ArrowSchema schema;
  struct ArrowArray table, second, column;
  double sum;
  int64_t place;
  REQUIRE(molgauge_stream_again(&verdicts, &again) == MOLGAUGE_DONE);
  REQUIRE(verdicts.get_schema(&verdicts, &schema) == 0);
  REQUIRE(verdicts.get_next(&verdicts, &table) == 0 && table.length == 20);
  REQUIRE(verdicts.get_next(&verdicts, &second) == 0 && second.release == NULL); /* the end */
  verdicts.release(&verdicts);
  place = place_of(&schema, "domain_p_value");
  sum = sum_of(table.children[place]);
  column = *table.children[place];
  table.children[place]->release = NULL; /* moved */
  table.release(&table);
  REQUIRE(sum_of(&column) == sum);
  REQUIRE(again.get_next(&again, &second) == 0);
  REQUIRE(sum_of(second.children[place]) == sum);
  column.release(&column);
  second.release(&second);
  again.release(&again);
  schema.release(&schema);
}

/* The library takes an array of the caller over, and releases it once, also if the call fails. */
static void give_arrays(const char* request) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  struct ArrowArrayStream stream = {0}, verdicts = {0};
  released_schemas = released_arrays = 0;
  make_column("CCOCC", &schema, &array);
  REQUIRE(molgauge_array_stream(&schema, &array, &stream) == MOLGAUGE_DONE);
  REQUIRE(molgauge_judge(session, request, &stream, &verdicts, NULL) == MOLGAUGE_DONE);
  verdicts.release(&verdicts);
  REQUIRE(released_schemas == 1 && released_arrays == 1);

  make_column("CCOCC", &schema, &array);
  REQUIRE(molgauge_array_stream(&schema, &array, &stream) == MOLGAUGE_DONE);
  REQUIRE(molgauge_judge(session, "{\"train\": \"no-such-folder\"}", &stream, &verdicts, NULL) !=
          MOLGAUGE_DONE);
  REQUIRE(stream.release == NULL && verdicts.release == NULL);
  REQUIRE(released_schemas == 2 && released_arrays == 2);

  make_column("CCOCC", &schema, &array);
  REQUIRE(molgauge_array_stream(&schema, &array, &stream) == MOLGAUGE_DONE);
  stream.release(&stream); /* never read */
  REQUIRE(released_schemas == 3 && released_arrays == 3);
}

static void make_other_tables(const char* store) {
  struct ArrowArrayStream molecules = ethers(5), result = {0};
  char request[16384];
  char* report = NULL;
  snprintf(request, sizeof(request), "{\"store\": \"%s\"}", store);
  REQUIRE(molgauge_conformers(session, request, &molecules, &result) == MOLGAUGE_DONE);
  result.release(&result);
  molecules = ethers(5);
  REQUIRE(molgauge_depict(session, 160, 110, &molecules, &result) == MOLGAUGE_DONE);
  result.release(&result);
  molecules = ethers(5);
  snprintf(request, sizeof(request), "{\"encoder\": \"ecfp\", \"store\": \"%s\"}", store);
  REQUIRE(molgauge_features(session, request, &molecules, &result, &report) == MOLGAUGE_DONE);
  molgauge_free(report);
  result.release(&result);
}

static void read_released_table(const char* request) {
  struct ArrowArrayStream verdicts = verdicts_of(request);
  struct ArrowSchema schema;
  struct ArrowArray table;
  const struct ArrowArray* column;
  const double* values;
  REQUIRE(verdicts.get_schema(&verdicts, &schema) == 0 && verdicts.get_next(&verdicts, &table) == 0);
  column = table.children[place_of(&schema, "domain_p_value")];
  values = column->buffers[1];
  table.release(&table);
  verdicts.release(&verdicts);
  schema.release(&schema);
  printf("%f\n", values[0]);
}

int main(int argc, char** argv) {
  molgauge_session_options options = {0};
  struct ArrowArrayStream training;
  char request[8192];
  long calls = 150;
  REQUIRE(argc >= 2);
  options.struct_size = sizeof(options);
  options.log_level = MOLGAUGE_LOG_ERROR;
  options.quiet = 1;
  REQUIRE(molgauge_open(&options, &session) == MOLGAUGE_DONE);
  training = ethers(ETHERS);
  snprintf(request, sizeof(request),
           "{\"encoder\": \"ecfp\", \"store\": \"%s/store\", \"save\": \"%s/kept\"}", argv[1], argv[1]);
  REQUIRE(molgauge_fit_domain(session, request, &training, NULL, NULL) == MOLGAUGE_DONE);
  REQUIRE(training.release == NULL);
  snprintf(request, sizeof(request), "{\"store\": \"%s/store\", \"train\": \"%s/kept\"}", argv[1], argv[1]);
  if (argc > 2 && strcmp(argv[2], "misuse") == 0) {
    read_released_table(request);
    return 0;
  }
  if (argc > 2) {
    calls = strtol(argv[2], NULL, 10);
    REQUIRE(calls > 0);
  }
  /* One call in the first function, and two in the second. A stream that is never read makes no call. */
  for (; calls > 0; calls -= CALLS_OF_A_ROUND) {
    release_in_every_order(request);
    give_arrays(request);
  }
  snprintf(request, sizeof(request), "%s/store", argv[1]);
  make_other_tables(request);
  molgauge_close(session);
  return 0;
}
