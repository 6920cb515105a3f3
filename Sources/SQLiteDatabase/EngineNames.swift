import GRDB

// Two names that both the engine and our own interface use. Files that need both import single names from the engine.

/// One connection to the file, confined to its queue.
typealias SQLiteConnection = GRDB.Database

/// A row as the engine gives it, valid until the next step.
typealias SQLiteRow = GRDB.Row
