package import Domain
package import StrictJSON

/// One thing that a scripted PSP says on its own, in the simulator's dialect.
package struct PSPNews: Hashable, Sendable {
    /// The event's document.
    package var json: JSON

    /// The PSP's name for the event.
    package var id: String { json["id"]?.stringValue ?? "" }

    /// News of an authorization as it stands in the books; `word` is what it has come to.
    package static func authorization(
        _ authorization: ScriptedAuthorization,
        _ word: String,
        operation: OperationID? = nil,
        id: String = "evt_authorization"
    ) -> PSPNews {
        PSPNews(
            id,
            "authorization.\(word)",
            of: authorization,
            .init("idempotency_key", .optional(operation.map { "\($0.text).1" }))
        )
    }

    /// News of a capture, void or refund.
    ///
    /// - Parameters:
    ///   - kind: what it is.
    ///   - word: what it has come to.
    ///   - amount: in minor units.
    ///   - authorization: what was captured, released or given back.
    ///   - object: the PSP's name for it.
    ///   - operation: our name for it; nil for what was done in the PSP's dashboard.
    /// - Returns: the news.
    package static func operation(
        _ kind: ScriptedCall.Kind,
        _ word: String,
        _ amount: Int64,
        of authorization: ScriptedAuthorization,
        object: String,
        operation: OperationID? = nil
    ) -> PSPNews {
        PSPNews(
            "evt_\(object)_\(word)",
            "\(kind.rawValue).\(word)",
            of: authorization,
            .init(
                "operation",
                [
                    "object": "operation", "id": .string(object),
                    "reference": .string(operation?.text ?? "dashboard"),
                    "authorization": .string(authorization.id), "currency": .string(authorization.currency),
                    "kind": .string(kind.rawValue), "amount": .integer(amount), "status": .string(word),
                ]
            )
        )
    }

    /// News of a dispute.
    package static func dispute(
        _ state: DisputeNotice.State,
        _ amount: Int64,
        of authorization: ScriptedAuthorization
    ) -> PSPNews {
        PSPNews(
            "evt_dispute_\(state.rawValue)",
            "dispute.\(state.rawValue)",
            of: authorization,
            .init(
                "dispute",
                [
                    "object": "dispute", "id": .string("dsp_" + authorization.id),
                    "authorization": .string(authorization.id), "status": .string(state.rawValue),
                    "amount": .integer(amount), "reason": "fraudulent",
                ]
            )
        )
    }

    private init(_ id: String, _ type: String, of authorization: ScriptedAuthorization, _ member: JSON.Member) {
        json = .object(
            [
                .init("object", "event"), .init("id", .string("\(id)_\(authorization.id)")),
                .init("type", .string(type)),
                .init("authorization", ScriptedReply.authorization(authorization)),
            ] + (member.value.isNull ? [] : [member])
        )
    }

    /// The news as from a submerchant's account.
    package func at(_ merchantAccount: String) -> PSPNews {
        guard case .object(let members) = json else { return self }
        var news = self
        news.json = .object(members + [.init("merchant_account", .string(merchantAccount))])
        return news
    }
}
