import StrictJSON

/// What is done to a payment: accepted with 202 if it is possible, done later.
struct CheckoutActions: Sendable {
    /// How soon an action is done unless a trigger says otherwise.
    private static let pace = Pace(milliseconds: 50, takesAll: false)

    let splits: CheckoutSplits

    /// `POST /payments/{id}/captures`; the rest is released unless `capture_type` is `NonFinal`.
    func capture(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try CheckoutBody(request, knowing: Self.captureFields)
        var isFinal = true
        switch body["capture_type"] {
        case nil, .string("Final"): break
        case .string("NonFinal"): isFinal = false
        default: throw Refusal(422, "parameter_invalid", "capture_type is invalid.")
        }
        return try change(.capture, body, request) { $0.isFinal = isFinal }
    }

    /// `POST /payments/{id}/voids`.
    func void(_ request: PSPRequest) throws(Refusal) -> Ask {
        try change(.void, CheckoutBody(request, knowing: ["metadata", "reference"]), request)
    }

    /// `POST /payments/{id}/refunds`.
    func refund(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try CheckoutBody(request, knowing: Self.refundFields)
        if let action = body["capture_action_id"] {
            guard let text = action.stringValue, text.hasPrefix("act_"), text.utf8.count == 30 else {
                throw Refusal(422, "parameter_invalid", "capture_action_id is invalid.")
            }
        }
        return try change(.refund, body, request)
    }

    /// `POST /payments/{id}/reversals`, which void or refund; not among the requests that know an idempotency key.
    func reverse(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try CheckoutBody(request, knowing: ["metadata", "reference"])
        return try change(.void, body, request, hasKey: false) { $0.isReversal = true }
    }

    private func change(
        _ kind: OperationKind,
        _ body: CheckoutBody,
        _ request: PSPRequest,
        hasKey: Bool = true,
        _ adjust: (inout ChangeCommand) -> Void = { _ in }
    ) throws(Refusal) -> Ask {
        var requester = try CheckoutRequester.requester(request)
        if !hasKey { requester = Requester(account: requester.account, key: nil) }
        guard let payment = CheckoutIdentifier.payment(request.parameter("id")) else { throw .notFound }
        let amount = try body.amount()
        let allocations = try CheckoutAllocations(body, of: amount)
        try splits.check(payment, amount: amount, allocations)
        let reference = try body.reference()
        var change = ChangeCommand(
            kind,
            of: .id(payment),
            reference: reference ?? requester.key ?? "",
            amount: amount,
            applicationFee: allocations?.commission
        )
        change.metadata = try body.metadata()
        change.details["reference"] = reference
        change.details["metadata"] = body["metadata"]?.text
        change.details["allocations"] = allocations?.json.text
        change.pace = Self.pace
        adjust(&change)
        return .change(change, by: requester) { operation, authorization in
            CheckoutReply.reply(202, CheckoutDocument.accepted(operation, of: authorization, request.origin))
        }
    }

    private static let captureFields: Set<String> = [
        "amount", "amount_allocations", "billing_descriptor", "capture_type", "customer", "description", "items",
        "marketplace", "metadata", "processing", "reference", "shipping",
    ]

    private static let refundFields: Set<String> = [
        "amount", "amount_allocations", "capture_action_id", "destination", "items", "metadata", "reference",
    ]
}
