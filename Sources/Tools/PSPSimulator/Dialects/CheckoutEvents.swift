import StrictJSON

/// The events that Checkout.com's workflows post.
enum CheckoutEvents {
    /// The version that events name.
    private static let version = "1.0.29"

    /// The events that tell of a change in the books.
    ///
    /// A capture, void or refund of a card is not told of while it is worked on.
    static func notices(of event: BookEvent, _ origin: String) -> [WebhookNotice] {
        if let dispute = event.dispute { return [self.dispute(dispute, event, origin)] }
        let authorization = event.authorization
        switch event.type {
        case "authorization.pending", "authorization.requires_action":
            return [payment("payment_pending", nil, event, origin)]
        case "authorization.authorized":
            return [payment("payment_approved", CheckoutActionDocument.authorize(authorization), event, origin)]
        case "authorization.captured":
            return [
                payment("payment_approved", CheckoutActionDocument.authorize(authorization), event, origin),
                payment(
                    "payment_captured",
                    CheckoutActionDocument.saleCapture(authorization),
                    event,
                    origin,
                    part: CheckoutIdentifier.saleCapture
                ),
            ]
        case "authorization.declined":
            let isBuyers = authorization.decline == .authenticationFailed || authorization.decline == .actionExpired
            let type = isBuyers ? "payment_authentication_failed" : "payment_declined"
            return [payment(type, CheckoutActionDocument.authorize(authorization), event, origin)]
        case "authorization.expired":
            return [payment("payment_voided", CheckoutActionDocument.lapse(authorization), event, origin)]
        default:
            guard let operation = event.operation, let type = type(of: operation, event) else { return [] }
            return [payment(type, CheckoutActionDocument(operation, of: authorization), event, origin)]
        }
    }

    /// What an event about a capture, void or refund is called; nil if there is none.
    private static func type(of operation: BookedOperation, _ event: BookEvent) -> String? {
        if event.type == "void.succeeded", event.authorization.status == .canceled { return "payment_canceled" }
        let (done, declined) =
            switch operation.kind {
            case .capture: ("payment_captured", "payment_capture_declined")
            case .void: ("payment_voided", "payment_void_declined")
            default: ("payment_refunded", "payment_refund_declined")
            }
        return switch operation.status {
        case .succeeded, .reversed: done
        case .failed, .failedLater: declined
        case .pending: nil
        }
    }

    private static func payment(
        _ type: String,
        _ action: CheckoutActionDocument?,
        _ event: BookEvent,
        _ origin: String,
        part: Int = 0
    ) -> WebhookNotice {
        let authorization = event.authorization
        let command = authorization.command
        let isAuthorization = action?.type == "Authorization"
        let isCaptureToCome = isAuthorization && authorization.status == .captured
        let address = CheckoutDocument.address(authorization, origin)
        let data: JSON = .object(omittingAbsent: [
            "id": .string(CheckoutIdentifier.text("pay", authorization.id)),
            "action_id": action.map { JSON.string($0.id) },
            "reference": (action?.details ?? command.details)["reference"].map(JSON.string),
            "amount": .integer(action?.amount ?? command.amount), "currency": .string(command.currency),
            "payment_type": isAuthorization ? .string(command.details["payment_type"] ?? "Regular") : .none,
            "auth_code": isAuthorization && authorization.authorized > 0
                ? .string(CheckoutDocument.authorizationCode(authorization)) : .none,
            "processed_on": CheckoutDocument.moment(event.at),
            "response_code": action.map { JSON.string($0.response.code) },
            "response_summary": action.map { JSON.string($0.response.summary) },
            "balances": authorization.authorized > 0
                ? CheckoutDocument.balances(authorization, isCaptureToCome: isCaptureToCome) : .none,
            "metadata": CheckoutDocument.kept(action?.details ?? command.details, "metadata"),
            "source": isAuthorization ? CheckoutDocument.source(authorization) : .none,
            "processing": action.map { _ in CheckoutDocument.processing(authorization) },
            "event_links": ["payment": .string(address), "payment_actions": .string(address + "/actions")],
        ])
        return notice(type, data, event, origin, part: part)
    }

    private static func dispute(_ dispute: BookedDispute, _ event: BookEvent, _ origin: String) -> WebhookNotice {
        let command = event.authorization.command
        let categories: Set<String> = [
            "fraudulent", "unrecognized", "canceled_recurring", "duplicate", "incorrect_amount", "credit_not_issued",
            "not_as_described", "product_service_not_received",
        ]
        let category = categories.contains(dispute.reason) ? dispute.reason : "general"
        let capture = CheckoutActionDocument.all(of: event.authorization).last { $0.type == "Capture" && $0.isApproved }
        let data: JSON = .object(omittingAbsent: [
            "id": .string(CheckoutIdentifier.text("dsp", dispute.id)), "date": CheckoutDocument.moment(event.at),
            "category": .string(category), "amount": .integer(dispute.amount), "currency": .string(command.currency),
            "reason_code": category == "fraudulent" ? "10.4" : "13.1",
            "payment_id": .string(CheckoutIdentifier.text("pay", event.authorization.id)),
            "payment_action_id": capture.map { JSON.string($0.id) },
            "payment_reference": command.details["reference"].map(JSON.string),
            "payment_method": .string(CheckoutDocument.scheme(command.method.network).uppercased()),
            "evidence_required_by": dispute.status == .opened ? CheckoutDocument.moment(dispute.respondBy) : .none,
        ])
        let type =
            switch dispute.status {
            case .opened: "dispute_evidence_required"
            case .won: "dispute_won"
            case .lost: "dispute_lost"
            }
        return notice(type, data, event, origin)
    }

    private static func notice(
        _ type: String,
        _ data: JSON,
        _ event: BookEvent,
        _ origin: String,
        part: Int = 0
    ) -> WebhookNotice {
        let number = PSPNumber(event.id)?.operation ?? 0
        let id = CheckoutIdentifier.text("evt", event.id, part: number + part)
        let address = CheckoutDocument.address(event.authorization, origin)
        let payment = CheckoutIdentifier.text("pay", event.authorization.id)
        return WebhookNotice(
            id: id,
            [
                "id": .string(id), "type": .string(type), "version": .string(version),
                "created_on": CheckoutDocument.moment(event.at), "data": data,
                "_links": [
                    "self": ["href": .string("\(origin)/workflows/events/\(id)")],
                    "subject": ["href": .string("\(origin)/workflows/events/subject/\(payment)")],
                    "payment": ["href": .string(address)],
                    "payment_actions": ["href": .string(address + "/actions")],
                ],
            ]
        )
    }
}
