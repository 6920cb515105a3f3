import StrictJSON

/// `POST /payments`.
struct CheckoutPayments: Sendable {
    let splits: CheckoutSplits

    /// Holds an amount, and captures it unless `capture` is false.
    func create(_ request: PSPRequest) throws(Refusal) -> Ask {
        let requester = try CheckoutRequester.requester(request)
        let body = try CheckoutBody(request, knowing: Self.fields)
        let method = try CheckoutSource.method(in: body)
        guard let amount = try body.amount() else { throw Refusal(422, "amount_invalid", "There is no amount.") }
        let currency = try Self.currency(body)
        try Self.check(body)
        let allocations = try CheckoutAllocations(body, of: amount)
        let reference = try body.reference()
        var details: [String: String] = [:]
        details["reference"] = reference
        details["metadata"] = body["metadata"]?.text
        details["allocations"] = allocations?.json.text
        details["eci"] = body["source"]?["eci"]?.stringValue
        details["payment_type"] = try body.text("payment_type", limit: 20)
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
            return CheckoutReply.reply(isOpen ? 202 : 201, json)
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
