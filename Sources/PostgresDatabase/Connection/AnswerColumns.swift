import SQL

/// The columns of a statement's answers.
struct AnswerColumns {
    let names: [String]
    let kinds: [ColumnKind]
    let shared: Row.Columns

    init(_ columns: [(name: String, kind: ColumnKind)]) {
        names = columns.map(\.name)
        kinds = columns.map(\.kind)
        shared = Row.Columns(names)
    }
}
