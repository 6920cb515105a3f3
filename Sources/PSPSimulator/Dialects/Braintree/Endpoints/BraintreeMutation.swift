import StrictJSON

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
    func ask() throws(Refusal) -> Ask {
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
        default: throw .graphQL("A mutation is needed.")
        }
    }

    private func tokenize() throws(Refusal) -> Ask {
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
        return .answer(BraintreeReply.data(root, payload("TokenizeNetworkTokenPayload", "paymentMethod", method)))
    }

    private func create(captures: Bool) throws(Refusal) -> Ask {
        let path = "input.transaction."
        let wish = input["transaction"]
        let merchantAccount = wish?["merchantAccountId"]?.stringValue
        let currency = BraintreeAmount.currency(of: merchantAccount)
        let orderId = try Self.orderId(wish, at: path + "orderId")
        try BraintreeDescriptor.check(wish?["descriptor"], at: path + "descriptor")
        guard (wish?["lineItems"]?.arrayValue ?? []).count <= 249 else {
            throw BraintreeFault(
                errorClass: "VALIDATION",
                inputPath: path + "lineItems",
                message: "Up to 249 line items may be specified."
            ).refusal
        }
        let method = input["paymentMethodId"]?.stringValue ?? ""
        var details: [String: String] = [:]
        details["orderId"] = orderId
        for name in ["merchantAccountId", "purchaseOrderNumber", "channel"] { details[name] = wish?[name]?.stringValue }
        let found = try vault.method(method, of: requester.account)
        details["origin"] = found.origin
        let command = AuthorizeCommand(
            reference: orderId ?? "unnamed_" + String(UInt64.random(in: .min ... .max), radix: 36),
            amount: try BraintreeAmount.minor(
                wish?["amount"]?.stringValue ?? "",
                decimals: BraintreeAmount.decimals(of: currency),
                at: path + "amount"
            ),
            currency: currency,
            method: found.method,
            capture: captures,
            metadata: Self.customFields(wish),
            details: details
        )
        return .authorize(command, by: requester) { authorization in
            vault.consume(method)
            return answer("TransactionPayload", "transaction", BraintreeTransaction(authorization, at: nil).json())
        }
    }

    private func capture() throws(Refusal) -> Ask {
        let target = try target()
        let wish = input["transaction"]
        let orderId = try Self.orderId(wish, at: "input.transaction.orderId")
        try BraintreeDescriptor.check(wish?["descriptor"], at: "input.transaction.descriptor")
        var change = ChangeCommand(.capture, of: .id(target.number.authorizationIdentifier), reference: "")
        if let text = wish?["amount"]?.stringValue {
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

    private func undo(isReversal: Bool) throws(Refusal) -> Ask {
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

    private func refund() throws(Refusal) -> Ask {
        let target = try target()
        let wish = input["refund"]
        let orderId = try Self.orderId(wish, at: "input.refund.orderId")
        var change = ChangeCommand(.refund, of: .id(target.number.authorizationIdentifier), reference: "")
        if let text = wish?["amount"]?.stringValue {
            change.amount = try amount(text, target, at: "input.refund.amount")
        }
        change.details["orderId"] = orderId
        change.details["merchantAccountId"] = wish?["merchantAccountId"]?.stringValue
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
        BraintreeReply.data(root, payload(type, name, object))
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

    private static func orderId(_ wish: JSON?, at path: String) throws(Refusal) -> String? {
        guard let orderId = wish?["orderId"]?.stringValue, !orderId.isEmpty else { return nil }
        guard orderId.utf16.count <= 255 else {
            throw BraintreeFault("91501", "Order ID is too long.", at: path).refusal
        }
        return orderId
    }

    private static func customFields(_ wish: JSON?) -> [String: String] {
        var fields: [String: String] = [:]
        for field in wish?["customFields"]?.arrayValue ?? [] {
            if let name = field["name"]?.stringValue { fields[name] = field["value"]?.stringValue }
        }
        return fields
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
