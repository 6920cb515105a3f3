import StrictJSON
import Synchronization

/// One mutation of an account.
struct BraintreeMutation: Sendable {
    /// The field of `Mutation`.
    let root: GraphQLNode
    /// Who asks; Braintree has no idempotency keys.
    let requester: Requester
    /// The payment methods.
    let vault: BraintreeVault

    private var input: JSON { .optional(root.arguments["input"]) }

    /// What it asks.
    ///
    /// - Throws: ``Refusal`` if it is wrong by itself.
    func ask() throws(Refusal) -> Reply {
        guard (input["clientMutationId"]?.stringValue ?? "").utf16.count <= 255 else {
            throw BraintreeFault(
                errorClass: "VALIDATION",
                inputPath: "input.clientMutationId",
                message: "clientMutationId is longer than 255 characters."
            ).refusal
        }
        switch root.name {
        case "tokenizeNetworkToken": return try tokenize()
        case "authorizePaymentMethod", "authorizeCreditCard": return try create(captures: false)
        case "chargePaymentMethod", "chargeCreditCard": return try create(captures: true)
        case "captureTransaction": return try capture()
        case "partialCaptureTransaction": throw try partialCapture()
        case "voidTransaction": return try undo(isReversal: false)
        case "reverseTransaction": return try undo(isReversal: true)
        case "refundTransaction": return try refund()
        case "deletePaymentMethodFromVault": return try forget()
        default: throw .graphQL("A mutation is needed.")
        }
    }

    private func tokenize() throws(Refusal) -> Reply {
        let token = input["networkToken"]
        let number = token?["number"]?.stringValue ?? ""
        let path = "input.networkToken."
        guard token?["cryptogram"]?.stringValue?.isEmpty == false else {
            throw BraintreeFault(
                errorClass: "VALIDATION",
                inputPath: path + "cryptogram",
                message: "Cryptogram is required."
            ).refusal
        }
        let month = Int64(token?["expirationMonth"]?.stringValue ?? "") ?? 0
        let year = Int64(token?["expirationYear"]?.stringValue ?? "") ?? 0
        guard let digest = NetworkTokenDigest(number: number, expiryMonth: month, expiryYear: year) else {
            let message = "Credit card number must be 12-19 digits."
            throw BraintreeFault("81716", message, at: path + "number").refusal
        }
        guard digest.triggerCode != nil || Self.passesLuhn(number) else {
            throw BraintreeFault("81715", "Credit card number is invalid.", at: path + "number").refusal
        }
        let origin = token?["originDetails"]?["origin"]?.stringValue
        let id = vault.add(digest, origin: origin, of: requester.account)
        let card = BraintreeMethodDocument.card(.networkToken(digest), origin)
        let method = BraintreeMethodDocument.method(id, isSingleUse: true, card)
        return .answer(BraintreeAnswer.data(root, payload("TokenizeNetworkTokenPayload", "paymentMethod", method)))
    }

    /// Makes a transaction, with a payment method of the vault if one is named.
    private func create(captures: Bool) throws(Refusal) -> Reply {
        let name = input["paymentMethodId"]?.stringValue ?? ""
        let fields = input["transaction"]
        guard let first = BraintreeStored.firstPayment(name) else {
            guard !BraintreeStored.isMerchants(fields) else { throw BraintreeStored.notVaulted }
            return try create(captures: captures, try vault.method(name, of: requester.account), [:])
        }
        return .given(first, account: requester.account) { [self] payment throws(Refusal) in
            try BraintreeStored.check(payment, for: fields, vault.stored)
            return try create(captures: captures, (StoredMethods.method, nil), [BraintreeStored.nameDetail: name])
        }
    }

    private func forget() throws(Refusal) -> Reply {
        guard let first = BraintreeStored.firstPayment(input["paymentMethodId"]?.stringValue ?? "") else {
            throw .notFound
        }
        return .given(first, account: requester.account) { [self] payment throws(Refusal) in
            guard vault.stored.remove(methodOf: payment) else { throw .notFound }
            let answer: JSON = [
                "__typename": "DeletePaymentMethodFromVaultPayload",
                "clientMutationId": .optional(input["clientMutationId"]),
            ]
            return .answer(BraintreeAnswer.data(root, answer))
        }
    }

    private func create(
        captures: Bool,
        _ found: (method: PaymentMethod, origin: String?),
        _ kept: [String: String]
    ) throws(Refusal) -> Reply {
        let path = "input.transaction."
        let fields = input["transaction"]
        let merchantAccount = fields?["merchantAccountId"]?.stringValue
        let currency = BraintreeAmount.currency(of: merchantAccount)
        let orderId = try Self.orderId(fields, at: path + "orderId")
        try BraintreeDescriptor.check(fields?["descriptor"], at: path + "descriptor")
        guard (fields?["lineItems"]?.arrayValue ?? []).count <= 249 else {
            throw BraintreeFault(
                errorClass: "VALIDATION",
                inputPath: path + "lineItems",
                message: "Up to 249 line items may be specified."
            ).refusal
        }
        let method = input["paymentMethodId"]?.stringValue ?? ""
        var details = kept
        details["orderId"] = orderId
        details[StoredMethods.ownerDetail] = BraintreeStored.owner(fields)
        for name in ["merchantAccountId", "purchaseOrderNumber", "channel"] {
            details[name] = fields?[name]?.stringValue
        }
        details["origin"] = found.origin
        var command = AuthorizeCommand(
            reference: orderId ?? "unnamed_" + String(NameDraw.number(UInt64.self), radix: 36),
            amount: try BraintreeAmount.minor(
                fields?["amount"]?.stringValue ?? "",
                decimals: BraintreeAmount.decimals(of: currency),
                at: path + "amount"
            ),
            currency: currency,
            method: found.method,
            capture: captures,
            metadata: Self.customFields(fields),
            details: details
        )
        // Settlement declined is the last of a transaction's statuses (reference/general/statuses, read 2026).
        command.endsWithFailedCapture = true
        return .authorize(command, by: requester) { authorization in
            vault.consume(method)
            return answer("TransactionPayload", "transaction", BraintreeTransaction(authorization, at: nil).json())
        }
    }

    private func capture() throws(Refusal) -> Reply {
        let target = try target()
        let fields = input["transaction"]
        let orderId = try Self.orderId(fields, at: "input.transaction.orderId")
        try BraintreeDescriptor.check(fields?["descriptor"], at: "input.transaction.descriptor")
        var change = ChangeCommand(.capture, of: .id(target.number.authorizationIdentifier), reference: "")
        if let text = fields?["amount"]?.stringValue {
            change.amount = try amount(text, target, at: "input.transaction.amount")
        } else if let text = input["amount"]?.stringValue {
            change.amount = try amount(text, target, at: "input.amount")
        }
        change.details["orderId"] = orderId
        return .change(named(change), by: requester) { _, authorization in
            answer("TransactionPayload", "transaction", BraintreeTransaction(authorization, at: nil).json())
        }
    }

    /// Several captures are for PayPal and Venmo only, and nothing here is either.
    private func partialCapture() throws(Refusal) -> Refusal {
        _ = try target()
        return BraintreeFault(
            errorClass: "VALIDATION",
            inputPath: "input.transactionId",
            message: "Partial captures are available for PayPal and Venmo transactions only."
        ).refusal
    }

    private func undo(isReversal: Bool) throws(Refusal) -> Reply {
        var change = ChangeCommand(.void, of: .id(try target().number.authorizationIdentifier), reference: "")
        change.isReversal = isReversal
        return .change(named(change), by: requester) { operation, authorization in
            if operation.kind == .refund {
                let refund = BraintreeRefund(operation, of: authorization, isFresh: true)
                return answer("ReverseTransactionPayload", "reversal", refund.json())
            }
            let transaction = BraintreeTransaction(authorization, at: nil).json()
            if isReversal { return answer("ReverseTransactionPayload", "reversal", transaction) }
            return answer("VoidTransactionPayload", "transaction", transaction)
        }
    }

    private func refund() throws(Refusal) -> Reply {
        let target = try target()
        let fields = input["refund"]
        let orderId = try Self.orderId(fields, at: "input.refund.orderId")
        var change = ChangeCommand(.refund, of: .id(target.number.authorizationIdentifier), reference: "")
        if let text = fields?["amount"]?.stringValue {
            change.amount = try amount(text, target, at: "input.refund.amount")
        }
        change.details["orderId"] = orderId
        change.details["merchantAccountId"] = fields?["merchantAccountId"]?.stringValue
        return .change(named(change), by: requester) { operation, authorization in
            let refund = BraintreeRefund(operation, of: authorization, isFresh: true)
            return answer("RefundTransactionPayload", "refund", refund.json())
        }
    }
}

extension BraintreeMutation {
    private func payload(_ type: String, _ name: String, _ object: JSON) -> JSON {
        .object([
            JSON.Member("__typename", .string(type)),
            JSON.Member("clientMutationId", .optional(input["clientMutationId"])), JSON.Member(name, object),
            JSON.Member("errors", []),
        ])
    }

    private func answer(_ type: String, _ name: String, _ object: JSON) -> PSPReply {
        BraintreeAnswer.data(root, payload(type, name, object))
    }

    /// The transaction that is meant.
    private func target() throws(Refusal) -> BraintreeName {
        let name = input["transactionId"]?.stringValue.flatMap { BraintreeName($0) }
        guard let name, name.kind == .transaction else { throw .notFound }
        return name
    }

    private func amount(_ text: String, _ target: BraintreeName, at path: String) throws(Refusal) -> Int64 {
        try BraintreeAmount.minor(text, decimals: target.decimals, at: path)
    }

    /// The change with the caller's name for it: the order's, or the mutation's.
    private func named(_ change: ChangeCommand) -> ChangeCommand {
        var named = change
        named.reference = change.details["orderId"] ?? input["clientMutationId"]?.stringValue ?? ""
        return named
    }

    private static func orderId(_ fields: JSON?, at path: String) throws(Refusal) -> String? {
        guard let orderId = fields?["orderId"]?.stringValue, !orderId.isEmpty else { return nil }
        guard orderId.utf16.count <= 255 else {
            throw BraintreeFault("91501", "Order ID is too long.", at: path).refusal
        }
        return orderId
    }

    private static func customFields(_ fields: JSON?) -> [String: String] {
        var values: [String: String] = [:]
        for field in fields?["customFields"]?.arrayValue ?? [] {
            if let name = field["name"]?.stringValue { values[name] = field["value"]?.stringValue }
        }
        return values
    }

    /// Whether the check digit is right (ISO/IEC 7812-1, annex B).
    private static func passesLuhn(_ number: String) -> Bool {
        let sum = number.utf8.reversed().enumerated().reduce(0) { sum, digit in
            let value = Int(digit.element - 0x30) * (digit.offset.isMultiple(of: 2) ? 1 : 2)
            return sum + value / 10 + value % 10
        }
        return sum.isMultiple(of: 10)
    }
}

/// What a buyer's statement says (reference/request/transaction/sale, "descriptor", read 2026).
private enum BraintreeDescriptor {
    /// Checks a descriptor.
    ///
    /// - Throws: ``Refusal`` if its name is not 3, 7 or 12 characters, a star and a product of at most 18, 14 or 9.
    static func check(_ descriptor: JSON?, at path: String) throws(Refusal) {
        guard let name = descriptor?["name"]?.stringValue else { return }
        let parts = name.split(separator: "*", omittingEmptySubsequences: false)
        let limits = [3: 18, 7: 14, 12: 9]
        guard parts.count == 2, let limit = limits[parts[0].utf8.count], parts[1].utf8.count <= limit else {
            throw BraintreeFault("92201", "Dynamic descriptor name format is invalid.", at: path + ".name").refusal
        }
    }
}

/// Single-use payment methods, and what payment methods stand for.
///
/// Single-use ones are kept outside the books and forgotten at a restart. A token of the simulator is a multi-use one.
final class BraintreeVault: Sendable {
    /// The multi-use ones that transactions left.
    let stored = StoredMethods()

    /// How long a single-use payment method lives: 3 hours, in milliseconds (graphql guides, "Payment Methods").
    static let lifeMilliseconds: Int64 = 3 * 3_600_000
    /// How many are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct Entry {
        let account: String
        let digest: NetworkTokenDigest
        let origin: String?
        let createdAt = SimulatorClock.system()
        var isConsumed = false
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Keeps a network token of a wallet, or of none; the answer is its identifier.
    func add(_ digest: NetworkTokenDigest, origin: String?, of account: String) -> String {
        let parts = (0..<5).map { _ in
            String(String(NameDraw.number(UInt64.self), radix: 36).suffix(6))
        }
        let id = "tokencc_bh_" + parts.joined(separator: "_")
        state.withLock { state in
            state.entries[id] = Entry(account: account, digest: digest, origin: origin)
            state.order.append(id)
            if state.order.count > Self.limit { state.entries[state.order.removeFirst()] = nil }
        }
        return id
    }

    /// What a payment method stands for, and the wallet that it came from.
    ///
    /// - Throws: ``Refusal`` if nobody knows it, or it has been used.
    func method(_ id: String, of account: String) throws(Refusal) -> (method: PaymentMethod, origin: String?) {
        if id.hasPrefix(TokenScript.prefix) { return (.token(id), nil) }
        if let token = Self.testNonces[id] { return (.token(TokenScript.prefix + token), nil) }
        let now = SimulatorClock.system()
        let entry = state.withLock { $0.entries[id] }
        guard let entry, entry.account == account, now < entry.createdAt + Self.lifeMilliseconds else {
            guard id != "fake-consumed-nonce" else { throw Self.consumed }
            throw Self.unknown
        }
        guard !entry.isConsumed else { throw Self.consumed }
        return (.networkToken(entry.digest), entry.origin)
    }

    /// Notes that a transaction was made of it.
    func consume(_ id: String) { state.withLock { $0.entries[id]?.isConsumed = true } }

    /// Nobody knows the payment method.
    static let unknown = BraintreeFault(
        "91565",
        "Unknown or expired single-use payment method.",
        at: "input.paymentMethodId"
    ).refusal

    private static let consumed = BraintreeFault(
        "91564",
        "Cannot use a single-use payment method more than once.",
        at: "input.paymentMethodId"
    ).refusal

    /// Nonces of Braintree's sandbox (reference/general/testing) that have a counterpart; they can be used again.
    private static let testNonces: [String: String] = [
        "fake-valid-nonce": "approve", "fake-valid-visa-nonce": "approve", "fake-valid-amex-nonce": "approve",
        "fake-valid-mastercard-nonce": "approve", "fake-valid-discover-nonce": "approve",
        "fake-apple-pay-visa-nonce": "approve", "fake-apple-pay-mastercard-nonce": "approve",
        "fake-apple-pay-amex-nonce": "approve", "fake-android-pay-nonce": "approve",
        "fake-android-pay-visa-nonce": "approve", "fake-android-pay-mastercard-nonce": "approve",
        "fake-processor-declined-visa-nonce": "decline_generic",
        "fake-processor-declined-mastercard-nonce": "decline_generic",
        "fake-processor-declined-amex-nonce": "decline_generic",
        "fake-gateway-rejected-fraud-nonce": "decline_suspected_fraud",
    ]
}
