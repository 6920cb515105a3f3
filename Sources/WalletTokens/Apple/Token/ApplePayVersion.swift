/// How an Apple Pay token is encrypted (Apple, "Payment token format reference").
package enum ApplePayVersion: String, Hashable, Sendable, CaseIterable {
    /// Key agreement on P-256, AES-256-GCM; everywhere but in mainland China.
    case ec = "EC_v1"
    /// A key wrapped with RSA, AES-128-GCM; mainland China.
    case rsa = "RSA_v1"
}
