import StrictJSON

/// Reads request bodies; what must not be kept is forgotten here.
package enum CommandReader {
    /// The greatest amount, so that sums of many cannot overflow.
    package static let greatestAmount: Int64 = 1_000_000_000_000

    /// The body of `POST /v1/authorizations`.
    ///
    /// - Throws: ``Refusal`` that names the first thing that is wrong, never its value.
    package static func authorize(_ body: [UInt8]) throws(Refusal) -> AuthorizeCommand {
        try read(body) { reader in
            let reference = reader.string("reference", length: 1...64)
            let amount = reader.integer("amount", in: 1...greatestAmount)
            let currency = reader.parsed("currency", expecting: "three upper-case letters", currency)
            let details = initiation(reader)
            let method = method(reader, isMerchants: details[SimulatorVault.initiatorDetail] != nil)
            let capture = reader.bool("capture", .optional)
            let fee = reader.integer("application_fee", .optional, in: 0...greatestAmount)
            let returnURL = reader.string("return_url", .optional, length: 1...2000)
            let metadata = reader.dictionary("metadata", .optional, count: 0...20)
            guard let reference, let amount, let currency, let method else { return nil }
            return AuthorizeCommand(
                reference: reference,
                amount: amount,
                currency: currency,
                method: method,
                capture: capture ?? false,
                applicationFee: fee,
                returnURL: returnURL,
                metadata: Dictionary((metadata ?? []).map { ($0.key, $0.value) }) { first, _ in first },
                details: details
            )
        }
    }

    /// The body of a capture, void or refund of `target`.
    ///
    /// - Throws: ``Refusal`` that names the first thing that is wrong.
    package static func change(
        _ kind: OperationKind,
        of target: ChangeCommand.Target,
        _ body: [UInt8]
    ) throws(Refusal) -> ChangeCommand {
        try read(body) { reader in
            guard let reference = reader.string("reference", length: 1...64) else { return nil }
            var change = ChangeCommand(kind, of: target, reference: reference)
            guard kind != .void else { return change }
            change.amount = reader.integer("amount", in: 1...greatestAmount)
            change.applicationFee = reader.integer("application_fee", .optional, in: 0...greatestAmount)
            if kind == .capture { change.isFinal = reader.bool("final", .optional) ?? true }
            return change
        }
    }

    /// The body of what is done without the API; empty for nothing more to say.
    ///
    /// - Throws: ``Refusal`` that names the first thing that is wrong.
    package static func action(
        _ kind: DashboardAction.Kind,
        to target: ChangeCommand.Target,
        _ body: [UInt8]
    ) throws(Refusal) -> DashboardAction {
        try read(body.isEmpty ? Array("{}".utf8) : body) { reader in
            var action = DashboardAction(kind, to: target)
            switch kind {
            case .capture:
                action.amount = reader.integer("amount", .optional, in: 1...greatestAmount)
                action.isFinal = reader.bool("final", .optional) ?? true
            case .refund: action.amount = reader.integer("amount", .optional, in: 1...greatestAmount)
            case .dispute:
                action.amount = reader.integer("amount", .optional, in: 1...greatestAmount)
                action.reason = reader.string("reason", .optional, length: 1...100)
                action.respondWithin = reader.integer("respond_within", .optional, in: 0...greatestAmount)
            case .fail: action.subject = reader.string("operation", .optional, length: 1...100)
            case .win:
                action.subject = reader.string("dispute", .optional, length: 1...100)
                action.amount = reader.integer("amount", .optional, in: 1...greatestAmount)
            case .lose: action.subject = reader.string("dispute", .optional, length: 1...100)
            case .void, .lapse: break
            }
            let word = "announcement"
            let told = reader.parsed(word, .optional, expecting: "a webhook trigger", WebhookAnnouncement.init(word:))
            action.announcement = told ?? .prompt
            return action
        }
    }

    /// The body that registers a webhook.
    ///
    /// - Throws: ``Refusal`` that names the first thing that is wrong, never the secret.
    package static func webhook(_ body: [UInt8]) throws(Refusal) -> (url: String, secret: String) {
        try read(body) { reader in
            let url = reader.string("url", length: 1...2000)
            let secret = reader.string("secret", length: 1...200)
            guard let url, let secret else { return nil }
            return (url, secret)
        }
    }

    private static func read<Value>(_ body: [UInt8], _ make: (ObjectReader) -> Value?) throws(Refusal) -> Value {
        do {
            return try JSON.parse(body, depthLimit: 8).read(make)
        } catch let refusal as JSONRefusal {
            throw .invalid("The body is not JSON: \(refusal.reason.rawValue).")
        } catch let invalid as InvalidDocument {
            throw .invalid(invalid.violations.map(\.description).joined(separator: " "))
        } catch {
            throw .invalid("The body cannot be read.")
        }
    }

    private static func currency(_ text: String) -> String? {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? text : nil
    }

    private static func method(_ reader: ObjectReader, isMerchants: Bool) -> PaymentMethod? {
        if reader.contains("stored_method") {
            for key in ["token", "network_token"] where reader.contains(key) {
                reader.refuse(key, "contradiction", "The stored method pays.")
            }
            return StoredMethods.method
        }
        if reader.contains("network_token") {
            reader.ignore("token")
            return reader.object("network_token", .required) { networkToken($0, isMerchants: isMerchants) }
                .map(PaymentMethod.networkToken)
        }
        reader.ignore("network_token")
        return reader.string("token", length: 1...TokenScript.lengthLimit).map(PaymentMethod.token)
    }

    /// A cryptogram is used up by the buyer's payment, so that the merchant's have none.
    private static func networkToken(_ reader: ObjectReader, isMerchants: Bool) -> NetworkTokenDigest? {
        let number = reader.string("number", length: 12...19)
        let month = reader.integer("expiry_month", in: 1...12)
        let year = reader.integer("expiry_year", in: 2000...2100)
        if isMerchants {
            if reader.contains("cryptogram") {
                reader.refuse("cryptogram", "contradiction", "A merchant's payment has no cryptogram.")
            }
        } else {
            _ = reader.string("cryptogram", length: 1...200)
        }
        _ = reader.string("eci", .optional, length: 1...2)
        _ = reader.string("source", .optional, oneOf: ["apple_pay", "google_pay", "network"])
        guard let number, let month, let year else { return nil }
        let digest = NetworkTokenDigest(number: number, expiryMonth: month, expiryYear: year)
        if digest == nil { reader.refuse("number", "not_allowed", "Must be 12 to 19 digits.") }
        return digest
    }
}
