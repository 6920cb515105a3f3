import StrictJSON

/// One thing that was done to a payment, with an identifier of its own.
struct CheckoutAction: Sendable {
    let id: String
    let type: String
    let at: Int64
    let amount: Int64
    let isApproved: Bool
    let response: CheckoutResponse
    /// The reference, metadata and allocations that the request gave it.
    let details: [String: String]

    /// The actions of a payment that are done or declined, in their order; what is worked on is none yet.
    static func all(of authorization: Authorization) -> [CheckoutAction] {
        var actions = [authorize(authorization)].compactMap { $0 }
        let isSale = authorization.capturesAtOnce && !authorization.operations.contains(where: \.isOfSale)
        if isSale, authorization.authorized > 0 { actions.append(saleCapture(authorization)) }
        actions += authorization.operations.dropFirst().filter { $0.status != .pending }
            .map { CheckoutAction($0, of: authorization) }
        if authorization.status == .expired { actions.append(lapse(authorization)) }
        return actions
    }

    /// The authorization; nil as long as it is open, or if it never came to be.
    static func authorize(_ authorization: Authorization) -> CheckoutAction? {
        guard authorization.authorized > 0 || authorization.decline != nil else { return nil }
        let amount = authorization.command.amount
        let isPartial = 1..<amount ~= authorization.authorized
        return CheckoutAction(
            id: CheckoutIdentifier.text("act", authorization.id),
            type: "Authorization",
            at: authorization.createdAt,
            amount: isPartial ? authorization.authorized : amount,
            isApproved: authorization.decline == nil,
            response: authorization.decline.map(CheckoutResponse.init) ?? (isPartial ? .partial : .approved),
            details: authorization.command.details
        )
    }

    /// The capture that nobody asked for on its own.
    static func saleCapture(_ authorization: Authorization) -> CheckoutAction {
        CheckoutAction(
            id: CheckoutIdentifier.text("act", authorization.id, part: CheckoutIdentifier.saleCapture),
            type: "Capture",
            at: authorization.capturedAt ?? authorization.createdAt,
            amount: authorization.authorized,
            isApproved: true,
            response: .approved,
            details: authorization.command.details
        )
    }

    /// The void of what was not captured in time.
    static func lapse(_ authorization: Authorization) -> CheckoutAction {
        CheckoutAction(
            id: CheckoutIdentifier.text("act", authorization.id, part: CheckoutIdentifier.lapse),
            type: "Void",
            at: authorization.expiresAt ?? authorization.createdAt,
            amount: authorization.voided,
            isApproved: true,
            response: .approved,
            details: authorization.command.details
        )
    }

    private init(
        id: String,
        type: String,
        at: Int64,
        amount: Int64,
        isApproved: Bool,
        response: CheckoutResponse,
        details: [String: String]
    ) {
        self.id = id
        self.type = type
        self.at = at
        self.amount = amount
        self.isApproved = isApproved
        self.response = response
        self.details = details
    }

    /// A capture, void or refund; without a reference or metadata of its own it has the payment's.
    init(_ operation: Operation, of authorization: Authorization) {
        let isApproved = operation.status == .succeeded || operation.status == .reversed
        var details = authorization.command.details
        details["allocations"] = nil
        self.init(
            id: operation.isOfSale
                ? Self.saleCapture(authorization).id : CheckoutIdentifier.text("act", operation.id),
            type: operation.kind.rawValue.prefix(1).uppercased() + operation.kind.rawValue.dropFirst(),
            at: operation.at,
            amount: operation.amount,
            isApproved: isApproved,
            response: isApproved ? .approved : operation.decline.map(CheckoutResponse.init) ?? .failed,
            details: details.merging(operation.details) { _, own in own }
        )
    }

    /// The action as `GET /payments/{id}/actions` shows it.
    var document: JSON {
        .object(omittingAbsent: [
            "id": .string(id), "type": .string(type), "processed_on": CheckoutDocument.moment(at),
            "amount": .integer(amount), "approved": .bool(isApproved), "response_code": .string(response.code),
            "response_summary": .string(response.summary), "reference": details["reference"].map(JSON.string),
            "metadata": CheckoutDocument.kept(details, "metadata"),
            "amount_allocations": CheckoutDocument.kept(details, "allocations"),
        ])
    }

    /// The action as `GET /payments/{id}` shows it.
    var summary: JSON {
        [
            "id": .string(id), "type": .string(type), "response_code": .string(response.code),
            "response_summary": .string(response.summary),
        ]
    }
}
