import Domain
import StrictJSON

/// How the marketplace takes Google Pay with keys of its own.
package struct GooglePayDeclaration: Hashable, Sendable {
    /// Who tokens are for: `merchant:<id>` or `gateway:<id>`.
    package var recipient: String
    /// The merchant's id at the gateway, which a token for a gateway has to name.
    package var gatewayMerchantID: String?
    /// Where the private keys are kept: several during rotation.
    package var keys: [SecretReference]
    /// Where Google's root signing keys are kept, as the JSON that Google publishes.
    package var rootKeys: SecretReference

    init?(_ body: ObjectReader, file: String) {
        let recipient = body.parsed("recipient", expecting: "merchant:<id> or gateway:<id>") { text -> String? in
            let parts = text.split(separator: ":", maxSplits: 1)
            let isKnown =
                TextRule.identifier.allows(text) && parts.count == 2
                && (parts[0] == "merchant" || parts[0] == "gateway")
            return isKnown ? text : nil
        }
        gatewayMerchantID = body.string(
            "gateway_merchant_id",
            .optional,
            length: 1...255,
            by: TextRule.reference.accept
        )
        let keys = body.strings("keys", count: 1...20, expecting: "a reference, env:NAME or file:PATH") {
            SecretReference($0, relativeTo: file)
        }
        let rootKeys = body.secretReference("root_keys", relativeTo: file)
        guard let recipient, let keys, let rootKeys else { return nil }
        self.recipient = recipient
        self.keys = keys
        self.rootKeys = rootKeys
    }
}
