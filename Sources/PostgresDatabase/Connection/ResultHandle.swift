import CPostgres
import SQL

/// One result, freed when it goes out of scope.
@safe struct ResultHandle: ~Copyable {
    /// What kind of result it is.
    enum Kind {
        case done
        case rows
        case synchronized
        /// Skipped because an earlier statement of the pipeline failed.
        case skipped
        case failed
    }

    private let raw: OpaquePointer

    init?(_ raw: OpaquePointer?) {
        guard let raw = unsafe raw else { return nil }
        unsafe self.raw = raw
    }

    deinit { unsafe PQclear(raw) }

    var kind: Kind {
        switch unsafe PQresultStatus(raw) {
        case PGRES_COMMAND_OK: .done
        case PGRES_TUPLES_OK: .rows
        case PGRES_PIPELINE_SYNC: .synchronized
        case PGRES_PIPELINE_ABORTED: .skipped
        default: .failed
        }
    }

    /// Names and types of the columns.
    borrowing func columns() -> AnswerColumns {
        AnswerColumns(
            unsafe (0..<PQnfields(raw)).map { column in
                unsafe (String(cString: PQfname(raw, column)), ColumnKind(type: PQftype(raw, column)))
            }
        )
    }

    /// Copies everything out.
    ///
    /// - Throws: ``SQLError/unexpectedValue(column:)`` for a type that the interface does not know.
    borrowing func answer(_ columns: AnswerColumns?) throws(SQLError) -> Answer {
        var answer = Answer()
        answer.tag = unsafe String(cString: PQcmdStatus(raw))
        answer.count = unsafe Int(String(cString: PQcmdTuples(raw))) ?? 0
        guard let columns else { return answer }
        let count = unsafe PQntuples(raw)
        answer.rows.reserveCapacity(Int(count))
        for row in 0..<count {
            var values: [SQLValue] = []
            values.reserveCapacity(columns.kinds.count)
            for (column, kind) in columns.kinds.enumerated() {
                guard let value = value(row, Int32(column), kind) else {
                    throw .unexpectedValue(column: columns.names[column])
                }
                values.append(value)
            }
            answer.rows.append(Row(columns: columns.shared, values: values))
        }
        return answer
    }

    private borrowing func value(_ row: Int32, _ column: Int32, _ kind: ColumnKind) -> SQLValue? {
        if unsafe PQgetisnull(raw, row, column) == 1 { return .null }
        let start = unsafe PQgetvalue(raw, row, column)
        let length = unsafe Int(PQgetlength(raw, row, column))
        return unsafe kind.value(UnsafeRawBufferPointer(start: start, count: length))
    }

    /// What the server said; only for a failed result.
    borrowing func serverError() -> ServerError {
        ServerError(
            state: field("C") ?? "08006",
            message: field("M") ?? "",
            constraint: field("n"),
            table: field("t"),
            column: field("c"),
            raisedBy: field("R")
        )
    }

    /// A field of an error by the letter that the protocol gives it.
    private borrowing func field(_ letter: Unicode.Scalar) -> String? {
        unsafe PQresultErrorField(raw, Int32(letter.value)).map { unsafe String(cString: $0) }
    }
}
