/* The functions of cairo that RDKit imports, for the wheel, which contains no cairo. Molgauge draws SVG only.
 *
 * Every function does what cairo documents for a machine without memory: surfaces and contexts are nil
 * objects with the status CAIRO_STATUS_NO_MEMORY, drawing on them has no effect, and queries return zeros. A
 * drawing to a bitmap is therefore an error of the caller, and never the end of the process.
 * scripts/wheel-substitutes exports the functions that the libraries import, and refuses an imported function
 * that is missing here. */

#include <stddef.h>

typedef struct {
  int status;
} cairo_t;
typedef struct {
  int status;
} cairo_surface_t;
typedef struct {
  double x_bearing, y_bearing, width, height, x_advance, y_advance;
} cairo_text_extents_t;
typedef int (*cairo_write_func_t)(void* closure, const unsigned char* data, unsigned int length);

enum { CAIRO_STATUS_NO_MEMORY = 1 };
enum { CAIRO_LINE_CAP_BUTT = 0, CAIRO_LINE_JOIN_MITER = 0 };

/* Nothing writes to the nil objects, so threads can share them. */
static const cairo_t nil_context = {CAIRO_STATUS_NO_MEMORY};
static const cairo_surface_t nil_surface = {CAIRO_STATUS_NO_MEMORY};

/* Surfaces. */
cairo_surface_t* cairo_image_surface_create(int format, int width, int height) {
  (void)format, (void)width, (void)height;
  return (cairo_surface_t*)&nil_surface;
}
int cairo_surface_status(cairo_surface_t* surface) {
  (void)surface;
  return CAIRO_STATUS_NO_MEMORY;
}
int cairo_surface_write_to_png_stream(cairo_surface_t* surface, cairo_write_func_t write, void* closure) {
  (void)surface, (void)write, (void)closure;
  return CAIRO_STATUS_NO_MEMORY;
}
int cairo_surface_write_to_png(cairo_surface_t* surface, const char* file) {
  (void)surface, (void)file;
  return CAIRO_STATUS_NO_MEMORY;
}
void cairo_surface_destroy(cairo_surface_t* surface) { (void)surface; }

/* Contexts. */
cairo_t* cairo_create(cairo_surface_t* target) {
  (void)target;
  return (cairo_t*)&nil_context;
}
cairo_t* cairo_reference(cairo_t* context) {
  (void)context;
  return (cairo_t*)&nil_context;
}
void cairo_destroy(cairo_t* context) { (void)context; }
int cairo_status(cairo_t* context) {
  (void)context;
  return CAIRO_STATUS_NO_MEMORY;
}
unsigned int cairo_get_reference_count(cairo_t* context) {
  (void)context;
  return 0; /* as documented for nil objects */
}
cairo_surface_t* cairo_get_target(cairo_t* context) {
  (void)context;
  return (cairo_surface_t*)&nil_surface;
}

/* Settings. */
void cairo_set_source_rgba(cairo_t* context, double red, double green, double blue, double alpha) {
  (void)context, (void)red, (void)green, (void)blue, (void)alpha;
}
void cairo_set_line_width(cairo_t* context, double width) { (void)context, (void)width; }
void cairo_set_line_cap(cairo_t* context, int cap) { (void)context, (void)cap; }
void cairo_set_line_join(cairo_t* context, int join) { (void)context, (void)join; }
void cairo_set_dash(cairo_t* context, const double* dashes, int count, double offset) {
  (void)context, (void)dashes, (void)count, (void)offset;
}
int cairo_get_line_cap(cairo_t* context) {
  (void)context;
  return CAIRO_LINE_CAP_BUTT;
}
int cairo_get_line_join(cairo_t* context) {
  (void)context;
  return CAIRO_LINE_JOIN_MITER;
}

/* Paths. */
void cairo_move_to(cairo_t* context, double x, double y) { (void)context, (void)x, (void)y; }
void cairo_line_to(cairo_t* context, double x, double y) { (void)context, (void)x, (void)y; }
void cairo_curve_to(cairo_t* context, double x1, double y1, double x2, double y2, double x3, double y3) {
  (void)context, (void)x1, (void)y1, (void)x2, (void)y2, (void)x3, (void)y3;
}
void cairo_rectangle(cairo_t* context, double x, double y, double width, double height) {
  (void)context, (void)x, (void)y, (void)width, (void)height;
}
void cairo_close_path(cairo_t* context) { (void)context; }
void cairo_fill(cairo_t* context) { (void)context; }
void cairo_fill_preserve(cairo_t* context) { (void)context; }
void cairo_stroke(cairo_t* context) { (void)context; }
void cairo_get_current_point(cairo_t* context, double* x, double* y) {
  (void)context;
  if (x != NULL) {
    *x = 0;
  }
  if (y != NULL) {
    *y = 0;
  }
}

/* Texts. */
void cairo_select_font_face(cairo_t* context, const char* family, int slant, int weight) {
  (void)context, (void)family, (void)slant, (void)weight;
}
void cairo_set_font_size(cairo_t* context, double size) { (void)context, (void)size; }
void cairo_show_text(cairo_t* context, const char* text) { (void)context, (void)text; }
void cairo_text_extents(cairo_t* context, const char* text, cairo_text_extents_t* extents) {
  (void)context, (void)text;
  if (extents != NULL) {
    *extents = (cairo_text_extents_t){0};
  }
}
