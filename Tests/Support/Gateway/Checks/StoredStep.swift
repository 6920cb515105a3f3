package import Domain
package import SQL
import Storage
import StrictJSON

/// A step of an order as the database has it, with its document unpacked.
package struct StoredStep: Sendable {
    /// The document of a step that heard and emitted nothing.
    package static let emptyDocument = StepDocument.packed(["facts": [], "events": []])

    /// The order.
    package let order: OrderID
    /// The order's version after it.
    package let version: Int64
    /// Its document, as text.
    package let text: String

    /// Every step of every order.
    ///
    /// - Throws: `SQLError`, for a document that cannot be read too.
    package static func all(in session: any Session) throws -> [StoredStep] {
        try session.rows("SELECT order_id, version, document FROM order_step ORDER BY order_id, version").map { row in
            guard let order = OrderID(try row.text("order_id")) else {
                throw SQLError.unexpectedValue(column: "order_id")
            }
            return StoredStep(
                order: order,
                version: try row.integer("version"),
                text: try StepDocument.read(row.bytes("document")).text
            )
        }
    }

    /// The statement that puts other text into the document behind everybody's back; nil if the text is not in it, or what
    /// comes out is no document.
    package func replacing(_ text: String, by other: String) -> SQL? {
        guard self.text.contains(text), let document = try? JSON.parse(text: self.text.replacing(text, with: other))
        else { return nil }
        return """
            UPDATE order_step SET document = \(StepDocument.packed(document))
            WHERE order_id = \(order) AND version = \(version)
            """
    }
}
