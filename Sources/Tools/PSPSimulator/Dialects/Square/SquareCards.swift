import Crypto
import StrictJSON
import Synchronization
import WireFormats

/// Cards on file that were made of payments, and the customers they belong to.
///
/// Kept in memory only. Customers are not kept: their names follow from the key that made them.
final class SquareCards: Sendable {
    private static let prefix = "ccof:"

    /// Whose a card is.
    private struct Owner {
        /// The customer; empty for a disabled card.
        var customer: String
        /// The caller's name of the card.
        let reference: String?
    }

    /// The owners of the cards, by the books' identifier of the payment that a card was made of.
    private let owners = Mutex<[String: Owner]>([:])

    /// `POST /v2/customers`.
    static func createCustomer(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try SquareBody(
            request,
            knowing: [
                "address", "birthday", "company_name", "email_address", "family_name", "given_name", "idempotency_key",
                "nickname", "note", "phone_number", "reference_id", "tax_ids",
            ]
        )
        let names = ["company_name", "email_address", "family_name", "given_name", "phone_number"]
        guard names.contains(where: { body.fields.json[$0]?.stringValue?.isEmpty == false }) else {
            throw SquareErrorDocument.refusal("BAD_REQUEST", "At least one of the customer's names is required.")
        }
        let key = try body.fields.key()
        let reference = try body.fields.text("reference_id")
        let company = try body.fields.text("company_name")
        let digits = Hexadecimal.encode(SHA256.hash(data: Array("\(body.account) \(key)".utf8)))
        return .answer(
            PSPReply(
                200,
                [
                    "customer": .object(omittingAbsent: [
                        "id": .string(digits.prefix(26).uppercased()),
                        "reference_id": reference.map(JSON.string), "company_name": company.map(JSON.string),
                    ])
                ]
            )
        )
    }

    /// `POST /v2/cards` of a payment.
    func create(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try SquareBody(request, knowing: ["card", "idempotency_key", "source_id", "verification_token"])
        _ = try body.fields.key()
        let source = try body.fields.required("source_id")
        try body.fields.object("card")
        let card = try SquareFields(
            body.fields.json["card"] ?? .object([]),
            in: "card.",
            knowing: ["billing_address", "cardholder_name", "customer_id", "exp_month", "exp_year", "reference_id"]
        )
        let customer = try card.required("customer_id")
        let reference = try card.text("reference_id", limit: 128)
        guard let first = SquareName.bookName(payment: source) else {
            throw SquareErrorDocument.refusal("NOT_FOUND", field: "source_id", "The payment could not be found.")
        }
        return .given(first, account: body.account) { [self] payment throws(Refusal) in
            guard let payment, payment.authorized > 0 else {
                throw SquareErrorDocument.refusal("NOT_FOUND", field: "source_id", "The payment could not be found.")
            }
            owners.withLock { $0[payment.id] = Owner(customer: customer, reference: reference) }
            return .answer(PSPReply(200, ["card": Self.card(payment, customer, reference, isEnabled: true)]))
        }
    }

    /// `GET /v2/cards` that are not disabled, all on one page.
    func list(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        let (customer, reference) = (request.query("customer_id"), request.query("reference_id"))
        return .inquire(account: account) { [self] view throws(Refusal) in
            let meant = owners.withLock { owners in
                owners.filter { _, owner in
                    !owner.customer.isEmpty && customer ?? owner.customer == owner.customer
                        && (reference == nil || reference == owner.reference)
                }
            }
            let cards = meant.sorted { $0.key < $1.key }.compactMap { id, owner in
                view.authorization(id).map { Self.card($0, owner.customer, owner.reference, isEnabled: true) }
            }
            return PSPReply(200, cards.isEmpty ? .object([]) : ["cards": .array(cards)])
        }
    }

    /// `POST /v2/cards/{card_id}/disable`.
    func disable(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        let name = PercentEncoding.text(request.parameter("card")) ?? ""
        guard let first = Self.payment(ofCard: name) else { throw .notFound }
        return .given(first, account: account) { [self] payment throws(Refusal) in
            guard let payment, let owner = owners.withLock({ $0[payment.id] }) else { throw .notFound }
            owners.withLock { $0[payment.id]?.customer = "" }
            return .answer(PSPReply(200, ["card": Self.card(payment, owner.customer, nil, isEnabled: false)]))
        }
    }

    /// What the books call the payment that the card of that name was made of; nil if it was made of none.
    static func payment(ofCard name: String) -> String? {
        guard name.hasPrefix(prefix) else { return nil }
        return SquareName.bookName(payment: String(name.dropFirst(prefix.count)))
    }

    /// Whether the card that was made of a payment may pay for what a request asks.
    ///
    /// - Throws: ``Refusal``.
    func check(_ payment: Authorization?, for fields: SquareFields) throws(Refusal) {
        let owner = payment.flatMap { payment in owners.withLock { $0[payment.id]?.customer } } ?? ""
        guard !owner.isEmpty else { throw .notFound }
        guard let customer = try fields.text("customer_id") else {
            throw fields.wrong(
                "MISSING_REQUIRED_PARAMETER",
                "customer_id",
                "The customer_id is required if the source_id is a card on file."
            )
        }
        guard customer == owner else {
            throw fields.wrong("CARD_MISMATCH", "customer_id", "The card does not belong to the customer.")
        }
        try Self.checkInitiator(fields, hasCard: true)
    }

    /// What the customer does not initiate is paid with a card on file.
    ///
    /// - Throws: ``Refusal``.
    static func checkInitiator(_ fields: SquareFields, hasCard: Bool) throws(Refusal) {
        guard fields.json["customer_details"]?["customer_initiated"]?.boolValue == false, !hasCard else { return }
        throw fields.wrong(
            "INVALID_VALUE",
            "customer_details.customer_initiated",
            "A payment that the customer does not initiate needs a card on file."
        )
    }

    private static func card(
        _ payment: Authorization,
        _ customer: String,
        _ reference: String?,
        isEnabled: Bool
    ) -> JSON {
        .object(omittingAbsent: [
            "id": .string(prefix + SquareName.payment(payment.id)),
            "card_brand": .string(SquareDocument.brand(payment)),
            "last_4": .string(payment.command.method.last4), "exp_month": 12, "exp_year": 2031,
            "customer_id": customer.isEmpty ? .none : .string(customer),
            "reference_id": reference.map(JSON.string), "enabled": .bool(isEnabled), "version": 1,
        ])
    }
}
