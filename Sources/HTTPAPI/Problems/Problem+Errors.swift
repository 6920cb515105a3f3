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
        case let error as HTTPError where error.status == .notFound: self.init(unrouted: methods.methods(of: path))
        case let error as HTTPError: self.init(error)
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
