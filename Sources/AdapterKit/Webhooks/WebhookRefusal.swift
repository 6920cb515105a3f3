/// Why a webhook is refused.
public enum WebhookRefusal: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The account has no secret to verify it with.
    case notConfigured = "not_configured"
    /// It is longer than ``IncomingWebhook/bodyLimitBytes``.
    case tooLarge = "too_large"
    /// It has no signature, or not one in the PSP's form.
    case unsigned
    /// No secret of the account makes the signature.
    case wrongSignature = "wrong_signature"
    /// It was signed too long ago, or in the future.
    case outsideTolerance = "outside_tolerance"
    /// It is signed but is not what the PSP's documents describe.
    case malformed
    /// Several marketplaces have an account of the name, and its secret, so that nobody knows for whom it is.
    case ambiguous

    /// The HTTP status of the answer.
    ///
    /// Each is a failure to every PSP, which sends the webhook again; 503 says that it is worth it.
    public var status: Int {
        switch self {
        case .notConfigured, .ambiguous: 503
        case .tooLarge: 413
        case .unsigned, .malformed: 400
        case .wrongSignature, .outsideTolerance: 401
        }
    }

    /// A sentence for the log and for the PSP's dashboard.
    public var description: String {
        switch self {
        case .notConfigured: "The account has no webhook secret."
        case .tooLarge: "The body is too large."
        case .unsigned: "The webhook is not signed, or not in the PSP's form."
        case .wrongSignature: "The signature does not match."
        case .outsideTolerance: "The signature's time is too far from now."
        case .malformed: "The webhook is not what the PSP documents."
        case .ambiguous: "Several accounts of this name share the secret: name the marketplace in the URL."
        }
    }
}
