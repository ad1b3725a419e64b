#pragma once
#include <zlib.h>

// inflateInit2 is a macro. 16 more than the largest window: gzip, whose check sum and length zlib verifies.
static inline int runner_zlib_begin_gzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}
