#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

// The macros AE_IFREG and so on are casts, which Swift cannot read.
enum {
    runner_archive_type_mask = 0170000,
    runner_archive_type_file = 0100000,
    runner_archive_type_folder = 0040000,
    runner_archive_type_link = 0120000,
    runner_archive_type_pipe = 0010000
};



// A locale whose characters are UTF-8 and that differs from "C" in nothing else; NULL when the system has none.
static inline locale_t runner_archive_utf8_locale(void) {
    return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

static inline locale_t runner_archive_use_locale(locale_t locale) {
    return uselocale(locale);
}
