import StrictJSON

/// The Payments API's answers.
enum WorldpayDocument {
    /// The answer to `POST /api/payments`, and to the steps that end the buyer's authentication.
    static func reply(_ authorization: Authorization, _ origin: String) -> PSPReply {
        switch authorization.status {
        case .pending: WorldpayDialect.internalError
        case .requiresAction: PSPReply(201, deviceDataRequired(authorization, origin))
        case .declined: PSPReply(201, declined(authorization))
        case .canceled: PSPReply(201, authenticationFailed(authorization))
        case .captured: PSPReply(202, approved(authorization, "sentForSettlement", origin))
        case .authorized, .voided, .expired: PSPReply(201, approved(authorization, "authorized", origin))
        }
    }

    /// The answer to `POST …/3dsDeviceData` while the buyer has not been asked.
    static func challenged(_ authorization: Authorization, _ origin: String) -> JSON {
        [
            "outcome": "3dsChallenged", "transactionReference": .string(authorization.command.reference),
            "authentication": ["version": "2.2.0"],
            "challenge": [
                "reference": .string(WorldpayIdentifier.text(.command, authorization.id)),
                "url": .string("\(origin)/actions/\(authorization.id)"), "jwt": .string(jwt(authorization)),
                "payload": .string(Base64.encode(Array(authorization.id.utf8))),
            ],
            "_actions": actions([.completeChallenge], authorization, origin),
        ]
    }

    /// What may be done next, by name.
    static func actions(_ actions: [WorldpayAction], _ authorization: Authorization, _ origin: String) -> JSON {
        .object(
            actions.map { action in
                let href = WorldpayLink(.payments, action, authorization).href(origin)
                return JSON.Member(action.rawValue, ["href": .string(href), "method": "POST"])
            }
        )
    }

    /// The link that tells how the payment is.
    static func links(_ authorization: Authorization, _ origin: String) -> JSON {
        ["self": ["href": .string(WorldpayLink(.payments, .query, authorization).href(origin))]]
    }

    /// The issuer's code of an approval: six digits.
    static func authorizationCode(_ authorization: Authorization) -> String {
        String(String(1_000_000 + number(authorization) % 1_000_000).dropFirst())
    }

    /// The scheme's reference of an approval: fifteen digits.
    static func schemeReference(_ authorization: Authorization) -> String {
        "060720116" + authorizationCode(authorization)
    }

    /// The payment's number in the books.
    static func number(_ authorization: Authorization) -> Int { PSPNumber(authorization.id)?.authorization ?? 0 }

    private static let riskFactors: JSON = [
        ["risk": "notChecked", "type": "cvc"], ["risk": "notChecked", "detail": "address", "type": "avs"],
        ["risk": "notChecked", "detail": "postcode", "type": "avs"],
    ]

    private static func approved(_ authorization: Authorization, _ outcome: String, _ origin: String) -> JSON {
        let next = authorization.worldpayActions
        return .object(omittingAbsent: [
            "outcome": .string(outcome),
            "paymentId": .string(WorldpayIdentifier.text(.payment, authorization.id)),
            "transactionReference": .string(authorization.command.reference),
            "schemeReference": .string(schemeReference(authorization)),
            "issuer": ["authorizationCode": .string(authorizationCode(authorization))],
            "riskFactors": riskFactors,
            "threeDS": authorization.actionExpiresAt == nil
                ? .none
                : ["outcome": "authenticated", "issuerResponse": "challenged", "version": "2.2.0", "eci": "05"],
            "paymentInstrument": instrument(authorization),
            "amounts": authorization.authorized < authorization.command.amount ? amounts(authorization) : .none,
            "_links": links(authorization, origin),
            "_actions": next.isEmpty ? .none : actions(next, authorization, origin),
        ])
    }

    private static func amounts(_ authorization: Authorization) -> JSON {
        [
            "requested": .integer(authorization.command.amount),
            "totalAuthorized": .integer(authorization.authorized),
            "currency": .string(authorization.command.currency), "partialAuthorization": true,
        ]
    }

    private static func instrument(_ authorization: Authorization) -> JSON {
        let method = authorization.command.method
        var members: [JSON.Member] = [
            JSON.Member("type", "card/plain+masked"), JSON.Member("lastFour", .string(method.last4)),
            JSON.Member("cardBrand", .string(method.network)),
        ]
        if case .networkToken(let digest) = method {
            members.append(
                JSON.Member("expiryDate", ["month": .integer(digest.expiryMonth), "year": .integer(digest.expiryYear)])
            )
        }
        return .object(members)
    }

    private static func declined(_ authorization: Authorization) -> JSON {
        switch authorization.decline {
        case .suspectedFraud:
            [
                "outcome": "fraudHighRisk", "transactionReference": .string(authorization.command.reference),
                "score": 97, "reason": ["Recent unexpected card activity"],
            ]
        case .authenticationFailed, .actionExpired: authenticationFailed(authorization)
        default: refused(authorization, WorldpayRefusalCode(authorization.decline ?? .generic))
        }
    }

    private static func refused(_ authorization: Authorization, _ code: WorldpayRefusalCode) -> JSON {
        .object(omittingAbsent: [
            "outcome": "refused",
            "paymentId": .string(WorldpayIdentifier.text(.payment, authorization.id)),
            "transactionReference": .string(authorization.command.reference),
            "refusalDescription": .string(code.description),
            "refusalCode": .string(code.code),
            "advice": code.advice.map { ["code": .string($0)] },
            "riskFactors": riskFactors,
        ])
    }

    private static func deviceDataRequired(_ authorization: Authorization, _ origin: String) -> JSON {
        [
            "outcome": "3dsDeviceDataRequired", "transactionReference": .string(authorization.command.reference),
            "deviceDataCollection": [
                "jwt": .string(jwt(authorization)), "url": .string("\(origin)/livez"), "bin": "400000",
            ],
            "_actions": actions([.supplyDeviceData], authorization, origin),
        ]
    }

    private static func authenticationFailed(_ authorization: Authorization) -> JSON {
        [
            "outcome": "3dsAuthenticationFailed", "transactionReference": .string(authorization.command.reference),
            "authentication": ["version": "2.2.0", "eci": "07"],
        ]
    }

    /// A token of the form that the authentication provider's pages take; nobody checks it here.
    private static func jwt(_ authorization: Authorization) -> String {
        let parts = [#"{"typ":"JWT","alg":"none"}"#, #"{"jti":"\#(authorization.id)"}"#]
        return parts.map { Base64.encode(Array($0.utf8)).filter { $0 != "=" } }.joined(separator: ".") + "."
    }
}
