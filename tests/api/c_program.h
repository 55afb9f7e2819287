#ifndef MOLGAUGE_C_PROGRAM_H
#define MOLGAUGE_C_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the status of molgauge_open(). */
int open_and_close_a_session(void);

#ifdef __cplusplus
}
#endif

#endif
