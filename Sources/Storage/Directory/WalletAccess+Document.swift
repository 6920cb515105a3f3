import Domain
import SQL
import StrictJSON

extension WalletAccess {
    /// The access as JSON text, for one column.
    var text: String {
        JSON.object(omittingAbsent: ["apple_pay": applePay?.document, "google_pay": googlePay?.document]).text
    }

    /// Reads access back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)`.
    init(text: String) throws(SQLError) {
        guard let document = try? JSON.parse(text: text) else { throw .unexpectedValue(column: "wallets") }
        self.init(
            applePay: try document["apple_pay"].map { json throws(SQLError) in try ApplePay(document: json) },
            googlePay: try document["google_pay"].map { json throws(SQLError) in try GooglePay(document: json) }
        )
    }
}

extension WalletAccess.KeyPair {
    fileprivate var document: JSON { ["certificate": .string(certificate), "key": .string(key)] }

    fileprivate init(document: JSON) throws(SQLError) {
        guard let certificate = document["certificate"]?.stringValue, let key = document["key"]?.stringValue else {
            throw .unexpectedValue(column: "wallets")
        }
        self.init(certificate: certificate, key: key)
    }
}

extension WalletAccess.ApplePay {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "processing": .array(processing.map(\.document)), "identity": identity?.document,
            "environment": .string(environment.rawValue), "window_ms": windowMilliseconds.map(JSON.integer),
            "root": root.map(JSON.string), "domain_association": domainAssociation.map(JSON.string),
            "session_url": sessionURL.map(JSON.string),
            "session_authorities": sessionAuthorities.map(JSON.string),
        ])
    }

    fileprivate init(document: JSON) throws(SQLError) {
        guard let environment = document["environment"]?.stringValue.flatMap(Environment.init(rawValue:)) else {
            throw .unexpectedValue(column: "wallets")
        }
        var processing: [WalletAccess.KeyPair] = []
        for pair in document["processing"]?.arrayValue ?? [] {
            processing.append(try WalletAccess.KeyPair(document: pair))
        }
        self.init(
            processing: processing,
            identity: try document["identity"].map { json throws(SQLError) in try WalletAccess.KeyPair(document: json)
            },
            environment: environment,
            windowMilliseconds: document["window_ms"]?.integerValue,
            root: document["root"]?.stringValue,
            domainAssociation: document["domain_association"]?.stringValue,
            sessionURL: document["session_url"]?.stringValue,
            sessionAuthorities: document["session_authorities"]?.stringValue
        )
    }
}

extension WalletAccess.GooglePay {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "recipient": .string(recipient), "gateway_merchant_id": gatewayMerchantID.map(JSON.string),
            "keys": .strings(keys), "roots": .string(roots),
        ])
    }

    fileprivate init(document: JSON) throws(SQLError) {
        guard let recipient = document["recipient"]?.stringValue, let roots = document["roots"]?.stringValue,
            let keys = document["keys"]?.arrayValue
        else { throw .unexpectedValue(column: "wallets") }
        self.init(
            recipient: recipient,
            gatewayMerchantID: document["gateway_merchant_id"]?.stringValue,
            keys: keys.compactMap(\.stringValue),
            roots: roots
        )
    }
}
