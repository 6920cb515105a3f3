import AdapterKit
import Domain
import StrictJSON

/// Writes the requests of one account.
struct SimulatorRequests: Sendable {
    let baseURL: String
    let key: Secret

    /// Holds or takes the amount, or says why nothing can be sent.
    func authorize(_ authorization: Call.Authorization, _ call: Call) -> Step {
        guard let credential = authorization.credential else { return .outcome(.notSent(reason: "no credential left")) }
        if case .pspToken(_, .some) = credential {
            let message = "The simulator's tokens belong to no customer."
            return .outcome(.rejected(Rejection(.unsupported, code: "customer", message: message)))
        }
        guard let method = Self.method(of: credential) else {
            return .outcome(.notSent(reason: "\(credential.kind.rawValue) is not taken by the simulator"))
        }
        let metadata: [(String, String?)] = [
            ("order", call.order.text), ("payment", call.payment.text), ("merchant_account", call.merchantAccount),
            ("order_reference", call.reference), ("description", authorization.description),
        ]
        let body = JSON.object(omittingAbsent: [
            "reference": .string(call.attempt.text),
            "amount": .integer(call.money.minorUnits),
            "currency": .string(call.money.currency.code),
            method.field: method.value,
            "capture": .bool(authorization.capture),
            "application_fee": authorization.applicationFee.map(JSON.integer),
            "return_url": authorization.returnURL.map(JSON.string),
            "metadata": .object(metadata.compactMap { name, value in value.map { JSON.Member(name, .string($0)) } }),
        ])
        return .send(post("/v1/authorizations", body, call))
    }

    /// Captures, voids or refunds; names the authorization by our reference while the PSP's is not known.
    func change(_ call: Call, applicationFee: Int64?) -> WireRequest {
        let word =
            switch call.kind {
            case .capture: "captures"
            case .refund: "refunds"
            case .void, .authorize: "void"
            }
        let amount = call.kind == .void ? nil : call.money.minorUnits
        let keepsTheRest: Bool = if case .capture(applicationFee: _, isFinal: false) = call.kind { true } else { false }
        let body = JSON.object(omittingAbsent: [
            "reference": .string(call.operation.text),
            "amount": amount.map(JSON.integer),
            "application_fee": applicationFee.map(JSON.integer),
            "final": keepsTheRest ? false : .none,
        ])
        let target = call.pspReference ?? "by-reference/\(call.attempt.text)"
        return post("/v1/authorizations/\(target)/\(word)", body, call)
    }

    /// Asks after the authorization by the attempt's reference.
    func findAuthorization(of call: Call) -> WireRequest { get("/v1/authorizations?reference=\(call.attempt.text)") }

    /// Asks after a capture, void or refund by the operation's reference.
    func findOperation(of call: Call) -> WireRequest { get("/v1/operations?reference=\(call.operation.text)") }

    /// Lists what happened since a moment in milliseconds since 1970, behind an event if one is named.
    func events(since milliseconds: Int64, after event: String?) -> WireRequest {
        let place = event.map { "&after=\($0)" } ?? ""
        return get("/v1/events?since=\(milliseconds)&limit=100\(place)")
    }

    private func get(_ path: String) -> WireRequest {
        WireRequest(.get, baseURL + path, headers: [authorization], canMoveMoney: false)
    }

    private func post(_ path: String, _ body: JSON, _ call: Call) -> WireRequest {
        let headers = [
            authorization, Header("Content-Type", "application/json"), Header("Idempotency-Key", call.key(exchange: 0)),
        ]
        return WireRequest(.post, baseURL + path, headers: headers, body: body.bytes, canMoveMoney: true)
    }

    private var authorization: Header { Header("Authorization", "Bearer " + key.reveal()) }

    private static func method(of credential: Credential) -> (field: String, value: JSON)? {
        switch credential {
        case .pspToken(let token, _): ("token", .string(token.reveal()))
        case .encryptedApplePay, .storedNetworkToken: nil
        case .networkToken(let token):
            (
                "network_token",
                .object(omittingAbsent: [
                    "number": .string(token.number.reveal()),
                    "expiry_month": .integer(Int64(token.expiryMonth)),
                    "expiry_year": .integer(Int64(token.expiryYear)),
                    "cryptogram": .string(token.cryptogram.reveal()),
                    "eci": token.eci.map(JSON.string),
                    "source": .string(token.source.rawValue),
                ])
            )
        }
    }
}
