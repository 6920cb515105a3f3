import Crypto
import StrictJSON
import WireFormats

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

    /// What events and records call a settlement or a refund: what the caller called it, or in the portal somebody did.
    ///
    /// The settlement of a whole payment has no name there, neither in the portal nor in a sale's own call.
    static func reference(of operation: BookedOperation, _ authorization: Authorization) -> String? {
        let isWhole = operation.kind == .capture && operation.amount == authorization.authorized
        let isPortals = operation.reference == Authorization.dashboardReference
        return operation.reference.isEmpty || operation.isOfSale || (isPortals && isWhole) ? nil : operation.reference
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

/// What happened to a payment, as Payment Queries and the Payments API's own query tell it.
struct WorldpayHistory: Sendable {
    /// One thing that happened.
    struct Entry: Hashable, Sendable {
        let name: String
        let json: JSON
    }

    /// Everything in its order.
    let entries: [Entry]
    private let authorization: Authorization

    /// Tells an authorization's history.
    init(_ authorization: Authorization) {
        self.authorization = authorization
        var entries = Self.beginning(authorization)
        // A sale's own settlement belongs to its beginning, and the record does not tell that it failed.
        for operation in authorization.operations.dropFirst() where !operation.isOfSale {
            entries += Self.entries(operation, authorization)
        }
        self.entries = entries
    }

    /// The last thing that happened, in Payment Queries' words.
    var lastName: String { entries.last?.name ?? "authorizationRequested" }

    /// The last thing that happened, in the Payments API's words.
    var lastEvent: String {
        switch authorization.status {
        case .declined: return "Refused"
        case .expired: return "Expired"
        case .voided, .canceled: return "Sent for Cancellation"
        case .pending, .requiresAction, .authorized, .captured: break
        }
        let words = authorization.operations.dropFirst().compactMap(Self.word)
        return words.last ?? (authorization.captured > 0 ? "Sent for Settlement" : "Authorized")
    }

    private static func word(_ operation: BookedOperation) -> String? {
        switch (operation.kind, operation.status) {
        case (.capture, .succeeded), (.capture, .reversed): "Sent for Settlement"
        case (.capture, .failed), (.capture, .failedLater): "Settlement failed"
        case (.refund, .succeeded): "Sent for Refund"
        case (.refund, .failed), (.refund, .failedLater): "Refund failed"
        case (.capture, .pending), (.refund, _), (.void, _), (.authorize, _), (.inquire, _): nil
        }
    }

    private static func beginning(_ authorization: Authorization) -> [Entry] {
        let command = WorldpayIdentifier.text(.command, authorization.id)
        func entry(_ name: String, _ more: [JSON.Member] = []) -> Entry {
            Self.entry(name, authorization.createdAt, command, more)
        }
        var entries = [entry("authorizationRequested")]
        if let code = authorization.decline.map(WorldpayRefusalCode.init) {
            let members = [
                JSON.Member("description", .string(code.description)), JSON.Member("code", .string(code.code)),
                JSON.Member("outcome", "refused"),
            ]
            return entries + [entry("authorizationRefused", members)]
        }
        guard authorization.authorized > 0 else { return entries }
        entries.append(entry("authorizationSucceeded", [JSON.Member("outcome", "authorized")]))
        guard authorization.capturesAtOnce else { return entries }
        let value = Self.value(authorization.authorized, authorization)
        let request = [JSON.Member("type", "fullSettlement"), JSON.Member("value", value)]
        return entries + [entry("settlementRequested", request), entry("settlementRequestSubmitted")]
    }

    private static func entries(_ operation: BookedOperation, _ authorization: Authorization) -> [Entry] {
        let command = WorldpayIdentifier.text(.command, operation.id)
        let (word, title) = word(of: operation)
        let extent = operation.details["extent"] ?? "partial"
        var more: [JSON.Member] = []
        if word != "cancellation" {
            if word != "reversal" {
                more.append(JSON.Member("type", .string(extent + title)))
                if let reference = WorldpayDocument.reference(of: operation, authorization) {
                    more.append(JSON.Member("\(word)Reference", .string(reference)))
                }
            }
            more.append(JSON.Member("value", value(operation.amount, authorization)))
        }
        let requested = entry("\(word)Requested", operation.at, command, more)
        switch operation.status {
        case .pending: return [requested]
        case .succeeded, .reversed, .failedLater:
            return [requested, entry("\(word)RequestSubmitted", operation.at, command)]
        case .failed: return [requested, entry("\(word)RequestSubmissionFailed", operation.at, command)]
        }
    }

    private static func word(of operation: BookedOperation) -> (word: String, title: String) {
        if operation.isReversal { return ("reversal", "Reversal") }
        return switch operation.kind {
        case .refund: ("refund", "Refund")
        case .void: ("cancellation", "Cancellation")
        case .capture, .authorize, .inquire: ("settlement", "Settlement")
        }
    }

    private static func value(_ amount: Int64, _ authorization: Authorization) -> JSON {
        ["currency": .string(authorization.command.currency), "amount": .integer(amount)]
    }

    private static func entry(_ name: String, _ at: Int64, _ command: String, _ more: [JSON.Member] = []) -> Entry {
        let members =
            [JSON.Member("eventName", .string(name)), JSON.Member("timestamp", .string(WorldpayMoment.text(at)))]
            + more + [JSON.Member("commandId", .string(command))]
        return Entry(name: name, json: .object(members))
    }
}

/// The opaque part of a link: which payment it is of, and the one thing that it lets its holder do.
///
/// It is as long as Worldpay's, has escaped characters as those have, and cannot be made up from another one.
struct WorldpayLink: Hashable, Sendable {
    let api: WorldpayAPI
    let action: WorldpayAction
    /// The books' identifier of the payment.
    let authorization: String
    /// The payment's currency.
    let currency: String

    /// A link to `authorization`.
    init(_ api: WorldpayAPI, _ action: WorldpayAction, _ authorization: Authorization) {
        self.init(api, action, authorization.id, authorization.command.currency)
    }

    /// Reads the segment of a path; nil if Worldpay did not make it.
    init?(data: String) {
        guard let text = PercentEncoding.text(data), let end = text.lastIndex(of: ":"),
            let bytes = Base64.decode(text[text.index(after: end)...])
        else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 4, let api = WorldpayAPI(rawValue: words[0]),
            let action = WorldpayAction(rawValue: words[1])
        else { return nil }
        self.init(api, action, words[2], words[3])
        guard self.text == text else { return nil }
    }

    private init(_ api: WorldpayAPI, _ action: WorldpayAction, _ authorization: String, _ currency: String) {
        self.api = api
        self.action = action
        self.authorization = authorization
        self.currency = currency
    }

    /// The segment of a path.
    var data: String { PercentEncoding.encode(text) }

    /// Where the link leads.
    func href(_ origin: String) -> String {
        if api == .cardPayments, let card = action.card { return "\(origin)/\(card.path)/\(data)" }
        let end = action.pathEnd
        return "\(origin)/api/payments/\(data)" + (end.isEmpty ? "" : "/" + end)
    }

    private var text: String {
        let words = Array("\(api.rawValue) \(action.rawValue) \(authorization) \(currency)".utf8)
        var seal: [UInt8] = []
        var block = words
        for _ in 0..<9 {
            block = Array(SHA256.hash(data: block))
            seal += block
        }
        let head = Base64.encode(Array(#"{"k":"k3ab632","linkVersion":"5.0.0"}"#.utf8))
        return "\(head).sN:\(Base64.encode(seal)):\(Base64.encode(words))"
    }
}

/// What a link of Worldpay's lets its holder do; the raw value is what the Payments API calls the link.
enum WorldpayAction: String, Hashable, Sendable, CaseIterable {
    case cancel = "cancelPayment"
    case settle = "settlePayment"
    case partlySettle = "partiallySettlePayment"
    case refund = "refundPayment"
    case partlyRefund = "partiallyRefundPayment"
    case reverse = "reversePayment"
    case supplyDeviceData = "supply3dsDeviceData"
    case completeChallenge = "complete3dsChallenge"
    case query = "self"

    /// What the Payments API's path ends in; empty for a query.
    var pathEnd: String {
        switch self {
        case .cancel: "cancellations"
        case .settle: "settlements"
        case .partlySettle: "partialSettlements"
        case .refund: "refunds"
        case .partlyRefund: "partialRefunds"
        case .reverse: "reversals"
        case .supplyDeviceData: "3dsDeviceData"
        case .completeChallenge: "3dsChallenges"
        case .query: ""
        }
    }

    /// What Card Payments calls the link, and what stands before the link in its path; nil if it has none.
    ///
    /// Payment Queries' examples settle and reverse under other paths than the description of Card Payments does:
    /// the links are as in the examples, and both are served.
    var card: (name: String, path: String)? {
        switch self {
        case .cancel: ("cardPayments:cancel", "payments/authorizations/cancellations")
        case .settle: ("cardPayments:settle", "payments/settlements/full")
        case .partlySettle: ("cardPayments:partialSettle", "payments/settlements/partials")
        case .refund: ("cardPayments:refund", "payments/settlements/refunds/full")
        case .partlyRefund: ("cardPayments:partialRefund", "payments/settlements/refunds/partials")
        case .reverse: ("cardPayments:reverse", "payments/authorizations/reversals")
        case .query: ("cardPayments:events", "payments/events")
        case .supplyDeviceData, .completeChallenge: nil
        }
    }
}
