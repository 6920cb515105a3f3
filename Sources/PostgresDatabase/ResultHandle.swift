import CPostgres
import SQL
import WireFormats

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

/// What a statement answered.
struct Answer {
    var rows: [Row] = []
    /// How many rows it changed, or gave.
    var count = 0
    /// The server's word for what it did: `COMMIT`, `INSERT 0 1`.
    var tag = ""
}

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

/// How a column's text is read, by the type that the server declares.
enum ColumnKind {
    case integer
    case text
    case bytes
    /// The column of a function that returns nothing.
    case void
    case unsupported

    /// The numbers are those of the server's catalog `pg_type`, which never change.
    init(type: Oid) {
        switch type {
        case 20, 21, 23: self = .integer
        case 19, 25, 1_043: self = .text
        case 17: self = .bytes
        case 2_278: self = .void
        default: self = .unsupported
        }
    }

    /// Reads a value that is not NULL; nil if it does not look as its type says.
    func value(_ characters: UnsafeRawBufferPointer) -> SQLValue? {
        switch self {
        case .integer: unsafe integer(characters).map(SQLValue.integer)
        case .text: unsafe .text(String(decoding: characters, as: UTF8.self))
        case .bytes: unsafe HexBytes.decode(characters).map(SQLValue.bytes)
        case .void: .null
        case .unsupported: nil
        }
    }

    private func integer(_ characters: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = unsafe characters.first == UInt8(ascii: "-")
        let firstDigit = isNegative ? 1 : 0
        guard characters.count > firstDigit else { return nil }
        // Summed up as a negative number, because the lowest integer has no positive counterpart.
        var sum: Int64 = 0
        for position in firstDigit..<characters.count {
            let digit = unsafe characters[position]
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (tenfold, overflow) = sum.multipliedReportingOverflow(by: 10)
            let (next, underflow) = tenfold.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !overflow, !underflow else { return nil }
            sum = next
        }
        if isNegative { return sum }
        return sum == .min ? nil : -sum
    }
}

/// Bytes in the server's text form: `\x` and two hexadecimal digits each.
enum HexBytes {
    /// Reads the text form; nil if it is not one.
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count >= 2, text.count.isMultiple(of: 2), unsafe text[0] == UInt8(ascii: "\\"),
            unsafe text[1] == UInt8(ascii: "x")
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2 - 1)
        for position in stride(from: 2, to: text.count, by: 2) {
            guard let high = unsafe Hexadecimal.value(text[position]),
                let low = unsafe Hexadecimal.value(text[position + 1])
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// What the server says about a failure, without any text that may hold a parameter.
struct ServerError {
    /// The five characters that classify the failure.
    var state: String
    /// The primary message, which may quote a parameter unless the state is of class 42.
    var message: String
    var constraint: String?
    var table: String?
    var column: String?
    /// The server's function that raised it.
    var raisedBy: String?

    /// The prepared statement's columns are not the table's any more: prepared anew, it works.
    var isStalePlan: Bool { state == "0A000" && raisedBy == "RevalidateCachedQuery" }

    /// The failure in the words of the interface.
    var sqlError: SQLError {
        switch state {
        case "23505": .uniqueViolation(constraint: constraint ?? "")
        case "23502": .constraintViolation(constraint: [table, column].compactMap(\.self).joined(separator: "."))
        case "23000", "23001", "23503", "23514", "23P01": .constraintViolation(constraint: constraint ?? "")
        case "40001", "40P01": .serializationFailure
        case "55P03": .unavailable("another transaction kept a lock too long")
        case "57014": .unavailable("a statement took too long")
        case "25P03": .unavailable("a transaction stayed idle too long")
        case "53100": .diskFull
        case _ where isStalePlan: .serializationFailure
        case _ where ["08", "53", "57", "58"].contains(state.prefix(2)):
            .unavailable("PostgreSQL cannot serve now (SQLSTATE \(state))")
        // Syntax and access rule errors name what stands in the statement's text, which holds no values.
        case _ where state.hasPrefix("42"): .broken("\(message) (SQLSTATE \(state))")
        default: .broken("PostgreSQL refused a statement (SQLSTATE \(state))")
        }
    }
}
