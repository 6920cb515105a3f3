import StrictJSON
import Synchronization

/// `POST /payments`.
struct CheckoutPayments: Sendable {
    let splits: CheckoutSplits
    let methods: StoredMethods

    /// Holds an amount, and captures it unless `capture` is false; with a stored source if one is named.
    func create(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try CheckoutRequester.requester(request)
        let body = try CheckoutBody(request, knowing: Self.fields)
        try Self.check(body)
        let vault = CheckoutVault(methods: methods)
        try vault.check(body)
        guard let first = CheckoutVault.firstPayment(body) else {
            return try create(body, paying: CheckoutSource.method(in: body), requester, request)
        }
        return .given(first, account: requester.account) { payment throws(Refusal) in
            try vault.check(payment, for: body)
            return try create(body, paying: StoredMethods.method, requester, request)
        }
    }

    private func create(
        _ body: CheckoutBody,
        paying method: PaymentMethod,
        _ requester: Requester,
        _ request: PSPRequest
    ) throws(Refusal) -> Reply {
        guard let amount = try body.amount() else { throw Refusal(422, "amount_invalid", "There is no amount.") }
        let currency = try Self.currency(body)
        let allocations = try CheckoutAllocations(body, of: amount)
        let reference = try body.reference()
        var details: [String: String] = [:]
        details["reference"] = reference
        details["metadata"] = body["metadata"]?.text
        details["allocations"] = allocations?.json.text
        details["eci"] = body["source"]?["eci"]?.stringValue
        details["payment_type"] = try body.text("payment_type", limit: 20)
        details.merge(try CheckoutVault.details(body)) { _, own in own }
        let command = AuthorizeCommand(
            reference: reference ?? requester.key ?? "",
            amount: amount,
            currency: currency,
            method: method,
            capture: try body.flag("capture") ?? true,
            applicationFee: allocations?.commission,
            returnURL: try body.text("success_url", limit: 1024),
            metadata: try body.metadata(),
            details: details
        )
        let splits = splits
        let isSplit = allocations != nil
        return .authorize(command, by: requester) { authorization in
            if isSplit { splits.note(authorization.id, total: amount) }
            let isOpen = authorization.status == .pending || authorization.status == .requiresAction
            let json =
                isOpen
                ? CheckoutDocument.pending(authorization, request.origin)
                : CheckoutDocument.payment(authorization, request.origin, isFirst: true)
            return CheckoutAnswer.reply(isOpen ? 202 : 201, json)
        }
    }

    private static func currency(_ body: CheckoutBody) throws(Refusal) -> String {
        guard let value = body["currency"] else { throw Refusal(422, "currency_required", "There is no currency.") }
        guard let currency = value.stringValue, currency.utf8.count == 3,
            currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { throw Refusal(422, "currency_invalid", "The currency is invalid.") }
        return currency
    }

    /// What is checked and has no effect here.
    private static func check(_ body: CheckoutBody) throws(Refusal) {
        if let channel = body["processing_channel_id"] {
            guard let text = channel.stringValue, text.hasPrefix("pc_"), text.utf8.count == 29,
                text.dropFirst(3).allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else { throw Refusal(422, "processing_channel_id_invalid", "The processing channel is invalid.") }
        }
        let types = ["Regular", "Recurring", "MOTO", "Installment", "PayLater", "Unscheduled"]
        let type = try body.text("payment_type", limit: 20) ?? "Regular"
        guard types.contains(type), try body.flag("merchant_initiated") != true || type != "Regular" else {
            throw Refusal(422, "payment_type_invalid", "The payment's type is invalid.")
        }
        guard body["capture_on"] == nil else {
            throw Refusal(422, "parameter_invalid", "This simulator captures at no later time.")
        }
        _ = try body.text("description", limit: 100)
        _ = try body.text("previous_payment_id", limit: 100)
        _ = try body.text("failure_url", limit: 1024)
        if let authentication = body["3ds"] {
            guard authentication.objectValue != nil, authentication["enabled"].map({ $0.boolValue != nil }) ?? true
            else { throw Refusal(422, "parameter_invalid", "3ds is invalid.") }
        }
    }

    /// The fields of a payment, from the API reference and Checkout.com's SDK.
    private static let fields: Set<String> = [
        "3ds", "amount", "amount_allocations", "authentication", "authorization_type", "billing_descriptor", "capture",
        "capture_on", "currency", "customer", "description", "expire_on", "failure_url", "fallback_source",
        "instruction", "items", "marketplace", "merchant_initiated", "metadata", "partial_authorization",
        "payment_context_id", "payment_ip", "payment_plan", "payment_type", "previous_payment_id", "processing",
        "processing_channel_id", "recipient", "reference", "retry", "risk", "routing", "segment", "sender", "shipping",
        "source", "subscription", "success_url",
    ]
}

/// Which payments were shared among sub-entities: a part of such a payment is captured or refunded with its shares.
///
/// Forgotten when the simulator stops; the rule is then not checked any more.
final class CheckoutSplits: Sendable {
    /// How many payments are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct State {
        var totals: [String: Int64] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Notes a payment that was shared.
    func note(_ payment: String, total: Int64) {
        state.withLock { state in
            guard state.totals.updateValue(total, forKey: payment) == nil else { return }
            state.order.append(payment)
            if state.order.count > Self.limit { state.totals[state.order.removeFirst()] = nil }
        }
    }

    /// Checks that a part of a payment comes with its shares.
    ///
    /// - Throws: ``Refusal`` if it does not.
    func check(_ payment: String, amount: Int64?, _ allocations: CheckoutAllocations?) throws(Refusal) {
        guard let amount, allocations == nil, let total = state.withLock({ $0.totals[payment] }), amount < total else {
            return
        }
        throw Refusal(422, "amount_allocations_required", "A part of a payment that was shared needs its shares.")
    }
}

/// How an amount is shared among a platform's sub-entities.
struct CheckoutAllocations: Sendable {
    /// The shares as they came.
    let json: JSON
    /// The fixed commissions of the platform, in minor units; percentages are kept and not computed.
    let commission: Int64

    /// Reads `amount_allocations`; nil if there are none.
    ///
    /// - Parameters:
    ///   - body: the request's body.
    ///   - total: what they have to sum up to, in minor units; nil if the request names no amount.
    /// - Throws: ``Refusal``.
    init?(_ body: CheckoutBody, of total: Int64?) throws(Refusal) {
        guard let json = body["amount_allocations"] else { return nil }
        guard let shares = json.arrayValue, !shares.isEmpty else { throw Self.invalid("They are no list.") }
        var sum: Int64 = 0
        var commission: Int64 = 0
        for share in shares {
            let fields = try CheckoutBody(share, knowing: ["amount", "commission", "id", "reference"])
            guard let id = fields["id"]?.stringValue, id.hasPrefix("ent_"), id.utf8.count > 4 else {
                throw Self.invalid("A share has no sub-entity.")
            }
            guard let amount = try fields.amount() else { throw Self.invalid("A share has no amount.") }
            _ = try fields.text("reference", limit: 80)
            sum += amount
            commission += try Self.fixedCommission(fields, of: amount)
        }
        if let total, sum != total { throw Self.invalid("The shares are not the sum of the amount.") }
        self.json = json
        self.commission = commission
    }

    private static func fixedCommission(_ share: CheckoutBody, of amount: Int64) throws(Refusal) -> Int64 {
        guard let json = share["commission"] else { return 0 }
        let fields = try CheckoutBody(json, knowing: ["amount", "percentage"])
        switch fields["percentage"] {
        case nil, .number: break
        case .integer(let percentage) where 0...100 ~= percentage: break
        default: throw invalid("A commission's percentage is no number up to 100.")
        }
        guard let fixed = fields["amount"] else { return 0 }
        guard let commission = fixed.integerValue, 0...amount ~= commission else {
            throw invalid("A commission is more than its share.")
        }
        return commission
    }

    private static func invalid(_ why: String) -> Refusal { Refusal(422, "amount_allocations_invalid", why) }
}

/// What pays, as `source` says it.
private enum CheckoutSource {
    private static let common: Set<String> = [
        "account_holder", "billing_address", "phone", "store_for_future_use", "stored", "type",
    ]

    /// Reads the source: a token, a stored instrument or a network token.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    static func method(in body: CheckoutBody) throws(Refusal) -> PaymentMethod {
        guard let source = body["source"] else {
            throw Refusal(422, "source_or_destination_required", "The source is required.")
        }
        switch source["type"]?.stringValue {
        case "token":
            let fields = try CheckoutBody(source, knowing: common.union(["token"]))
            guard let token = fields["token"] else { throw Refusal(422, "token_required", "The token is required.") }
            guard let text = token.stringValue, text.hasPrefix(TokenScript.prefix) else {
                throw Refusal(422, "token_invalid", "The token is invalid.")
            }
            return .token(text)
        case "id":
            let fields = try CheckoutBody(source, knowing: common.union(["cvv", "id", "payment_method"]))
            guard let id = fields["id"]?.stringValue else {
                throw Refusal(422, "source_id_required", "The source's identifier is required.")
            }
            guard id.hasPrefix("src_") else { throw Refusal(422, "source_id_invalid", "The source is invalid.") }
            return .token(TokenScript.prefix + id.dropFirst("src_".count))
        case "network_token":
            let fields = try CheckoutBody(
                source,
                knowing: common.union([
                    "cryptogram", "cvv", "eci", "expiry_month", "expiry_year", "name", "token", "token_type",
                ])
            )
            return .networkToken(try networkToken(fields, isMerchantInitiated: isMerchantInitiated(body, fields)))
        case nil: throw Refusal(422, "source_type_required", "The source's type is required.")
        default: throw Refusal(422, "source_invalid", "The source's type is not supported.")
        }
    }

    /// A cryptogram is of the buyer's own payments only.
    private static func isMerchantInitiated(_ body: CheckoutBody, _ fields: CheckoutBody) throws(Refusal) -> Bool {
        if try body.flag("merchant_initiated") == true { return true }
        return try fields.flag("stored") == true
    }

    private static func networkToken(
        _ fields: CheckoutBody,
        isMerchantInitiated: Bool
    ) throws(Refusal) -> NetworkTokenDigest {
        guard let type = fields["token_type"] else {
            throw Refusal(422, "source_token_type_required", "The network token's type is required.")
        }
        guard ["applepay", "googlepay", "mdes", "vts"].contains(type.stringValue) else {
            throw Refusal(422, "source_token_type_invalid", "The network token's type is invalid.")
        }
        let month = try number(fields, "expiry_month", in: 1...12)
        let year = try number(fields, "expiry_year", in: 2000...2100)
        let cryptogram = try fields.text("cryptogram", limit: 50)
        guard cryptogram?.isEmpty == false || isMerchantInitiated else {
            throw Refusal(422, "parameter_invalid", "The cryptogram is required.")
        }
        _ = try fields.text("eci", limit: 2)
        guard let token = fields["token"] else {
            throw Refusal(422, "source_token_required", "The network token is required.")
        }
        let text = token.stringValue ?? ""
        guard let digest = NetworkTokenDigest(number: text, expiryMonth: month, expiryYear: year) else {
            throw Refusal(422, "source_token_invalid", "The network token is invalid.")
        }
        return digest
    }

    /// A part of the expiry; the page of pre-decrypted tokens writes it as text, the API reference as a number.
    private static func number(
        _ fields: CheckoutBody,
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(Refusal) -> Int64 {
        guard let value = fields[name] else { throw Refusal(422, "card_\(name)_required", "\(name) is required.") }
        guard let number = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }), range ~= number else {
            throw Refusal(422, "card_\(name)_invalid", "\(name) is invalid.")
        }
        return number
    }
}

/// Tokens, which are made for a payment that follows, under the public key.
///
/// They are not kept: their names say what they stand for.
enum CheckoutTokens {
    /// How long a token may be used, in milliseconds: 15 minutes.
    private static let life: Int64 = 15 * 60_000

    /// `POST /tokens` with the encrypted data of Apple Pay or Google Pay.
    static func create(_ request: PSPRequest) throws(Refusal) -> Reply {
        try CheckoutRequester.checkPublicKey(request)
        let body = try CheckoutBody(request, knowing: ["token_data", "type"])
        guard let type = body["type"] else { throw Refusal(422, "token_type_required", "The type is required.") }
        let names: [String]
        switch type.stringValue {
        case "applepay": names = ["version", "data", "signature"]
        case "googlepay": names = ["protocolVersion", "signature", "signedMessage"]
        default: throw Refusal(422, "token_type_invalid", "The type is not supported.")
        }
        guard let data = body["token_data"], names.allSatisfy({ data[$0]?.stringValue?.isEmpty == false }),
            type != "applepay" || isHeader(data["header"]), case .token(let token)? = WalletData.method(data)
        else { throw Refusal(422, "token_data_invalid", "The wallet's data is invalid.") }
        return .answer(CheckoutAnswer.reply(201, document(token, type)))
    }

    /// Apple Pay's header: an ephemeral key, or a wrapped one where RSA is used.
    private static func isHeader(_ header: JSON?) -> Bool {
        guard let header, let fields = header.objectValue else { return false }
        let isText = fields.allSatisfy { $0.value.stringValue?.isEmpty == false }
        let hasKey = header["ephemeralPublicKey"] != nil || header["wrappedKey"] != nil
        return isText && hasKey && header["publicKeyHash"] != nil && header["transactionId"] != nil
    }

    private static func document(_ token: String, _ type: JSON) -> JSON {
        let end = SimulatorClock.system() + life
        return [
            "type": type, "token": .string(token), "expires_on": CheckoutDocument.moment(end), "expiry_month": 12,
            "expiry_year": 2031, "scheme": "Visa", "last4": "4242", "bin": "424242", "card_type": "CREDIT",
            "card_category": "CONSUMER", "token_format": "dpan",
        ]
    }
}
