import Domain
import StrictJSON

/// A request that Square refused.
struct SquareRefusal {
    /// The HTTP status.
    var status: Int
    /// At least one.
    private var errors: [SquareError]
    /// The state of the payment that came along, if one did.
    var paymentStatus: String?
    /// The attempt that the payment names, if a payment came along.
    var paymentReference: String?

    /// Gathers what was refused; nil without an error.
    init?(status: Int, errors: [SquareError], body: JSON) {
        guard !errors.isEmpty else { return nil }
        self.status = status
        self.errors = errors
        paymentStatus = body["payment"].map { $0["status"]?.stringValue ?? "" }
        paymentReference = body["payment"].map { $0["reference_id"]?.stringValue ?? "" }
    }

    /// The category of the first error, which the HTTP status goes with.
    var category: SquareError.Category { errors[0].category }
    /// The most telling code: that of a decline with a category of its own, else the first.
    var code: String {
        let telling = errors.first { error in
            SquareDeclines.category(error.code).map { $0 != .generic } ?? false
        }
        return (telling ?? errors[0]).code
    }

    /// Whether the seller's token, rather than the request, was refused.
    var concernsToken: Bool { category == .authentication }
    /// Whether the payment's state would say no more: a refused token shows nothing, and what there is not has none.
    var leavesNothingToLookAt: Bool { concernsToken || code == "NOT_FOUND" }
    /// Whether another request is in the way.
    var isClash: Bool { errors.contains { Self.clashes.contains($0.code) } }
    /// Whether Square asks for the same request again.
    var isTemporary: Bool { errors.contains { $0.code == "TEMPORARY_ERROR" } }

    /// The decline that the errors report; nil if they refuse the request.
    ///
    /// An error of the payment method with a code that we do not know is one, too.
    var decline: Decline? {
        let known = SquareDeclines.category(code)
        guard known != nil || (category == .paymentMethod && !SquareRefusals.isKnown(code)) else { return nil }
        return Decline(code: code, category: known ?? .generic, message: sentence)
    }

    /// Status, categories, codes and fields in one sentence, without anything that was sent.
    var sentence: String {
        let words = errors.prefix(4).map { error in
            error.code + (error.field.map { " for \($0)" } ?? "")
        }
        return "Square answered \(category.rawValue) (HTTP \(status): \(words.joined(separator: ", ")))."
    }

    /// `VERSION_MISMATCH` is named in the text of the description only, not in its list of codes.
    private static let clashes: Set<String> = ["CONFLICT", "IDEMPOTENCY_KEY_REUSED", "VERSION_MISMATCH"]
}
