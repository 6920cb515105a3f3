public import AdapterKit
import Domain
import StrictJSON

/// What the simulator says on its own.
extension SimulatorAdapter: WebhookListener {
    /// Verifies the signature (Standard Webhooks 1.0) and reads the event.
    public func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            let id = try StandardWebhooks.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = Self.event(json), event.id == id else {
                throw .malformed
            }
            return .read([event], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Reads an event, told or listed; nil if it is none.
    static func event(_ json: JSON) -> WebhookEvent? {
        guard let id = json["id"]?.stringValue, let type = json["type"]?.stringValue else { return nil }
        var event = WebhookEvent(id: id, type: type)
        let news = SimulatorEvent(type: type, json).news
        event.add(news)
        if case .notice = news {
            let account = json["merchant_account"]?.stringValue
            event.merchantAccount = account.map(NoticeAccount.merchant) ?? .platform()
        }
        return event
    }
}

/// One event of the simulator: a type, the authorization as it was then, and perhaps an operation or a dispute of it.
struct SimulatorEvent {
    let type: String
    let json: JSON

    init(type: String, _ json: JSON) {
        self.type = type
        self.json = json
    }

    /// What the event says.
    var news: WebhookNews {
        let parts = type.split(separator: ".")
        guard parts.count == 2 else { return .nothing }
        let known = ["authorization", "capture", "void", "refund", "dispute"]
        guard known.contains(String(parts[0])) else { return .nothing }
        guard let authorization = json["authorization"].flatMap(SimulatorAuthorization.init) else {
            return .unreadable("\(type): no authorization")
        }
        return switch parts[0] {
        case "authorization": self.authorization(authorization)
        case "dispute": dispute(of: authorization)
        default: operation(of: authorization)
        }
    }

    private func authorization(_ authorization: SimulatorAuthorization) -> WebhookNews {
        let operation = json["idempotency_key"]?.stringValue.flatMap { key in
            key.firstIndex(of: ".").flatMap { OperationID(String(key[..<$0])) }
        }
        let happening: Notice.Happening
        if type == "authorization.expired" { return notice(.lapsed, authorization, operation: nil, object: nil) }
        switch authorization.outcome {
        case .unknown(let reason): return .unreadable("\(type): \(reason)")
        case .rejected: return .nothing
        case let outcome: happening = .outcome(.authorize, outcome)
        }
        return notice(happening, authorization, operation: operation?.text, object: nil)
    }

    private func operation(of authorization: SimulatorAuthorization) -> WebhookNews {
        guard let found = json["operation"].flatMap(SimulatorOperation.init),
            found.authorization == authorization.id, found.currency == authorization.currency,
            type.hasPrefix("\(found.kind.rawValue).")
        else { return .unreadable("\(type): no operation of the authorization") }
        let ours = OperationID(found.reference)?.text
        if type.hasSuffix(".failed_later") {
            return notice(
                .reversed(found.kind, found.failureAfterAll),
                authorization,
                operation: ours,
                object: found.id
            )
        }
        if case .unknown(let reason) = found.outcome { return .unreadable("\(type): \(reason)") }
        return notice(.outcome(found.kind, found.outcome), authorization, operation: ours, object: found.id)
    }

    private func dispute(of authorization: SimulatorAuthorization) -> WebhookNews {
        guard let dispute = json["dispute"], dispute["object"] == "dispute", let id = dispute["id"]?.stringValue,
            dispute["authorization"]?.stringValue == authorization.id,
            let state = dispute["status"]?.stringValue.flatMap(DisputeNotice.State.init(rawValue:)),
            let amount = dispute["amount"]?.integerValue, amount > 0
        else { return .unreadable("\(type): no dispute of the authorization") }
        let news = DisputeNotice(
            state: state,
            amount: amount,
            reason: dispute["reason"]?.stringValue,
            respondBy: SimulatorAuthorization.moment(dispute["respond_by"])
        )
        return notice(.dispute(news), authorization, operation: nil, object: id)
    }

    private func notice(
        _ happening: Notice.Happening,
        _ authorization: SimulatorAuthorization,
        operation: String?,
        object: String?
    ) -> WebhookNews {
        guard let currency = Currency(code: authorization.currency) else {
            return .unreadable("\(type): a currency that is not known")
        }
        let subject = Notice.Subject(
            attempt: AttemptID(authorization.reference)?.text,
            operation: operation,
            payment: authorization.id,
            object: object
        )
        let at = SimulatorAuthorization.moment(json["created_at"])
        return .notice(Notice(about: subject, happening, at: at), currency)
    }
}
