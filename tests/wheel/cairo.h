#pragma once

/* The declarations of cairo that MolDraw2DCairo.h needs, for draw_program.cpp. Debian's librdkit-dev does not
 * depend on the headers of cairo. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _cairo cairo_t;
cairo_t* cairo_reference(cairo_t* context);
void cairo_destroy(cairo_t* context);
unsigned int cairo_get_reference_count(cairo_t* context);

#ifdef __cplusplus
}
#endif
