#pragma once
#include <expat.h>

// Typed wrappers: expat's own declarations say nothing of nullability, and its names are not UTF-8 in every build.

#if defined(XML_UNICODE)
#error "this expat hands over UTF-16; one built for UTF-8 is needed"
#endif

typedef void (*cexpat_start)(
    void *_Nonnull context, const char *_Nonnull name, const char *_Nullable *_Nonnull attributes);
typedef void (*cexpat_end)(void *_Nonnull context, const char *_Nonnull name);
typedef void (*cexpat_text)(void *_Nonnull context, const char *_Nonnull bytes, int count);
typedef void (*cexpat_doctype)(
    void *_Nonnull context, const char *_Nonnull name, const char *_Nullable system_id,
    const char *_Nullable public_id, int has_internal_subset);

// A parser that knows namespaces: names are handed over as namespace, separator, local name.
static inline XML_Parser _Nullable cexpat_create(char separator) { return XML_ParserCreateNS(NULL, separator); }

static inline void cexpat_set_handlers(
    XML_Parser _Nonnull parser, void *_Nonnull context, cexpat_start _Nonnull start, cexpat_end _Nonnull end,
    cexpat_text _Nonnull text, cexpat_doctype _Nonnull doctype) {
    XML_SetUserData(parser, context);
    XML_SetElementHandler(parser, (XML_StartElementHandler)start, (XML_EndElementHandler)end);
    XML_SetCharacterDataHandler(parser, (XML_CharacterDataHandler)text);
    XML_SetStartDoctypeDeclHandler(parser, (XML_StartDoctypeDeclHandler)doctype);
}
