#pragma once
#include <zlib.h>

// deflateInit2 and inflateInit2 are macros, which Swift does not see; the version and size are those of this header.

static inline int czlib_begin_packing(z_stream *_Nonnull stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

static inline int czlib_begin_unpacking(z_stream *_Nonnull stream) { return inflateInit(stream); }
