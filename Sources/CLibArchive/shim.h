#pragma once
#include <archive.h>
#include <archive_entry.h>

// The macros AE_IFREG and so on are casts, which Swift cannot read.
enum {
    runner_archive_type_mask = 0170000,
    runner_archive_type_file = 0100000,
    runner_archive_type_folder = 0040000,
    runner_archive_type_link = 0120000,
    runner_archive_type_pipe = 0010000
};
