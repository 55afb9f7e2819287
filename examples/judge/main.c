/*
 * A C program that judges molecules in memory with a saved domain. It prints the verdict and the p-value of each.
 *
 *   molgauge domain training.csv candidates.csv --save kept
 *   judge_in_c kept store CCO c1ccccc1
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "molgauge/molgauge.h"

/* The place of a column among the columns of a table. */
static int64_t place_of(const struct ArrowSchema* table, const char* name) {
  int64_t i = 0;
  while (i < table->n_children && strcmp(table->children[i]->name, name) != 0) {
    ++i;
  }
  return i;
}

static int is_null(const struct ArrowArray* column, int64_t row) {
  const unsigned char* const valid = column->buffers[0];
  return valid != NULL && (valid[row / 8] >> (row % 8) & 1) == 0;
}

static void print_verdicts(const struct ArrowSchema* schema, const struct ArrowArray* table) {
  const struct ArrowArray* const verdicts = table->children[place_of(schema, "domain")];
  const struct ArrowArray* const p_values = table->children[place_of(schema, "domain_p_value")];
  /* Verdicts are indices into a dictionary of texts. */
  const int32_t* const indices = verdicts->buffers[1];
  const int64_t* const offsets = verdicts->dictionary->buffers[1];
  const char* const characters = verdicts->dictionary->buffers[2];
  const double* const numbers = p_values->buffers[1];
  int64_t row;
  for (row = 0; row < table->length; ++row) {
    const int32_t verdict = indices[row];
    printf("%.*s", (int)(offsets[verdict + 1] - offsets[verdict]), characters + offsets[verdict]);
    if (is_null(p_values, row)) {
      printf("\n");
    } else {
      printf(" %.17g\n", numbers[row]);
    }
  }
}

/* Passes the words to the library as a column of text. */
static molgauge_status stream_of(char** words, int count, struct ArrowArrayStream* stream) {
  molgauge_texts smiles = {"smiles", NULL, NULL};
  int64_t* const offsets = calloc((size_t)count + 1, sizeof(int64_t));
  char* characters = NULL;
  molgauge_status status = MOLGAUGE_FAILED;
  int i;
  for (i = 0; offsets != NULL && i < count; ++i) {
    offsets[i + 1] = offsets[i] + (int64_t)strlen(words[i]);
  }
  characters = offsets == NULL ? NULL : malloc((size_t)offsets[count] + 1);
  if (characters != NULL) {
    for (i = 0; i < count; ++i) {
      memcpy(characters + offsets[i], words[i], strlen(words[i]));
    }
    smiles.characters = characters;
    smiles.offsets = offsets;
    status = molgauge_plain_stream((size_t)count, &smiles, 1, NULL, 0, stream);
  }
  free(characters);
  free(offsets);
  return status;
}

int main(int argc, char** argv) {
  molgauge_session* session = NULL;
  molgauge_status status;
  struct ArrowArrayStream molecules = {0}, verdicts = {0};
  char request[4096];
  if (argc < 3) {
    fprintf(stderr, "usage: judge_in_c DOMAIN STORE [SMILES ...]\n");
    return MOLGAUGE_WRONG_USAGE;
  }
  /* Paths with quotation marks or backslashes would need escapes. */
  snprintf(request, sizeof(request), "{\"train\": \"%s\", \"store\": \"%s\"}", argv[1], argv[2]);
  status = molgauge_open(NULL, &session);
  if (status == MOLGAUGE_DONE) {
    status = stream_of(argv + 3, argc - 3, &molecules);
  }
  if (status == MOLGAUGE_DONE) {
    status = molgauge_judge(session, request, &molecules, &verdicts, NULL);
  }
  if (status == MOLGAUGE_DONE) {
    struct ArrowSchema schema;
    struct ArrowArray table;
    if (verdicts.get_schema(&verdicts, &schema) == 0) {
      if (verdicts.get_next(&verdicts, &table) == 0) {
        print_verdicts(&schema, &table);
        table.release(&table);
      }
      schema.release(&schema);
    }
    verdicts.release(&verdicts);
  } else {
    fprintf(stderr, "%s\n", molgauge_last_error());
  }
  molgauge_close(session);
  return (int)status;
}
