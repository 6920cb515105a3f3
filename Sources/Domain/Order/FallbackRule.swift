/// When another route of a merchant may be tried for a payment.
///
/// A PSP's own token works nowhere else, and a cryptogram that may have reached an issuer is used up.
package enum FallbackRule: String, Sendable, CaseIterable {
    /// Never: the credential belongs to one PSP.
    case never
    /// If provably nothing reached the PSP: the credential is a network token with a cryptogram.
    case ifNotSent = "if_not_sent"
    /// Also if the PSP refused the request before it could reach an issuer: the credential is encrypted.
    case ifRefused = "if_refused"
}
