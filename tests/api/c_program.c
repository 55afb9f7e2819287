/* The public header as a C compiler reads it, and a session opened and closed by C. */
#include "c_program.h"

#include "molgauge/molgauge.h"

int open_and_close_a_session(void) {
  molgauge_session_options options = {0};
  molgauge_session* session = NULL;
  molgauge_status status;
  options.struct_size = sizeof(options);
  options.log_level = MOLGAUGE_LOG_OFF;
  options.quiet = 1;
  status = molgauge_open(&options, &session);
  molgauge_close(session);
  return (int)status;
}
