package import Domain

/// A stored payment request.
package struct PaymentRequest: Hashable, Sendable {
    /// Its identifier.
    package let id: PaymentRequestID
    /// Counts up from 1.
    package let revision: Int64
    /// When it can be used no more.
    package let expiresAt: Timestamp
    /// The bytes, as text, whose hash a token of the sheet carries; the same in every revision, because a sheet
    /// never takes new ones.
    package let applicationData: String
    /// What the sheet is to ask for.
    package let plan: PaymentRequestPlan
}
