#pragma once
#include <archive.h>
#include <archive_entry.h>

// Typed wrappers: libarchive's own declarations say nothing of nullability, and its callbacks are set one by one.

typedef la_ssize_t (*carchive_source)(
    struct archive *_Nonnull archive, void *_Nonnull context, const void *_Nullable *_Nonnull buffer);

// Opens a stream that is read front to back; libarchive keeps the context as it is.
static inline int carchive_open(
    struct archive *_Nonnull archive, void *_Nonnull context, carchive_source _Nonnull source) {
    return archive_read_open(archive, context, NULL, source, NULL);
}

// The kind of an entry, as S_IFMT has it.
static inline unsigned carchive_entry_is_file(struct archive_entry *_Nonnull entry) {
    return archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == NULL;
}

static inline unsigned carchive_entry_is_folder(struct archive_entry *_Nonnull entry) {
    return archive_entry_filetype(entry) == AE_IFDIR;
}
