import Domain
import StrictJSON

/// What a PSP wrote down itself, as `GET /books` of a simulator tells it.
struct PSPBooks {
    /// Amounts in minor units.
    struct Amounts: Hashable {
        /// Approved.
        var authorized: Int64 = 0
        /// Taken.
        var captured: Int64 = 0
        /// Released.
        var voided: Int64 = 0
        /// Given back.
        var refunded: Int64 = 0

        /// The amounts that are not zero, in words.
        func words(in currency: Currency) -> String {
            let parts = [
                ("authorized", authorized), ("captured", captured), ("voided", voided), ("refunded", refunded),
            ]
            let shown = parts.filter { $0.1 != 0 }.map { name, amount in
                "\(name) \(Table.Cell.amount(amount, currency).shown)"
            }
            return shown.isEmpty ? "nothing" : shown.joined(separator: ", ")
        }
    }

    /// Its authorizations by the reference that the gateway gave them: the attempt's identifier.
    let authorizations: [String: Amounts]
    /// What the PSP noticed that no gateway may do, for example one reference under two keys.
    let violations: [String]

    /// Reads the books of one account.
    ///
    /// - Throws: ``CommandFailure`` if they have another shape.
    init(_ json: JSON, account: String) throws(CommandFailure) {
        guard let accounts = json["accounts"], let violations = json["violations"]?.arrayValue else {
            throw .finding("the simulator's books cannot be read")
        }
        var authorizations: [String: Amounts] = [:]
        for entry in accounts[account]?["authorizations"]?.arrayValue ?? [] {
            guard let reference = entry["reference"]?.stringValue, let authorized = entry["authorized"]?.integerValue,
                let captured = entry["captured"]?.integerValue, let voided = entry["voided"]?.integerValue,
                let refunded = entry["refunded"]?.integerValue, authorizations[reference] == nil
            else { throw .finding("an authorization in the simulator's books cannot be read") }
            authorizations[reference] = Amounts(
                authorized: authorized,
                captured: captured,
                voided: voided,
                refunded: refunded
            )
        }
        self.authorizations = authorizations
        self.violations = violations.compactMap(\.stringValue)
    }
}
