import AdapterKit
import Domain

/// What one account at Checkout.com is called, and what it may do.
struct CheckoutAccount: Sendable {
    let secretKey: Secret
    /// What `POST /tokens` is asked with; nil if no encrypted tokens are taken.
    let publicKey: Secret?
    /// `pc_…`; nil if the account has only one.
    let processingChannel: String?
    /// The platform's own entity, `ent_…`, whose disputes are no sub-entity's; nil if there are no sub-entities.
    let ownEntity: String?
    /// Whether sub-entities only label payments, all of which are settled to the platform.
    let isLite: Bool

    /// Reads the credentials.
    init(_ settings: AdapterSettings) throws(SettingsError) {
        secretKey = try settings.credential("secret_key")
        publicKey = Self.text("public_key", settings).map { Secret($0) }
        processingChannel = Self.text("processing_channel_id", settings)
        ownEntity = Self.text("entity_id", settings)
        switch Self.text("account_type", settings) {
        case nil, "full": isLite = false
        case "lite": isLite = true
        default: throw .missingCredential("account_type")
        }
    }

    private static func text(_ name: String, _ settings: AdapterSettings) -> String? {
        let text = settings.credentials[name]?.reveal() ?? ""
        return text.isEmpty ? nil : text
    }
}
