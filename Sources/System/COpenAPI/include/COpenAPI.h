#ifndef COPENAPI_H
#define COPENAPI_H

#include <stddef.h>

/// The text of `openapi.yaml`, UTF-8, and its length in bytes.
const char *tributary_openapi_text(size_t *length);

#endif
