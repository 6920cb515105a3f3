#include "COpenAPI.h"

// In C, since what is embedded in Swift is an array literal of numbers: a minute and a half to compile, at every change.
static const char text[] = {
#embed "../../HTTPAPI/openapi.yaml"
};

const char *tributary_openapi_text(size_t *length) {
    *length = sizeof text;
    return text;
}
