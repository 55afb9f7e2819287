/*
 * A C program that encodes molecules in memory with Morgan counts. It prints the features of each, or
 * "failed".
 *
 *   encode_in_c store CCO c1ccccc1
 */
#include <stdio.h>
#include <stdlib.h>

#include "molgauge/molgauge.h"

static void print_rows(const float* rows, size_t count, size_t width) {
  size_t row, i;
  for (row = 0; row < count; ++row) {
    const float* const features = rows + row * width;
    if (features[0] != features[0]) { /* NaN */
      printf("failed\n");
      continue;
    }
    for (i = 0; i < width; ++i) {
      printf("%.9g%c", features[i], i + 1 == width ? '\n' : ' ');
    }
  }
}

int main(int argc, char** argv) {
  molgauge_session* session = NULL;
  molgauge_status status;
  char request[4096];
  const size_t count = argc < 2 ? 0 : (size_t)argc - 2;
  size_t width = 0;
  float* rows = NULL;
  if (argc < 2) {
    fprintf(stderr, "usage: encode_in_c STORE [SMILES ...]\n");
    return MOLGAUGE_WRONG_USAGE;
  }
  /* Paths with quotation marks or backslashes would need escapes. */
  snprintf(request, sizeof(request), "{\"encoder\": \"ecfp\", \"store\": \"%s\"}", argv[1]);
  status = molgauge_open(NULL, &session);
  if (status == MOLGAUGE_DONE) {
    status = molgauge_encoder_width(session, "ecfp", &width);
  }
  if (status == MOLGAUGE_DONE) {
    rows = malloc((count + 1) * width * sizeof(float));
    status = rows == NULL ? MOLGAUGE_FAILED
                          : molgauge_encode(session, request, (const char* const*)(argv + 2), count, rows,
                                            width, NULL);
  }
  if (status == MOLGAUGE_DONE) {
    print_rows(rows, count, width);
  } else {
    fprintf(stderr, "%s\n", molgauge_last_error());
  }
  free(rows);
  molgauge_close(session);
  return (int)status;
}
