/* The functions of libcurl that HDF5 imports, for the wheel, which contains no libcurl. Molgauge reads HDF5
 * files from disks only. HDF5 calls these functions for files in an object store.
 *
 * Every function does what libcurl documents for a failure: the library cannot be initialised, no handle and
 * no list can be allocated, and a call with the null handle returns an error. Opening a remote file is
 * therefore an error of HDF5, and never the end of the process. scripts/wheel-substitutes exports the
 * functions that the libraries import, and refuses an imported function that is missing here. */

#include <stddef.h>

typedef void CURL;
struct curl_slist;

enum { CURLE_FAILED_INIT = 2, CURLE_BAD_FUNCTION_ARGUMENT = 43 };

int curl_global_init(long flags) {
  (void)flags;
  return CURLE_FAILED_INIT;
}
void curl_global_cleanup(void) {}

CURL* curl_easy_init(void) { return NULL; }
int curl_easy_setopt(CURL* handle, int option, ...) {
  (void)handle, (void)option;
  return CURLE_BAD_FUNCTION_ARGUMENT;
}
int curl_easy_perform(CURL* handle) {
  (void)handle;
  return CURLE_BAD_FUNCTION_ARGUMENT;
}
void curl_easy_cleanup(CURL* handle) { (void)handle; }

struct curl_slist* curl_slist_append(struct curl_slist* list, const char* text) {
  (void)list, (void)text;
  return NULL;
}
void curl_slist_free_all(struct curl_slist* list) { (void)list; }
