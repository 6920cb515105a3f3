import SQL

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
        case _ where isStalePlan: .serializationFailure
        case _ where ["08", "53", "57", "58"].contains(state.prefix(2)):
            .unavailable("PostgreSQL cannot serve now (SQLSTATE \(state))")
        // Syntax and access rule errors name what stands in the statement's text, which holds no values.
        case _ where state.hasPrefix("42"): .broken("\(message) (SQLSTATE \(state))")
        default: .broken("PostgreSQL refused a statement (SQLSTATE \(state))")
        }
    }
}
