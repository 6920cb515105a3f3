import AdapterKit
import SQL

/// Something wrong on purpose, which the simulation has to find: it shows that its rules can fail.
///
/// Nothing in the product is switched: each stands between an instance and what it reaches.
package enum PlantedBug: String, Sendable, CaseIterable {
    /// Each request comes under a key of its own, as if keys were drawn and not derived.
    case drawnKeys = "drawn-keys"
    /// What may have arrived is said never to have left.
    case falseSafety = "false-safety"
    /// Some writes are acknowledged and not stored.
    case forgottenWrites = "forgotten-writes"
    /// Some callbacks are not written down with their step.
    case lostAnnouncements = "lost-announcements"
    /// What is done in a PSP's portal is told to nobody.
    case silentPortal = "silent-portal"

    /// A request under a key that nobody sends twice.
    static func drawingKey(of request: WireRequest, number: Int) -> WireRequest {
        var request = request
        for index in request.headers.indices
        where request.headers[index].name.lowercased().hasSuffix("idempotency-key") {
            request.headers[index].value = "drawn-\(number)-" + request.headers[index].value.suffix(20)
        }
        return request
    }
}

/// A transaction that loses what is queued for a table.
final class LossySession: Session {
    private let base: any Session
    private let table: String

    init(base: any Session, table: String) {
        self.base = base
        self.table = table
    }

    var dialect: Dialect { base.dialect }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] { try base.rows(statement) }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] { try base.rows(statements) }

    func change(_ statement: SQL) throws(SQLError) -> Int { try base.change(statement) }

    func run(_ statement: SQL) throws(SQLError) {
        let words = statement.text.split { $0 == " " || $0 == "\n" || $0 == "(" }
        if words.first == "INSERT", words.dropFirst(2).first == Substring(table) { return }
        try base.run(statement)
    }
}
