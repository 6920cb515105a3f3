import StrictJSON
import Synchronization

/// Payments as they are made.
struct SquarePayments: Sendable {
    let document: SquareDocument
    let cards: SquareCards

    /// Fields that stand in the answer as they came, with the greatest number of characters.
    private static let kept: [(name: String, limit: Int)] = [
        ("buyer_email_address", 255), ("customer_id", 191), ("location_id", 50), ("note", 500), ("order_id", 192),
        ("reference_id", 40), ("statement_description_identifier", 20), ("team_member_id", 192),
        ("verification_token", 1000), ("buyer_phone_number", 30), ("delay_duration", 30),
    ]

    /// `POST /v2/payments`, with a card on file if one is named.
    func create(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try SquareBody(request, knowing: Self.known)
        let source = try body.fields.required("source_id")
        let first = SquareCards.payment(ofCard: source)
        guard let first else {
            try SquareCards.checkInitiator(body.fields, hasCard: false)
            return try create(body, source)
        }
        return .given(first, account: body.account) { [cards] payment throws(Refusal) in
            try cards.check(payment, for: body.fields)
            return try create(body, AmountTable.token)
        }
    }

    private func create(_ body: SquareBody, _ source: String) throws(Refusal) -> Reply {
        let fields = body.fields
        let key = try fields.key()
        let amount = try fields.requiredMoney("amount_money")
        let tip = try fields.money("tip_money", in: amount.currency)
        let fee = try fields.money("app_fee_money", in: amount.currency)
        let total = amount.amount + (tip?.amount ?? 0)
        try Self.check(fee: fee?.amount, of: total, fields)
        for name in Self.objects { try fields.object(name) }
        var details: [String: String] = [:]
        for (name, limit) in Self.kept { details[name] = try fields.text(name, limit: limit) }
        details["tip"] = tip.map { String($0.amount) }
        let autocomplete = try fields.bool("autocomplete") ?? true
        let takesPart = try Self.takesPart(fields, autocomplete: autocomplete)
        let paying = try SquareSource(
            source,
            customer: details["customer_id"],
            SquareSource.Terms(
                total: total,
                takesPart: takesPart,
                isShared: (tip?.amount ?? 0) > 0 || fee != nil,
                isVerified: details["verification_token"]?.isEmpty == false,
                life: try Self.life(fields, autocomplete: autocomplete)
            )
        )
        details.merge(paying.details) { _, new in new }
        let command = AuthorizeCommand(
            reference: details["reference_id"] ?? key,
            amount: total,
            currency: amount.currency,
            method: .token(paying.token),
            capture: autocomplete,
            applicationFee: fee?.amount,
            details: details,
            identifier: SquareName.payment(of: body.account, key: key)
        )
        return .authorize(command, by: Requester(account: body.account, key: key), reply: document.reply(creating:))
    }

    /// The developer's fee is at most 90 % of what the buyer pays.
    ///
    /// - Throws: ``Refusal``.
    static func check(fee: Int64?, of total: Int64, _ fields: SquareFields) throws(Refusal) {
        guard let fee, fee * 10 > total * 9 else { return }
        throw fields.wrong("INVALID_FEES", "app_fee_money.amount", "The app_fee_money on the payment is too high.")
    }

    private static func takesPart(_ fields: SquareFields, autocomplete: Bool) throws(Refusal) -> Bool {
        let takesPart = try fields.bool("accept_partial_authorization") ?? false
        guard takesPart, autocomplete else { return takesPart }
        throw fields.wrong(
            "BAD_REQUEST",
            "accept_partial_authorization",
            "accept_partial_authorization cannot be true when autocomplete is true."
        )
    }

    /// How long the payment is held, in milliseconds; nil unless the request says so.
    private static func life(_ fields: SquareFields, autocomplete: Bool) throws(Refusal) -> Int64? {
        if let action = try fields.text("delay_action") {
            guard action == "CANCEL" || action == "COMPLETE" else {
                throw fields.wrong("INVALID_ENUM_VALUE", "delay_action", "Must be CANCEL or COMPLETE.")
            }
            // The books let a hold run out; they do not capture by themselves.
            guard action == "CANCEL" else {
                throw fields.wrong("INVALID_VALUE", "delay_action", "The simulator only knows CANCEL.")
            }
        }
        guard let text = try fields.text("delay_duration") else { return nil }
        guard !autocomplete else {
            throw fields.wrong("BAD_REQUEST", "delay_duration", "Only a delayed capture can have a delay_duration.")
        }
        guard let life = SquareMoment.milliseconds(ofDuration: text) else {
            throw fields.wrong("INVALID_VALUE", "delay_duration", "The duration is not in RFC 3339 format.")
        }
        guard life >= 60_000 else { throw fields.wrong("VALUE_TOO_LOW", "delay_duration", "At least one minute.") }
        guard life <= 36 * 86_400_000 else { throw fields.wrong("VALUE_TOO_HIGH", "delay_duration", "Too long.") }
        return life
    }

    private static let objects = ["billing_address", "shipping_address", "customer_details"]

    /// The fields of a payment, from the OpenAPI description of 2025-08-20.
    private static let known: Set<String> = [
        "accept_partial_authorization", "amount_money", "app_fee_money", "autocomplete", "billing_address",
        "buyer_email_address", "buyer_phone_number", "cash_details", "customer_details", "customer_id", "delay_action",
        "delay_duration", "external_details", "idempotency_key", "location_id", "note", "offline_payment_details",
        "order_id", "reference_id", "shipping_address", "source_id", "statement_description_identifier",
        "team_member_id", "tip_money", "verification_token",
    ]
}

/// What pays, as `source_id` says it.
///
/// Square takes tokens of its own software in the buyer's browser or phone, and neither cards nor wallets' data.
struct SquareSource: Sendable {
    /// What a payment may do with its source.
    struct Terms: Sendable {
        /// In minor units, with the tip.
        var total: Int64
        /// Whether a part of the total may be approved.
        var takesPart: Bool
        /// Whether a part of the total is for somebody else than the seller: a tip or the developer's fee.
        var isShared: Bool
        /// Whether the buyer has been authenticated (3-D Secure), as a token says.
        var isVerified: Bool
        /// How long the payment is held, in milliseconds; nil for Square's 7 days.
        var life: Int64?
    }

    /// The name under which the details keep the code of a decline that the books have no word for.
    static let declineDetail = "decline"
    /// The name under which the details keep what a gift card would still have paid.
    static let balanceDetail = "gift_card_balance"

    /// The simulator's token.
    let token: String
    /// What to keep with the payment.
    let details: [String: String]

    /// Square's tokens of the sandbox, and the code of their decline (developer.squareup.com/docs/devtools/sandbox/
    /// payments, read 2026).
    private static let sandbox: [String: (token: String, code: String?)] = [
        "card-nonce-ok": ("tok_approve", nil), "card-nonce-declined": ("tok_decline_generic", nil),
        "card-nonce-rejected-cvv": ("tok_decline_generic", "CVV_FAILURE"),
        "card-nonce-rejected-postalcode": ("tok_decline_generic", "ADDRESS_VERIFICATION_FAILURE"),
        "card-nonce-rejected-expiration": ("tok_decline_invalid_card", "INVALID_EXPIRATION"),
    ]

    /// Reads a source.
    ///
    /// - Throws: ``Refusal`` that does not repeat it.
    init(_ source: String, customer: String?, _ terms: Terms) throws(Refusal) {
        let (token, code) = try Self.token(source, customer: customer)
        let script: TokenScript
        do throws(TokenScriptError) {
            script = try PaymentMethod.token(token).script(amount: terms.total)
        } catch {
            throw .token(error)
        }
        var details: [String: String] = [:]
        details[Self.declineDetail] = code
        switch script.effect(of: .authorize) {
        case .requireAction:
            self.token = Self.script(script, terms.isVerified ? "approve" : "decline_authentication_required")
        case .approvePartly where !terms.takesPart || terms.isShared:
            self.token = Self.script(script, "decline_insufficient_funds")
            details[Self.balanceDetail] = String(max(1, terms.total / 2))
        case .approve:
            self.token = terms.life.map { Self.script(script, "lapse_\($0)") } ?? token
        default: self.token = token
        }
        self.details = details
    }

    private static func token(_ source: String, customer: String?) throws(Refusal) -> (String, String?) {
        if source.hasPrefix(TokenScript.prefix) { return (source, nil) }
        let parts = source.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw unsupported(source) }
        switch parts[0] {
        case "cnon", "wnon": break
        case "ccof":
            guard customer != nil else {
                throw SquareErrorDocument.refusal(
                    "MISSING_REQUIRED_PARAMETER",
                    field: "customer_id",
                    "The customer_id is required if the source_id is a card on file."
                )
            }
        default: throw unsupported(source)
        }
        if parts[1].hasPrefix(TokenScript.prefix) { return (parts[1], nil) }
        if parts[1] == "card-nonce-already-used" {
            throw SquareErrorDocument.refusal("CARD_TOKEN_USED", field: "source_id", "Card nonce already used.")
        }
        guard let known = sandbox[parts[1]] else { throw .token(.notAToken) }
        return known
    }

    private static func unsupported(_ source: String) -> Refusal {
        let isKnown = ["CASH", "EXTERNAL"].contains(source) || source.hasPrefix("bnon:")
        guard isKnown else { return .token(.notAToken) }
        return SquareErrorDocument.refusal(
            "UNSUPPORTED_SOURCE_TYPE",
            field: "source_id",
            "The source type is not supported."
        )
    }

    /// The token with another effect on the authorization.
    private static func script(_ script: TokenScript, _ word: String) -> String {
        var parts = script.text.dropFirst(TokenScript.prefix.count).split(separator: "+").map(String.init)
        let own = "\(OperationKind.authorize.rawValue)_"
        let effect = parts.indices.first { index in
            guard index == 0 || parts[index].hasPrefix(own) else { return false }
            let part = String(index == 0 ? parts[0][...] : parts[index].dropFirst(own.count))
            guard let alone = try? TokenScript(TokenScript.prefix + part) else { return false }
            return part == "approve" || alone.effect(of: .authorize) != .approve
        }
        if let effect {
            parts[effect] = (effect == 0 ? "" : own) + word
        } else {
            parts.append(own + word)
        }
        return TokenScript.prefix + parts.joined(separator: "+")
    }
}

/// What payments were changed to before they are completed, which the books have no word for.
///
/// Kept in memory only.
final class SquareEdits: Sendable {
    /// The amounts of a payment that was changed.
    struct Edit: Hashable, Sendable {
        /// What is to be taken, with the tip, in minor units.
        var total: Int64
        /// The tip in it, in minor units.
        var tip: Int64?
        /// The developer's fee in it, in minor units.
        var fee: Int64?
        /// How often the payment was changed.
        var count: Int
        /// When, in milliseconds since 1970.
        var at: Int64
        /// Under which idempotency key.
        var key: String
    }

    /// How many results are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct Kept {
        var payment: String
        var request: JSON
        var reply: PSPReply
    }

    private struct State {
        var edits: [String: Edit] = [:]
        var results: [Requester: Kept] = [:]
        var order: [Requester] = []
    }

    private let state = Mutex(State())

    /// The latest change of a payment, by the books' identifier.
    func edit(of payment: String) -> Edit? { state.withLock { $0.edits[payment] } }

    /// The kept answer to a request; nil if it is new.
    ///
    /// - Throws: ``Refusal/keyMismatch`` if its key was used for another one.
    func reply(to request: JSON, of payment: String, by requester: Requester) throws(Refusal) -> PSPReply? {
        guard let kept = state.withLock({ $0.results[requester] }) else { return nil }
        guard kept.payment == payment, kept.request == request else { throw .keyMismatch }
        return kept.reply
    }

    /// Keeps a change.
    func change(_ payment: String, to edit: Edit) { state.withLock { $0.edits[payment] = edit } }

    /// Keeps the answer to a change.
    func keep(_ reply: PSPReply, to request: JSON, of payment: String, by requester: Requester) {
        state.withLock { state in
            state.results[requester] = Kept(payment: payment, request: request, reply: reply)
            state.order.append(requester)
            guard state.order.count > Self.limit else { return }
            let oldest = state.order.removeFirst()
            if let forgotten = state.results.removeValue(forKey: oldest)?.payment { state.edits[forgotten] = nil }
        }
    }
}
