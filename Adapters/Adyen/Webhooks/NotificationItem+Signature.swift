import AdapterKit

/// The signature in each item: HMAC-SHA256 over eight of its members joined by colons, in base 64.
///
/// Source: Adyen's "Verify HMAC signatures", read in November 2026. Nothing is escaped, no time is signed, and neither
/// are `eventDate`, `reason` and `additionalData`: what those say decides nothing about money.
extension NotificationItem {
    /// Verifies every item.
    ///
    /// - Throws: ``WebhookRefusal/unsigned`` or ``WebhookRefusal/wrongSignature``.
    static func verify(_ items: [NotificationItem], with keys: [SigningKey]) throws(WebhookRefusal) {
        guard items.allSatisfy({ !$0.codes.isEmpty }) else { throw .unsigned }
        let failures = items.filter { item in
            !keys.authenticate(anyOf: item.codes, of: Array(item.signed.joined(separator: ":").utf8))
        }
        guard failures.isEmpty else { throw .wrongSignature }
    }
}
