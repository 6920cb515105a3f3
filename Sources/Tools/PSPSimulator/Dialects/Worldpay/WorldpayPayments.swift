import StrictJSON

/// The Payments API.
enum WorldpayPayments {
    /// How soon a settlement, cancellation or refund is done unless a trigger says otherwise; the answer is always 202.
    static let latency = Latency(milliseconds: 50, takesAll: true)

    /// `POST /api/payments`.
    ///
    /// Less than was asked for is approved only where `acceptPartialAmount` says so. A cancellation is of what has not been sent
    /// for settlement (descriptions of `acceptPartialAmount` and of the event `cancelled`).
    static func create(_ wire: PSPRequest, _ firsts: WorldpayFirstPayments) throws(Refusal) -> Reply {
        let request = try WorldpayRequest(wire, .payments)
        let body = try request.body(.payment)
        let entity = body["merchant"]?["entity"]?.stringValue ?? ""
        guard !entity.hasPrefix(" ") else {
            throw WorldpayField.violation("stringFailedRegexCheck", "$.merchant.entity")
        }
        let instruction = body["instruction"] ?? .null
        let instrument = try WorldpayInstrument(instruction)
        let agreement = try WorldpayAgreement(instruction)
        let isMerchants = try agreement.check(instrument, firsts, request.account)
        let value = instruction["value"]
        var command = AuthorizeCommand(
            reference: body["transactionReference"]?.stringValue ?? "",
            amount: value?["amount"]?.integerValue ?? 0,
            currency: value?["currency"]?.stringValue ?? "",
            method: isMerchants ? StoredMethods.method : instrument.method,
            capture: instruction["settlement"]?["auto"]?.boolValue ?? false,
            returnURL: instruction["threeDS"]?["challenge"]?["returnUrl"]?.stringValue,
            metadata: metadata(body, entity),
            details: details(instruction, instrument)
        )
        command.takesPart = value?["acceptPartialAmount"]?.boolValue ?? false
        command.keepsCaptures = true
        return .authorize(command, by: request.requester) { authorization in
            if agreement.isFirst { firsts.note(authorization) }
            return WorldpayDocument.reply(authorization, wire.origin)
        }
    }

    /// `GET /api/payments/{linkData}`.
    static func query(_ wire: PSPRequest) throws(Refusal) -> Reply {
        let request = try WorldpayRequest(wire, .payments)
        return try inquire(request, .query) { authorization in
            let next = authorization.worldpayActions
            let actions = WorldpayDocument.actions(next, authorization, wire.origin)
            let members: JSON = .object(omittingAbsent: [
                "lastEvent": .string(WorldpayHistory(authorization).lastEvent),
                "_actions": next.isEmpty ? .none : actions,
            ])
            return PSPReply(200, members)
        }
    }

    /// `POST /api/payments/{linkData}/3dsDeviceData`: the buyer is challenged.
    static func supplyDeviceData(_ wire: PSPRequest) throws(Refusal) -> Reply {
        let request = try WorldpayRequest(wire, .payments)
        _ = try request.body(.deviceData)
        return try inquire(request, .supplyDeviceData) { authorization in
            guard authorization.status == .requiresAction else {
                return WorldpayDocument.reply(authorization, wire.origin)
            }
            return PSPReply(201, WorldpayDocument.challenged(authorization, wire.origin))
        }
    }

    /// `POST /api/payments/{linkData}/3dsChallenges`: how the challenge went, or the challenge if it is still open.
    static func completeChallenge(_ wire: PSPRequest) throws(Refusal) -> Reply {
        let request = try WorldpayRequest(wire, .payments)
        return try inquire(request, .completeChallenge) { authorization in
            guard authorization.status == .requiresAction else {
                return WorldpayDocument.reply(authorization, wire.origin)
            }
            return PSPReply(201, WorldpayDocument.challenged(authorization, wire.origin))
        }
    }

    /// `POST /api/payments/{linkData}/{settlements,cancellations,…}`.
    static func change(_ action: WorldpayAction, _ wire: PSPRequest) throws(Refusal) -> Reply {
        let request = try WorldpayRequest(wire, .payments)
        let change = try WorldpayChange(action, request)
        return .change(change.command, by: request.requester) { _, authorization in
            let next = change.next
            let hasName = [.settle, .partlySettle, .partlyRefund].contains(action)
            let name = JSON.string(WorldpayIdentifier.text(.payment, authorization.id))
            return PSPReply(
                202,
                .object(omittingAbsent: [
                    "outcome": .string(change.outcome),
                    "paymentId": hasName ? name : .none,
                    "_links": WorldpayDocument.links(authorization, wire.origin),
                    "_actions": next.isEmpty ? .none : WorldpayDocument.actions(next, authorization, wire.origin),
                ])
            )
        }
    }

    private static func inquire(
        _ request: WorldpayRequest,
        _ action: WorldpayAction,
        _ reply: @escaping @Sendable (Authorization) -> PSPReply
    ) throws(Refusal) -> Reply {
        let link = try request.link(action)
        return .inquire(account: request.account) { view throws(Refusal) in
            guard let authorization = view.authorization(link.authorization) else { throw .notFound }
            return reply(authorization)
        }
    }

    private static func metadata(_ body: JSON, _ entity: String) -> [String: String] {
        var notes = ["entity": entity]
        notes["orderReference"] = body["orderReference"]?.stringValue
        let facilitator = body["merchant"]?["paymentFacilitator"]
        notes["subMerchant"] = facilitator?["subMerchant"]?["reference"]?.stringValue
        return notes
    }

    private static func details(_ instruction: JSON, _ instrument: WorldpayInstrument) -> [String: String] {
        var details = ["instrument": instrument.name]
        details["line1"] = instruction["narrative"]?["line1"]?.stringValue
        details["line2"] = instruction["narrative"]?["line2"]?.stringValue
        return details
    }
}

/// What Card Payments, version 7, does to payments: where Payment Queries' links lead.
enum WorldpayCardPayments {
    /// `POST /payments/…/{linkData}`.
    static func change(_ action: WorldpayAction, _ wire: PSPRequest) throws(Refusal) -> Reply {
        let request = try WorldpayRequest(wire, .cardPayments)
        let change = try WorldpayChange(action, request)
        return .change(change.command, by: request.requester) { operation, authorization in
            let isNamed = action != .cancel && action != .reverse
            return PSPReply(
                202,
                .object(omittingAbsent: [
                    "paymentId": isNamed ? .string(WorldpayIdentifier.text(.payment, authorization.id)) : .none,
                    "commandId": isNamed ? .string(WorldpayIdentifier.text(.command, operation.id)) : .none,
                    "_links": links(change.next + [.query], authorization, wire.origin),
                ])
            )
        }
    }

    /// `GET /payments/events/{linkData}`.
    static func events(_ wire: PSPRequest) throws(Refusal) -> Reply {
        let request = try WorldpayRequest(wire, .cardPayments)
        let link = try request.link(.query)
        return .inquire(account: request.account) { view throws(Refusal) in
            guard let authorization = view.authorization(link.authorization) else { throw .notFound }
            let links = links(authorization.worldpayActions + [.query], authorization, wire.origin)
            return PSPReply(
                200,
                ["lastEvent": .string(WorldpayHistory(authorization).lastEvent), "_links": links]
            )
        }
    }

    /// Links by Card Payments' names.
    static func links(_ actions: [WorldpayAction], _ authorization: Authorization, _ origin: String) -> JSON {
        .object(
            actions.compactMap { action in
                action.card.map { card in
                    let href = WorldpayLink(.cardPayments, action, authorization).href(origin)
                    return JSON.Member(card.name, ["href": .string(href)])
                }
            }
        )
    }
}

/// A settlement, cancellation, refund or reversal that follows a link.
private struct WorldpayChange: Sendable {
    /// What it asks of the books.
    let command: ChangeCommand
    private let action: WorldpayAction

    /// Reads a request to follow the link in its path.
    ///
    /// A settlement in part releases the rest only if its `sequence` says that it is the last.
    ///
    /// - Throws: ``Refusal``.
    init(_ action: WorldpayAction, _ request: WorldpayRequest) throws(Refusal) {
        self.action = action
        let link = try request.link(action)
        var command = ChangeCommand(Self.kind(action), of: .id(link.authorization), reference: "")
        if action == .partlySettle || action == .partlyRefund {
            let body = try request.body(Self.field(action, link.api))
            guard body["value"]?["currency"]?.stringValue == link.currency else {
                throw WorldpayField.violation("fieldHasInvalidValue", "$.value.currency")
            }
            command.reference = body["reference"]?.stringValue ?? ""
            command.amount = body["value"]?["amount"]?.integerValue
            if action == .partlySettle { command.isFinal = try Self.isLast(body["sequence"]) }
        }
        command.isReversal = action == .reverse
        command.details["extent"] = command.amount == nil ? "full" : "partial"
        command.latency = WorldpayPayments.latency
        self.command = command
    }

    /// What the answer says of it.
    var outcome: String {
        switch action {
        case .settle, .partlySettle: "sentForSettlement"
        case .refund: "sentForRefund"
        case .partlyRefund: "sentForPartialRefund"
        case .reverse: "sentForReversal"
        case .cancel, .supplyDeviceData, .completeChallenge, .query: "sentForCancellation"
        }
    }

    /// What may be done after it, if it succeeds.
    var next: [WorldpayAction] {
        switch action {
        case .settle: [.refund, .partlyRefund, .reverse]
        case .partlySettle where command.isFinal: [.refund, .partlyRefund, .reverse]
        case .partlySettle: [.refund, .partlyRefund, .partlySettle, .cancel, .reverse]
        case .partlyRefund: [.partlyRefund]
        case .refund, .reverse, .cancel, .supplyDeviceData, .completeChallenge, .query: []
        }
    }

    private static func kind(_ action: WorldpayAction) -> OperationKind {
        switch action {
        case .settle, .partlySettle: .capture
        case .refund, .partlyRefund: .refund
        case .cancel, .reverse, .supplyDeviceData, .completeChallenge, .query: .void
        }
    }

    private static func field(_ action: WorldpayAction, _ api: WorldpayAPI) -> WorldpayField {
        if api == .cardPayments { return .partialCardChange }
        return action == .partlySettle ? .partialSettlement : .partialRefund
    }

    private static func isLast(_ sequence: JSON?) throws(Refusal) -> Bool {
        guard let number = sequence?["number"]?.integerValue, let total = sequence?["total"]?.integerValue else {
            return false
        }
        guard number <= total else { throw WorldpayField.violation("fieldHasInvalidValue", "$.sequence.number") }
        return number == total
    }
}
