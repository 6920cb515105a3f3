import StrictJSON

/// Stripe's names for what is in the books.
///
/// `pi_`, `ch_` and `re_` stand before what follows the books' own prefixes, unless a payment was named before.
enum StripeDocument {
    /// What Stripe calls a payment.
    static func paymentName(_ authorization: Authorization) -> String {
        authorization.command.identifier ?? "pi_" + suffix(authorization.id)
    }

    /// What the books call a payment of that name.
    static func bookName(payment id: String) -> String {
        let name = id.hasPrefix("pi_") ? Books.identifierPrefix + id.dropFirst(3) : id
        return PSPNumber(name) == nil ? id : name
    }

    /// What Stripe calls the charge of a payment.
    static func chargeName(_ authorization: Authorization) -> String { "ch_" + suffix(authorization.id) }

    /// What the books call the payment with a charge of that name.
    static func bookName(charge id: String) -> String {
        id.hasPrefix("ch_") ? Books.identifierPrefix + id.dropFirst(3) : id
    }

    /// What Stripe calls a refund.
    static func refundName(_ operation: Operation) -> String { "re_" + suffix(operation.id) }

    /// What the books call a refund of that name.
    static func bookName(refund id: String) -> String { id.hasPrefix("re_") ? "ref_" + id.dropFirst(3) : id }

    /// What Stripe calls a dispute.
    static func disputeName(_ dispute: Dispute) -> String { "dp_" + suffix(dispute.id) }

    /// What Stripe calls the movement on its balance that something made.
    static func balanceName(_ identifier: String) -> String {
        "txn_" + identifier.prefix { $0 != "_" } + suffix(identifier)
    }

    /// The fields of a buyer who is not known.
    static let noBillingDetails: JSON = ["address": nil, "email": nil, "name": nil, "phone": nil, "tax_id": nil]

    /// Seconds since 1970.
    static func seconds(_ milliseconds: Int64) -> JSON { .integer(milliseconds / 1000) }

    /// Notes by their names.
    static func metadata(_ notes: [String: String]) -> JSON {
        .object(notes.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
    }

    /// A list of what a path leads to.
    static func list(_ found: [JSON], at path: String, hasMore: Bool = false) -> JSON {
        ["object": "list", "data": .array(found), "has_more": .bool(hasMore), "url": .string(path)]
    }

    private static func suffix(_ identifier: String) -> String {
        String(identifier.drop { $0 != "_" }.dropFirst())
    }
}
