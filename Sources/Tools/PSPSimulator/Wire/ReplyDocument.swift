package import StrictJSON

/// The JSON of replies, as README.md of the adapter documents it.
package enum ReplyDocument {
    /// The body of a reply; `origin` is where the sender reached the simulator, for example `http://127.0.0.1:9901`.
    package static func json(_ reply: BookResult, origin: String) -> JSON {
        switch reply {
        case .authorization(let authorization): json(authorization, origin: origin)
        case .operation(let operation, of: let authorization): json(operation, of: authorization)
        case .refusal(let refusal): json(refusal)
        }
    }

    /// An authorization.
    package static func json(_ authorization: Authorization, origin: String) -> JSON {
        let command = authorization.command
        return .object(omittingAbsent: [
            "object": "authorization",
            "id": .string(authorization.id),
            "reference": .string(command.reference),
            "status": .string(authorization.status.rawValue),
            "amount": .integer(command.amount),
            "currency": .string(command.currency),
            "authorized_amount": .integer(authorization.authorized),
            "captured_amount": .integer(authorization.captured),
            "voided_amount": .integer(authorization.voided),
            "refunded_amount": .integer(authorization.refunded),
            "capture_method": authorization.capturesAtOnce ? "automatic" : "manual",
            "application_fee": command.applicationFee.map(JSON.integer),
            "payment_method": [
                "network": .string(command.method.network), "last4": .string(command.method.last4),
            ],
            "stored_method": SimulatorVault.document(authorization),
            "network_transaction_id": SimulatorVault.networkTransactionID(authorization).map(JSON.string),
            "decline": authorization.decline.map(json),
            "next_action": nextAction(of: authorization, origin: origin),
            "created_at": .integer(authorization.createdAt),
            "expires_at": authorization.expiresAt.map(JSON.integer),
        ])
    }

    /// A capture, void or refund.
    package static func json(_ operation: BookedOperation, of authorization: Authorization) -> JSON {
        .object(omittingAbsent: [
            "object": "operation",
            "id": .string(operation.id),
            "kind": .string(operation.kind.rawValue),
            "authorization": .string(authorization.id),
            "reference": .string(operation.reference),
            "status": .string(operation.status.rawValue),
            "amount": .integer(operation.amount),
            "currency": .string(authorization.command.currency),
            "final": operation.kind == .capture ? .bool(operation.isFinal) : .none,
            "application_fee": operation.applicationFee.map(JSON.integer),
            "decline": operation.decline.map(json),
            "created_at": .integer(operation.at),
        ])
    }

    /// A dispute.
    package static func json(_ dispute: BookedDispute, of authorization: Authorization) -> JSON {
        [
            "object": "dispute",
            "id": .string(dispute.id),
            "authorization": .string(authorization.id),
            "status": .string(dispute.status.rawValue),
            "amount": .integer(dispute.amount),
            "currency": .string(authorization.command.currency),
            "reason": .string(dispute.reason),
            "created_at": .integer(dispute.at),
            "respond_by": .integer(dispute.respondBy),
        ]
    }

    /// The body of a webhook; `origin` is where the buyer's page is reached.
    package static func json(_ event: BookEvent, origin: String) -> JSON {
        let authorization = event.authorization
        return .object(omittingAbsent: [
            "object": "event",
            "id": .string(event.id),
            "type": .string(event.type),
            "created_at": .integer(event.at),
            "account": .string(authorization.account),
            "merchant_account": authorization.command.metadata["merchant_account"].map(JSON.string),
            "idempotency_key": event.key.map(JSON.string),
            "authorization": json(authorization, origin: origin),
            "operation": event.operation.map { json($0, of: authorization) },
            "dispute": event.dispute.map { json($0, of: authorization) },
        ])
    }

    /// What an inquiry found, perhaps nothing.
    package static func list(_ found: [JSON], reference: String) -> JSON {
        ["object": "list", "reference": .string(reference), "data": .array(found)]
    }

    /// What happened since a moment in milliseconds since 1970, perhaps nothing, and whether there is more.
    package static func events(_ found: [JSON], since: Int64, hasMore: Bool) -> JSON {
        ["object": "list", "since": .integer(since), "data": .array(found), "has_more": .bool(hasMore)]
    }

    /// A refusal; where an authorization is over, with what was captured of it.
    package static func json(_ refusal: Refusal, of authorization: Authorization? = nil) -> JSON {
        let isOver = [.alreadyCaptured, .alreadyVoided, .expired].contains(refusal)
        let captured = isOver ? authorization?.captured : nil
        return [
            "error": .object(omittingAbsent: [
                "code": .string(refusal.code), "message": .string(refusal.message),
                "captured_amount": captured.map(JSON.integer),
            ])
        ]
    }

    /// The body of every 500.
    package static let serverError: JSON = [
        "error": ["code": "internal_error", "message": "Something went wrong on our side."]
    ]

    private static func json(_ code: DeclineCode) -> JSON {
        ["code": .string(code.rawValue), "message": .string(code.message)]
    }

    private static func nextAction(of authorization: Authorization, origin: String) -> JSON? {
        guard authorization.status == .requiresAction else { return nil }
        return .object(omittingAbsent: [
            "type": "redirect",
            "url": .string("\(origin)/actions/\(authorization.id)"),
            "expires_at": authorization.actionExpiresAt.map(JSON.integer),
        ])
    }
}
