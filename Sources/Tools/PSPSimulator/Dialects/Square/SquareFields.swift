import StrictJSON

/// The fields of an object in a request to Square, refused with Square's codes if they are not what they should be.
struct SquareFields: Sendable {
    let json: JSON
    /// What the names of the fields begin with in an error, for example `payment.`.
    let prefix: String

    /// Takes an object.
    ///
    /// - Throws: ``Refusal`` if it has a field that is not known.
    init(_ json: JSON, in prefix: String = "", knowing known: Set<String>) throws(Refusal) {
        for member in json.objectValue ?? [] where !known.contains(member.key) {
            let name = String(member.key.prefix(60))
            throw SquareErrorDocument.refusal(
                "UNKNOWN_BODY_PARAMETER",
                field: prefix + name,
                "The body parameter is not recognized by the requested endpoint."
            )
        }
        self.json = json
        self.prefix = prefix
    }

    /// A text that may be missing.
    ///
    /// - Throws: ``Refusal`` if it is no text, or longer than `limit` characters.
    func text(_ name: String, limit: Int = 1000) throws(Refusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else { throw wrong("EXPECTED_STRING", name, "Expected a string value.") }
        guard text.unicodeScalars.count <= limit else {
            throw wrong("VALUE_TOO_LONG", name, "Field must not be greater than \(limit) in length.")
        }
        return text
    }

    /// A text that must be there.
    ///
    /// - Throws: ``Refusal`` if it is missing, empty or too long.
    func required(_ name: String, limit: Int = 1000) throws(Refusal) -> String {
        guard let text = try text(name, limit: limit) else { throw missing(name) }
        guard !text.isEmpty else { throw wrong("VALUE_EMPTY", name, "Field must not be blank.") }
        return text
    }

    /// The idempotency key: 1 to 45 characters, fewer if some take several bytes.
    ///
    /// - Throws: ``Refusal``.
    func key() throws(Refusal) -> String {
        let key = try required("idempotency_key")
        guard key.utf8.count <= 45 else {
            throw wrong("VALUE_TOO_LONG", "idempotency_key", "Field must not be greater than 45 in length.")
        }
        return key
    }

    /// A truth value that may be missing.
    ///
    /// - Throws: ``Refusal``.
    func bool(_ name: String) throws(Refusal) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let bool = value.boolValue else { throw wrong("EXPECTED_BOOLEAN", name, "Expected a boolean value.") }
        return bool
    }

    /// An amount that may be missing, of `currency` if one is given.
    ///
    /// - Throws: ``Refusal``.
    func money(_ name: String, atLeast least: Int64 = 0, in currency: String? = nil) throws(Refusal) -> SquareAmount? {
        guard let value = value(name) else { return nil }
        guard value.objectValue != nil else { throw wrong("EXPECTED_OBJECT", name, "Expected an object.") }
        let fields = try SquareFields(value, in: "\(prefix)\(name).", knowing: ["amount", "currency"])
        guard let number = fields.value("amount") else { throw fields.missing("amount") }
        guard let amount = number.integerValue else {
            throw fields.wrong("EXPECTED_INTEGER", "amount", "Expected an integer value.")
        }
        guard amount >= least else {
            throw fields.wrong("VALUE_TOO_LOW", "amount", "`amount` must be greater than or equal to \(least).")
        }
        guard amount <= CommandReader.greatestAmount else {
            throw fields.wrong("VALUE_TOO_HIGH", "amount", "`amount` is greater than the supported maximum.")
        }
        let code = try fields.required("currency")
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw fields.wrong("INVALID_ENUM_VALUE", "currency", "The currency is not valid.")
        }
        guard currency ?? code == code else {
            throw fields.wrong("INVALID_VALUE", "currency", "The currency is not that of the payment.")
        }
        return SquareAmount(amount: amount, currency: code)
    }

    /// An amount that must be there.
    ///
    /// - Throws: ``Refusal``.
    func requiredMoney(_ name: String) throws(Refusal) -> SquareAmount {
        guard let money = try money(name, atLeast: 1) else { throw missing(name) }
        return money
    }

    /// Checks that what is there under a name is an object.
    ///
    /// - Throws: ``Refusal``.
    func object(_ name: String) throws(Refusal) {
        guard let value = value(name), value.objectValue == nil else { return }
        throw wrong("EXPECTED_OBJECT", name, "Expected an object.")
    }

    /// Whether a field is there, even as null.
    func contains(_ name: String) -> Bool { json[name] != nil }

    /// A refusal because of a field.
    func wrong(_ code: String, _ name: String, _ detail: String) -> Refusal {
        SquareErrorDocument.refusal(code, field: prefix + name, detail)
    }

    private func missing(_ name: String) -> Refusal {
        wrong("MISSING_REQUIRED_PARAMETER", name, "Missing required parameter.")
    }

    /// What stands under a name; nil if nothing does, or null.
    private func value(_ name: String) -> JSON? {
        guard let value = json[name], !value.isNull else { return .none }
        return value
    }
}

/// The body of a request to Square, and who sends it.
struct SquareBody: Sendable {
    let fields: SquareFields
    /// The seller whose access token was sent.
    let account: String

    /// Reads a request that may have a body.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's fields.
    ///   - isOptional: whether there need be no body.
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, knowing known: Set<String>, isOptional: Bool = false) throws(Refusal) {
        account = try Self.account(of: request)
        if isOptional, request.body.isEmpty {
            fields = try SquareFields(.object([]), knowing: known)
            return
        }
        guard request.header("Content-Type")?.lowercased().hasPrefix("application/json") ?? true else {
            throw SquareErrorDocument.refusal("INVALID_CONTENT_TYPE", "The content type must be application/json.")
        }
        guard let json = try? request.json(), json.objectValue != nil else {
            throw SquareErrorDocument.refusal("EXPECTED_JSON_BODY", "The request body is not a JSON object.")
        }
        fields = try SquareFields(json, knowing: known)
    }

    /// The seller whose access token a request has.
    ///
    /// - Throws: ``Refusal`` if there is none, or the version that is asked for is no date.
    static func account(of request: PSPRequest) throws(Refusal) -> String {
        let account = try AccountName(of: request).name
        if let version = request.header("Square-Version") {
            guard version.utf8.count == 10, SquareMoment.milliseconds(version + "T00:00:00Z") != nil else {
                throw SquareErrorDocument.refusal("INVALID_SQUARE_VERSION_FORMAT", "The Square-Version is not a date.")
            }
        }
        return account
    }
}

/// An amount in minor units and its currency's code, as Square's `Money`.
struct SquareAmount: Hashable, Sendable {
    let amount: Int64
    let currency: String

    /// The document.
    var json: JSON { ["amount": .integer(amount), "currency": .string(currency)] }
}
