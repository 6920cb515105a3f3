#include "COpenAPI.h"

// In C, since what is embedded in Swift is an array literal of numbers: a minute and a half to compile, at every change.
static const unsigned char text[] = {
#embed "../../HTTPAPI/openapi.yaml"
};

size_t tributary_openapi_length(void) {
    return sizeof text;
}

unsigned char tributary_openapi_byte(size_t position) {
    return text[position];
}
