#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the status of headroom_open(). */
int open_and_close_a_session(void);

#ifdef __cplusplus
}
#endif
