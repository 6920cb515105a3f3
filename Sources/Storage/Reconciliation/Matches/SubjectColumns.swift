import Domain
import SQL

/// An expectation's subject in two columns: what kind of thing it is, and its identifier.
enum SubjectColumns {
    static func values(_ subject: Expectation.Subject) -> (kind: SQLValue, id: SQLValue) {
        switch subject {
        case .operation(let id): ("operation".sqlValue, id.sqlValue)
        case .chargeback(let id): ("chargeback".sqlValue, id.sqlValue)
        case .chargebackReversal(let id): ("chargeback_reversal".sqlValue, id.sqlValue)
        }
    }

    static func read(_ row: Row) throws(SQLError) -> Expectation.Subject? {
        switch try row.optionalText("subject_kind") {
        case nil: nil
        case "operation": .operation(try row.identifier("subject_id"))
        case "chargeback": .chargeback(try row.identifier("subject_id"))
        case "chargeback_reversal": .chargebackReversal(try row.identifier("subject_id"))
        default: throw .unexpectedValue(column: "subject_kind")
        }
    }
}
