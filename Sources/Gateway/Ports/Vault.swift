import AdapterKit
package import Domain
package import Storage
import StrictJSON

/// Seals what is stored and opens it again.
package struct Vault: Sendable {
    /// Encrypts bytes under the current key, bound to `context`.
    package let seal: @Sendable (_ bytes: [UInt8], _ context: String) throws -> CredentialTable.Sealed
    /// Decrypts what was sealed for the same `context`.
    package let open: @Sendable (_ sealed: CredentialTable.Sealed, _ context: String) throws -> [UInt8]
    /// A new random key.
    package let makeKey: @Sendable () -> Secret
    /// A vault whose one key is that key, under that name.
    package let single: @Sendable (_ key: Secret, _ name: String) throws -> Vault

    /// Makes a vault of functions.
    package init(
        seal: @escaping @Sendable ([UInt8], String) throws -> CredentialTable.Sealed,
        open: @escaping @Sendable (CredentialTable.Sealed, String) throws -> [UInt8],
        makeKey: @escaping @Sendable () -> Secret,
        single: @escaping @Sendable (Secret, String) throws -> Vault
    ) {
        self.seal = seal
        self.open = open
        self.makeKey = makeKey
        self.single = single
    }
}

extension Credential {
    /// The credential as the document that the vault seals has it, only ever for that.
    var json: JSON {
        switch self {
        case .pspToken(let token, let customer):
            JSON.object(omittingAbsent: [
                "kind": .string(kind.rawValue), "token": .string(token.reveal()),
                "customer": customer.map { .string($0.reveal()) },
            ])
        case .networkToken(let token):
            JSON.object(omittingAbsent: [
                "kind": .string(kind.rawValue), "number": .string(token.number.reveal()),
                "month": .integer(Int64(token.expiryMonth)), "year": .integer(Int64(token.expiryYear)),
                "cryptogram": .string(token.cryptogram.reveal()), "eci": token.eci.map(JSON.string),
                "source": .string(token.source.rawValue),
            ])
        case .encryptedApplePay(let token):
            JSON.object(omittingAbsent: [
                "kind": .string(kind.rawValue), "payment_data": .string(token.paymentData.reveal()),
                "display_name": token.displayName.map(JSON.string), "network": token.network.map(JSON.string),
                "transaction_identifier": token.transactionIdentifier.map(JSON.string),
            ])
        case .storedNetworkToken(let token):
            [
                "kind": .string(kind.rawValue), "number": .string(token.number.reveal()),
                "month": .integer(Int64(token.expiryMonth)), "year": .integer(Int64(token.expiryYear)),
                "source": .string(token.source.rawValue),
            ]
        }
    }

    /// Reads a credential back; nil for what ``json`` does not write.
    init?(_ json: JSON) {
        guard let name = json["kind"]?.stringValue, let kind = CredentialKind(rawValue: name) else { return nil }
        func secret(_ key: String) -> Secret? { json[key]?.stringValue.map(Secret.init) }
        switch kind {
        case .pspToken:
            guard let token = secret("token") else { return nil }
            self = .pspToken(token, customer: secret("customer"))
        case .networkToken:
            guard let number = secret("number"), let cryptogram = secret("cryptogram"),
                let month = json["month"]?.integerValue, let year = json["year"]?.integerValue,
                let source = json["source"]?.stringValue.flatMap(NetworkToken.Source.init(rawValue:))
            else { return nil }
            self = .networkToken(
                NetworkToken(
                    number: number,
                    expiryMonth: Int(month),
                    expiryYear: Int(year),
                    cryptogram: cryptogram,
                    eci: json["eci"]?.stringValue,
                    source: source
                )
            )
        case .encryptedApplePay:
            guard let data = secret("payment_data") else { return nil }
            self = .encryptedApplePay(
                EncryptedApplePay(
                    paymentData: data,
                    displayName: json["display_name"]?.stringValue,
                    network: json["network"]?.stringValue,
                    transactionIdentifier: json["transaction_identifier"]?.stringValue
                )
            )
        case .storedNetworkToken:
            guard let number = secret("number"), let month = json["month"]?.integerValue,
                let year = json["year"]?.integerValue,
                let source = json["source"]?.stringValue.flatMap(NetworkToken.Source.init(rawValue:))
            else { return nil }
            self = .storedNetworkToken(
                StoredNetworkToken(number: number, expiryMonth: Int(month), expiryYear: Int(year), source: source)
            )
        }
    }
}
