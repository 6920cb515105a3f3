package import Domain
import HTTPTypes
package import StrictJSON

/// An error as RFC 9457 has it, with a stable code and every violation at once.
struct Problem: Error, Hashable, Sendable {
    /// The HTTP status.
    let status: HTTPResponse.Status
    /// A word that programs may rely on.
    let code: String
    /// A sentence for people.
    let detail: String
    /// What is wrong where.
    var errors: [Violation] = []
    /// The order it is about, if one is known.
    var order: String?
    /// What could have been asked for, in minor units, where an amount was too much.
    var availableAmount: Int64?
    /// What Apple's sheet is told, if a sheet waits for the answer.
    var applePay: ApplePayResult?
    /// When to try again, in seconds.
    var retryAfterSeconds: Int?
    /// The methods that the path has.
    var allow: [String] = []
    /// What has to be shown where something else was, as `WWW-Authenticate` names it.
    var challenge = "Bearer"
    /// The API key that was shown, if one is known; for the log, never for the answer.
    var key: KeyID?

    /// A request that was understood but cannot be accepted, 422.
    ///
    /// One violation lends its code to the whole.
    static func invalid(_ violations: [Violation], status: HTTPResponse.Status = .unprocessableContent) -> Problem {
        let isOne = violations.count == 1
        return Problem(
            status: status,
            code: isOne ? violations[0].code : "invalid_request",
            detail: isOne ? violations[0].detail : "\(violations.count) things are wrong with the request.",
            errors: violations
        )
    }

    /// What `body` reads, its violations as a 422 problem.
    static func reading<Value>(_ body: () throws(InvalidDocument) -> Value) throws(Problem) -> Value {
        do throws(InvalidDocument) { return try body() } catch { throw .invalid(error.violations) }
    }

    /// What was asked for does not exist, or is not the caller's: the two look the same.
    static let notFound = Problem(
        status: .notFound,
        code: "not_found",
        detail: "There is nothing here that this key may see."
    )

    /// How many violations one answer names.
    static let violationLimit = 100

    /// The problem as a document.
    func json(requestID: String) -> JSON {
        .object(omittingAbsent: [
            "type": .string(ProblemCode.address(of: code)), "title": .string(status.reasonPhrase),
            "status": .integer(Int64(status.code)), "code": .string(code), "detail": .string(detail),
            "errors": .array(errors.prefix(Self.violationLimit).map(\.json)),
            "more_errors": errors.count > Self.violationLimit
                ? .integer(Int64(errors.count - Self.violationLimit)) : nil,
            "order": order.map(JSON.string),
            "available_amount": availableAmount.map(JSON.integer), "apple_pay": applePay.map(ApplePayPresenter.json),
            "request_id": .string(requestID),
        ])
    }
}

/// Writes what Apple's sheet is told, in the words of Apple's `ApplePayPaymentAuthorizationResult`.
package enum ApplePayPresenter {
    /// A result as JSON.
    package static func json(_ result: ApplePayResult) -> JSON {
        ["status": .string(result.status.rawValue), "errors": .array(result.errors.map(json))]
    }

    /// What the sheet is told of an order: on success also how the device follows it in Wallet, but for the token
    /// (``OrderTokens``).
    package static func json(of order: Order) -> JSON {
        let result = order.applePayResult()
        let told = json(result)
        guard result.status == .success, let reference = order.walletOrder, reference.isOfferedToSheet,
            case .object(let members) = told
        else { return told }
        let details: JSON = [
            "orderTypeIdentifier": .string(reference.type), "orderIdentifier": .string(order.id.text),
            "webServiceURL": .string(reference.webServiceURL),
        ]
        return .object(members + [.init("order_details", details)])
    }

    private static func json(_ error: ApplePayError) -> JSON {
        .object(omittingAbsent: [
            "code": .string(error.code.rawValue), "contactField": error.contactField.map { .string($0.rawValue) },
            "message": .string(error.message),
        ])
    }
}
