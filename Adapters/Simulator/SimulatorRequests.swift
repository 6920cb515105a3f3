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
        let isMerchants: Bool = if case .merchant = authorization.initiation { true } else { false }
        if case .pspToken(_, .some) = credential, !isMerchants {
            let message = "The simulator's tokens belong to no customer."
            return .outcome(.rejected(Rejection(.unsupported, code: "customer", message: message)))
        }
        guard let method = Self.method(of: credential, isMerchants: isMerchants) else {
            return .outcome(.notSent(reason: "\(credential.kind.rawValue) is not taken by the simulator"))
        }
        var initiation: [JSON.Member?] = []
        switch authorization.initiation {
        case .buyer: break
        case .buyerStoring(let first): initiation = [JSON.Member("store_for", .string(first.agreement.text))]
        case .merchant(let charge):
            let scheme = charge.networkTransactionIDs.first?.value
            initiation = [
                JSON.Member("initiator", "merchant"),
                scheme.map { JSON.Member("network_transaction_id", .string($0)) },
            ]
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
        let members = (body.objectValue ?? []) + initiation.compactMap(\.self)
        return .send(post("/v1/authorizations", .object(members), call))
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

    /// Has a stored method forgotten; nil if it is not one that the simulator named.
    func forget(_ removal: MethodRemoval) -> WireRequest? {
        let unreserved = removal.token.reveal().utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "_")
        }
        guard unreserved, let owner = removal.customer else { return nil }
        let path = "/v1/stored-methods/\(removal.token.reveal())?owner=\(owner.reveal())"
        return WireRequest(.delete, baseURL + path, headers: [authorization], canMoveMoney: false)
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

    private static func method(of credential: Credential, isMerchants: Bool) -> (field: String, value: JSON)? {
        switch credential {
        case .pspToken(let token, let owner?) where isMerchants:
            ("stored_method", ["id": .string(token.reveal()), "owner": .string(owner.reveal())])
        case .pspToken(let token, _): ("token", .string(token.reveal()))
        case .encryptedApplePay: nil
        case .storedNetworkToken(let token):
            (
                "network_token",
                [
                    "number": .string(token.number.reveal()), "expiry_month": .integer(Int64(token.expiryMonth)),
                    "expiry_year": .integer(Int64(token.expiryYear)), "source": .string(token.source.rawValue),
                ]
            )
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
