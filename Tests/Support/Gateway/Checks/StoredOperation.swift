package import Domain
package import SQL
import Storage
package import StrictJSON

/// An operation as the database has it, in the document of its payment's attempts.
package enum StoredOperation {
    /// The place of the amount in its array.
    package static let amount = 2
    /// The place of the state.
    package static let state = 3
    /// The place of what is not as usual.
    package static let more = 7

    /// The statement that changes an operation behind everybody's back.
    ///
    /// - Parameters:
    ///   - id: the operation.
    ///   - order: its order, as it is stored.
    ///   - edit: changes the array that the operation is, as long as it can be.
    /// - Returns: the statement, which changes nothing if the order has no such operation.
    package static func change(_ id: OperationID, of order: Order, _ edit: (inout [JSON]) -> Void) -> SQL {
        let payment = order.payments.first { $0.attempts.contains { $0.operations.contains { $0.id == id } } }
        let text = payment.map { AttemptDocuments.text($0.attempts, of: order.id) } ?? "[]"
        let attempts = (try? JSON.parse(text: text))?.arrayValue ?? []
        let changed = attempts.map { attempt in
            JSON.array(
                (attempt.arrayValue ?? []).map { part in
                    guard case .array(var places) = part, places[0] == .integer(Int64(id.part)) else { return part }
                    places += Array(repeating: JSON.null, count: max(0, more + 1 - places.count))
                    edit(&places)
                    return .array(places)
                }
            )
        }
        return "UPDATE payment SET attempts = \(JSON.array(changed).text) WHERE id = \(payment?.id.text ?? "")"
    }
}
