import StrictJSON

/// The Payments API.
enum WorldpayPayments {
    /// How soon a settlement, cancellation or refund is done unless a trigger says otherwise; the answer is always 202.
    static let pace = Pace(milliseconds: 50, takesAll: true)

    /// `POST /api/payments`.
    static func create(_ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .payments)
        let body = try request.body(.payment)
        let entity = body["merchant"]?["entity"]?.stringValue ?? ""
        guard !entity.hasPrefix(" ") else {
            throw WorldpayField.violation("stringFailedRegexCheck", "$.merchant.entity")
        }
        let instruction = body["instruction"] ?? .null
        let instrument = try WorldpayInstrument(instruction)
        let value = instruction["value"]
        let command = AuthorizeCommand(
            reference: body["transactionReference"]?.stringValue ?? "",
            amount: value?["amount"]?.integerValue ?? 0,
            currency: value?["currency"]?.stringValue ?? "",
            method: instrument.method,
            capture: instruction["settlement"]?["auto"]?.boolValue ?? false,
            returnURL: instruction["threeDS"]?["challenge"]?["returnUrl"]?.stringValue,
            metadata: metadata(body, entity),
            details: details(instruction, instrument)
        )
        return .authorize(command, by: request.requester) { WorldpayDocument.reply($0, wire.origin) }
    }

    /// `GET /api/payments/{linkData}`.
    static func query(_ wire: PSPRequest) throws(Refusal) -> Ask {
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
    static func supplyDeviceData(_ wire: PSPRequest) throws(Refusal) -> Ask {
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
    static func completeChallenge(_ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .payments)
        return try inquire(request, .completeChallenge) { authorization in
            guard authorization.status == .requiresAction else {
                return WorldpayDocument.reply(authorization, wire.origin)
            }
            return PSPReply(201, WorldpayDocument.challenged(authorization, wire.origin))
        }
    }

    /// `POST /api/payments/{linkData}/{settlements,cancellations,…}`.
    static func change(_ action: WorldpayAction, _ wire: PSPRequest) throws(Refusal) -> Ask {
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
    ) throws(Refusal) -> Ask {
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
