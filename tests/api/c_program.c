/* The public header as a C compiler reads it, and a session opened and closed by C. */
#include "c_program.h"

#include "headroom/headroom.h"

int open_and_close_a_session(void) {
  headroom_session_options options = {0};
  headroom_session* session = NULL;
  headroom_status status;
  options.struct_size = sizeof(options);
  options.log_level = HEADROOM_LOG_OFF;
  options.quiet = 1;
  status = headroom_open(&options, &session);
  headroom_close(session);
  return (int)status;
}
