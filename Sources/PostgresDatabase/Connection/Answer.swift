import SQL

/// What a statement answered.
struct Answer {
    var rows: [Row] = []
    /// How many rows it changed, or gave.
    var count = 0
    /// The server's word for what it did: `COMMIT`, `INSERT 0 1`.
    var tag = ""
}
