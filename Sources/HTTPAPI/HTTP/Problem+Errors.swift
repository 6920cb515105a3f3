import AdapterKit
import Domain
import Gateway
import HTTPTypes
import Hummingbird
import SQL
import StrictJSON

/// What handlers throw, in the words of the API.
extension Problem {
    /// The problem that answers an error.
    ///
    /// - Parameters:
    ///   - error: what was thrown.
    ///   - path: the path that was asked for.
    ///   - methods: the methods of every path.
    init(answering error: any Error, path: String, methods: MethodTable) {
        switch error {
        case let problem as Problem: self = problem
        case let refusal as PlacementRefusal: self.init(refusal)
        case let refusal as PaymentRequestRefusal: self.init(refusal)
        case let overload as Overload: self.init(overload)
        case let refusal as ApplePaySessionRefusal: self.init(refusal)
        case let refusal as WebhookRefusal: self.init(refusal)
        case is UnusableWallet: self = .unusableWallet
        case is WalletPackageUnavailable: self = .packageUnavailable
        case let error as HTTPError where error.status == .notFound: self.init(unrouted: methods.methods(of: path))
        case let error as HTTPError: self.init(error)
        case let error as SQLError where error == .diskFull: self = .noRoom
        case SQLError.unavailable, SQLError.serializationFailure: self = .unavailable
        default: self = .internalError
        }
    }

    private static let unavailable = Problem(
        status: .serviceUnavailable,
        code: "unavailable",
        detail: "The database cannot be reached; send the request again with the same key.",
        retryAfterSeconds: 1
    )

    private static let noRoom = Problem(
        status: .serviceUnavailable,
        code: "unavailable",
        detail: "The database has no room to write anything down; send the request again with the same key.",
        retryAfterSeconds: 5
    )

    private static let internalError = Problem(
        status: .internalServerError,
        code: "internal_error",
        detail: "Something went wrong here; the request id helps to find out what."
    )

    private init(_ overload: Overload) {
        self.init(
            status: .serviceUnavailable,
            code: "overloaded",
            detail: "There is more to do than can be done in time. Nothing was kept; send it again with the same key.",
            retryAfterSeconds: overload.retrySeconds
        )
    }

    init(_ refusal: PlacementRefusal) {
        switch refusal {
        case .invalid(let violations): self = .invalid(violations)
        case .keyReused(let order):
            self.init(
                status: .unprocessableContent,
                code: "idempotency_key_reused",
                detail: "The idempotency key was used with another body.",
                order: order.text
            )
        case .agreement(let refusal): self.init(refusal)
        case .referenceInUse(let order):
            self.init(
                status: .conflict,
                code: "reference_in_use",
                detail: "Another order of yours that is not failed or canceled has this reference.",
                errors: [Violation(pointer: "/reference", code: "reference_in_use", detail: "See order \(order).")],
                order: order.text
            )
        }
    }

    private init(_ refusal: PaymentRequestRefusal) {
        switch refusal {
        case .invalid(let violations): self = .invalid(violations)
        case .notFound: self = .notFound
        case .used:
            self.init(
                status: .conflict,
                code: "payment_request_used",
                detail: "An order was placed with the payment request; it serves one sheet."
            )
        case .expired:
            self.init(
                status: .conflict,
                code: "payment_request_expired",
                detail: "The payment request is older than 30 minutes; store a new one."
            )
        }
    }

    /// A request that no route takes: the path is unknown, or has these other methods.
    private init(unrouted methods: [String]) {
        if methods.isEmpty {
            self.init(status: .notFound, code: "no_such_path", detail: "There is no such path.")
        } else {
            self.init(
                status: .methodNotAllowed,
                code: "method_not_allowed",
                detail: "The path has only \(methods.joined(separator: ", ")).",
                allow: methods
            )
        }
    }

    private init(_ error: HTTPError) {
        if error.status == .contentTooLarge {
            self.init(status: error.status, code: "body_too_large", detail: "The body is longer than is allowed.")
        } else {
            self.init(status: error.status, code: "refused", detail: error.status.reasonPhrase)
        }
    }
}

/// Refused Apple Pay sessions, in the words of the API.
extension Problem {
    /// The keys that open tokens cannot be read; which, is the operator's to know.
    static let unusableWallet = Problem(
        status: .serviceUnavailable,
        code: "wallet_unusable",
        detail: "The keys that open wallet tokens cannot be used here; the operator has to look at the server's log.",
        retryAfterSeconds: 60
    )

    /// The problem that answers a refused session.
    init(_ refusal: ApplePaySessionRefusal) {
        switch refusal {
        case .notConfigured(let what):
            self.init(
                status: .unprocessableContent,
                code: "apple_pay_not_configured",
                detail: "There is no Apple Pay on the web here: \(what)."
            )
        case .unknownMerchant:
            self = .invalid([
                Violation(
                    pointer: "/external_identifier",
                    code: "unknown_merchant",
                    detail: "The marketplace has no merchant with this external identifier."
                )
            ])
        case .refusedByApple(let status, let message):
            self.init(
                status: .badGateway,
                code: "apple_refused",
                detail: "Apple answered \(status)" + (message.map { ": \($0)" } ?? "") + Self.advice(status)
            )
        case .unreachable(let reason):
            self.init(
                status: .gatewayTimeout,
                code: "apple_unreachable",
                detail: "Apple did not answer: \(reason). Start the session again.",
                retryAfterSeconds: 1
            )
        }
    }

    /// What Apple's statuses mean, by its TN3174.
    private static func advice(_ status: Int) -> String {
        switch status {
        case 417: ". The merchant identifier is not registered, or not for this domain."
        case 400: ". A parameter is missing or malformed."
        default: "."
        }
    }
}

/// Refused webhooks, in the words of the API.
extension Problem {
    /// The problem that answers a refused webhook.
    init(_ refusal: WebhookRefusal) {
        self.init(
            status: HTTPResponse.Status(code: refusal.status),
            code: "webhook_\(refusal.rawValue)",
            detail: refusal.description
        )
    }
}

/// Connections that are refused or ended, in the words of the API.
extension Problem {
    /// Every connection is being served.
    static let tooManyConnections = Problem(
        status: .serviceUnavailable,
        code: "too_many_connections",
        detail: "As many connections are open as may be; send the request again with the same key.",
        retryAfterSeconds: 1
    )

    /// The head of a request did not come in time.
    static let headTooSlow = Problem(
        status: .requestTimeout,
        code: "head_too_slow",
        detail: "The head of the request did not come in time."
    )

    /// The body of a request did not come in time, or too slowly.
    static let bodyTooSlow = Problem(
        status: .requestTimeout,
        code: "body_too_slow",
        detail: "The body did not come in time; send the request again with the same key."
    )

    /// The request does not say for which host it is.
    static let hostInvalid = Problem(
        status: .badRequest,
        code: "host_invalid",
        detail: "Send exactly one Host field, with a host and perhaps a port."
    )
}

/// Which methods each path has, to tell an unknown path from a wrong method.
struct MethodTable: Sendable {
    private struct Entry: Sendable {
        let segments: [String]
        let method: String
    }

    private let entries: [Entry]

    /// The table of a router's routes.
    init(_ routes: [Router<APIContext>.RouteDescription]) {
        entries = routes.map { route in
            Entry(
                segments: route.path.description.split(separator: "/").map(String.init),
                method: route.method.rawValue
            )
        }
    }

    /// The methods of a path, sorted; empty if there is no such path.
    ///
    /// Where `GET` is, `HEAD` is too.
    func methods(of path: String) -> [String] {
        let segments = path.split(separator: "/")
        let found = entries.filter { Self.matches($0.segments, segments) }.map(\.method)
        return Set(found.contains("GET") ? found + ["HEAD"] : found).sorted()
    }

    private static func matches(_ pattern: [String], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0.hasPrefix(":") || $0 == $1 }
    }
}
