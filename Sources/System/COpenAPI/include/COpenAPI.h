#ifndef COPENAPI_H
#define COPENAPI_H

#include <stddef.h>

/// How many bytes `openapi.yaml` has, UTF-8.
size_t tributary_openapi_length(void);

/// The byte at a position below the length.
unsigned char tributary_openapi_byte(size_t position);

#endif
