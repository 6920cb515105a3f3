import StrictJSON

/// Checkout.com's payments.
enum CheckoutDocument {
    /// A payment.
    ///
    /// - Parameters:
    ///   - authorization: the payment in the books.
    ///   - origin: where the simulator is reached.
    ///   - isFirst: whether this answers the request that made it: its capture is then still to come.
    /// - Returns: the document.
    static func payment(_ authorization: Authorization, _ origin: String, isFirst: Bool) -> JSON {
        let command = authorization.command
        let action = CheckoutActionDocument.authorize(authorization)
        let isHeld = authorization.authorized > 0
        return .object(omittingAbsent: [
            "id": .string(CheckoutIdentifier.text("pay", authorization.id)),
            "action_id": isFirst ? action.map { JSON.string($0.id) } : .none,
            "requested_on": isFirst ? .none : moment(authorization.createdAt),
            "amount": .integer(action?.amount ?? command.amount), "amount_requested": .integer(command.amount),
            "currency": .string(command.currency),
            "payment_type": .string(command.details["payment_type"] ?? "Regular"),
            "approved": action.map { JSON.bool($0.isApproved) },
            "status": .string(isFirst && isHeld ? "Authorized" : status(authorization)),
            "auth_code": isHeld ? .string(authorizationCode(authorization)) : .none,
            "response_code": isFirst ? action.map { JSON.string($0.response.code) } : .none,
            "response_summary": isFirst ? action.map { JSON.string($0.response.summary) } : .none,
            "expires_on": authorization.expiresAt.map(moment),
            "balances": isHeld ? balances(authorization, isCaptureToCome: isFirst) : .none,
            "risk": ["flagged": .bool(authorization.decline == .suspectedFraud)],
            "source": source(authorization),
            "customer": command.details["customer"].map { ["id": .string($0)] },
            "processed_on": action.map { moment($0.at) },
            "reference": command.details["reference"].map(JSON.string),
            "metadata": isFirst ? .none : kept(command.details, "metadata"),
            "amount_allocations": isFirst ? .none : kept(command.details, "allocations"),
            "processing": processing(authorization), "eci": .string(command.details["eci"] ?? "05"),
            "scheme_id": .string("638284745624527"),
            "actions": isFirst
                ? .none : .array(CheckoutActionDocument.all(of: authorization).reversed().map(\.summary)),
            "_links": links(authorization, origin, isFirst: isFirst),
        ])
    }

    /// A payment that waits for the buyer, or for the issuer.
    static func pending(_ authorization: Authorization, _ origin: String) -> JSON {
        .object(omittingAbsent: [
            "id": .string(CheckoutIdentifier.text("pay", authorization.id)), "status": "Pending",
            "reference": authorization.command.details["reference"].map(JSON.string),
            "3ds": authorization.status == .requiresAction ? ["downgraded": false, "enrolled": "Y"] : .none,
            "_links": links(authorization, origin, isFirst: true),
        ])
    }

    /// The answer to an action that was accepted.
    static func accepted(_ operation: BookedOperation, of authorization: Authorization, _ origin: String) -> JSON {
        .object(omittingAbsent: [
            "action_id": .string(CheckoutIdentifier.text("act", operation.id)),
            "reference": operation.details["reference"].map(JSON.string),
            "_links": ["payment": link(authorization, origin)],
        ])
    }

    /// The answer to a reversal of what has been reversed; nil if it has not.
    static func reversed(_ authorization: Authorization, _ origin: String) -> JSON? {
        let isRefunded = authorization.captured > 0 && authorization.refunded == authorization.captured
        let isVoided = authorization.status == .voided || authorization.status == .expired
        guard isRefunded || isVoided,
            let last = CheckoutActionDocument.all(of: authorization).last(where: {
                $0.type == "Void" || $0.type == "Refund"
            })
        else { return nil }
        return .object(omittingAbsent: [
            "action_id": .string(last.id), "reference": last.details["reference"].map(JSON.string),
            "action_type": .string(last.type), "_links": ["payment": link(authorization, origin)],
        ])
    }

    /// What was kept of a request in its own form.
    static func kept(_ details: [String: String], _ name: String) -> JSON? {
        details[name].flatMap { try? JSON.parse(text: $0) }
    }

    /// A moment, in milliseconds since 1970, with the seven digits of fractions that Checkout.com writes.
    static func moment(_ milliseconds: Int64) -> JSON {
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return .string("\(Moment.text(milliseconds)).\(fraction)0000Z")
    }

    /// The six digits of the issuer's approval.
    static func authorizationCode(_ authorization: Authorization) -> String {
        String(String(1_000_000 + (PSPNumber(authorization.id)?.authorization ?? 0) % 1_000_000).dropFirst())
    }

    /// What can still be done with the money.
    static func balances(_ authorization: Authorization, isCaptureToCome: Bool = false) -> JSON {
        let total = authorization.authorized
        let captured = isCaptureToCome ? 0 : authorization.captured
        let held = isCaptureToCome ? total : authorization.held
        return [
            "total_authorized": .integer(total),
            "total_voided": .integer(isCaptureToCome ? 0 : authorization.voided),
            "available_to_void": .integer(held), "total_captured": .integer(captured),
            "available_to_capture": .integer(held), "total_refunded": .integer(authorization.refunded),
            "available_to_refund": .integer(max(0, captured - authorization.refunded - authorization.chargedBack)),
        ]
    }

    /// The card as it is shown.
    static func source(_ authorization: Authorization) -> JSON {
        let method = authorization.command.method
        var month: Int64 = 12
        var year: Int64 = 2031
        if case .networkToken(let digest) = method { (month, year) = (digest.expiryMonth, digest.expiryYear) }
        return [
            "id": .string(authorization.command.details["source"] ?? CheckoutIdentifier.text("src", authorization.id)),
            "type": "card",
            "expiry_month": .integer(month), "expiry_year": .integer(year),
            "scheme": .string(scheme(method.network)), "last4": .string(method.last4), "card_type": "CREDIT",
            "card_category": "CONSUMER",
        ]
    }

    /// What the acquirer calls the payment.
    static func processing(_ authorization: Authorization) -> JSON {
        let code = authorizationCode(authorization)
        return [
            "acquirer_transaction_id": .string("000000\(code)"), "retrieval_reference_number": .string("000000\(code)"),
        ]
    }

    /// Checkout.com's name of a card network.
    static func scheme(_ network: String) -> String {
        switch network {
        case "visa": "Visa"
        case "mastercard": "Mastercard"
        case "amex": "American Express"
        case "discover": "Discover"
        default: "Unknown"
        }
    }

    /// The payment's address.
    static func address(_ authorization: Authorization, _ origin: String) -> String {
        "\(origin)/payments/\(CheckoutIdentifier.text("pay", authorization.id))"
    }

    private static func status(_ authorization: Authorization) -> String {
        let refunded = authorization.refunded
        return switch authorization.status {
        case .pending, .requiresAction: "Pending"
        case .declined: "Declined"
        case .canceled: "Canceled"
        case .voided, .expired: "Voided"
        case .authorized, .captured:
            if authorization.captured == 0 {
                "Authorized"
            } else if refunded > 0 {
                refunded == authorization.captured ? "Refunded" : "Partially Refunded"
            } else {
                authorization.captured == authorization.authorized ? "Captured" : "Partially Captured"
            }
        }
    }

    private static func link(_ authorization: Authorization, _ origin: String) -> JSON {
        ["href": .string(address(authorization, origin))]
    }

    private static func links(_ authorization: Authorization, _ origin: String, isFirst: Bool) -> JSON {
        let address = address(authorization, origin)
        let isOpen = authorization.held > 0 || (isFirst && authorization.authorized > 0)
        let isTaken = !isFirst && authorization.captured > authorization.refunded
        return .object(omittingAbsent: [
            "self": link(authorization, origin), "actions": ["href": .string(address + "/actions")],
            "redirect": authorization.status == .requiresAction
                ? ["href": .string("\(origin)/actions/\(authorization.id)")] : .none,
            "capture": isOpen ? ["href": .string(address + "/captures")] : .none,
            "void": isOpen ? ["href": .string(address + "/voids")] : .none,
            "refund": isTaken ? ["href": .string(address + "/refunds")] : .none,
        ])
    }
}

/// One thing that was done to a payment, with an identifier of its own.
struct CheckoutActionDocument: Sendable {
    let id: String
    let type: String
    let at: Int64
    let amount: Int64
    let isApproved: Bool
    let response: CheckoutResponse
    /// The reference, metadata and allocations that the request gave it.
    let details: [String: String]

    /// The actions of a payment that are done or declined, in their order; what is worked on is none yet.
    static func all(of authorization: Authorization) -> [CheckoutActionDocument] {
        var actions = [authorize(authorization)].compactMap { $0 }
        let isSale = authorization.capturesAtOnce && !authorization.operations.contains(where: \.isOfSale)
        if isSale, authorization.authorized > 0 { actions.append(saleCapture(authorization)) }
        actions += authorization.operations.dropFirst().filter { $0.status != .pending }
            .map { CheckoutActionDocument($0, of: authorization) }
        if authorization.status == .expired { actions.append(lapse(authorization)) }
        return actions
    }

    /// The authorization; nil as long as it is open, or if it never came to be.
    static func authorize(_ authorization: Authorization) -> CheckoutActionDocument? {
        guard authorization.authorized > 0 || authorization.decline != nil else { return nil }
        let amount = authorization.command.amount
        let isPartial = 1..<amount ~= authorization.authorized
        return CheckoutActionDocument(
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
    static func saleCapture(_ authorization: Authorization) -> CheckoutActionDocument {
        CheckoutActionDocument(
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
    static func lapse(_ authorization: Authorization) -> CheckoutActionDocument {
        CheckoutActionDocument(
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
    init(_ operation: BookedOperation, of authorization: Authorization) {
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
