import StrictJSON

/// The body of a request to Adyen, and who sends it.
struct AdyenBody: Sendable {
    let json: JSON
    let requester: Requester

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's fields.
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, knowing known: Set<String>) throws(Refusal) {
        guard ["v71", "v72"].contains(request.parameter("version")) else { throw .notFound }
        guard let key = request.header("X-API-Key") ?? request.basic?.password else { throw .unauthorized }
        _ = try Account(key: key)
        json = try request.json()
        guard let members = json.objectValue else { throw .invalid("The body is not an object.") }
        if let unknown = members.first(where: { !known.contains($0.key) }) {
            throw Refusal(400, "702", "The request contains the following unknown fields: [\(unknown.key.prefix(60))]")
        }
        guard let account = json["merchantAccount"]?.stringValue, !account.isEmpty, account.utf8.count <= 80 else {
            throw Refusal(403, "901", "Invalid Merchant Account")
        }
        requester = Requester(account: account, key: try request.key("Idempotency-Key", limit: 64))
    }

    /// A text.
    ///
    /// - Throws: ``Refusal`` if it is missing or too long.
    func text(_ name: String, limit: Int = 80) throws(Refusal) -> String {
        guard let text = json[name]?.stringValue, 1...limit ~= text.utf8.count else {
            throw .invalid("Required field '\(name)' is null, empty or too long.")
        }
        return text
    }

    /// The amount.
    ///
    /// - Throws: ``Refusal`` if it is missing or wrong.
    func amount() throws(Refusal) -> (value: Int64, currency: String) {
        guard let value = json["amount"]?["value"]?.integerValue, 1...CommandReader.greatestAmount ~= value else {
            throw Refusal(422, "137", "Invalid amount specified")
        }
        guard let currency = json["amount"]?["currency"]?.stringValue, currency.utf8.count == 3,
            currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { throw Refusal(422, "138", "Unsupported currency specified") }
        return (value, currency)
    }

    /// What the splits leave to the platform: the sum of the commissions; nil without splits.
    ///
    /// - Throws: ``Refusal`` if a split is not whole, or their amounts are not the sum.
    func commission(of total: Int64) throws(Refusal) -> Int64? {
        guard let splits = json["splits"]?.arrayValue, !splits.isEmpty else { return nil }
        var commission: Int64 = 0
        var sum: Int64 = 0
        for split in splits {
            let amount = split["amount"]?["value"]?.integerValue
            switch split["type"]?.stringValue {
            case "BalanceAccount":
                guard split["account"]?.stringValue != nil, split["reference"]?.stringValue != nil, amount != nil else {
                    throw .invalid("A split of type BalanceAccount needs account, amount and reference.")
                }
            case "Commission":
                guard let amount else { throw .invalid("A split of type Commission needs an amount.") }
                commission += amount
            case nil: throw .invalid("A split needs a type.")
            default: break
            }
            guard 0...CommandReader.greatestAmount ~= amount ?? 0 else { throw .invalid("Invalid split amount.") }
            sum += amount ?? 0
        }
        guard sum == total else { throw .invalid("The splits' amounts are not the sum of the amount.") }
        return commission
    }

    /// The caller's notes, at most 20.
    ///
    /// - Throws: ``Refusal``.
    func metadata() throws(Refusal) -> [String: String] {
        let notes = json["metadata"]?.objectValue ?? []
        guard notes.count <= 20 else { throw Refusal(422, "177", "Metadata size exceeds limit") }
        return Dictionary(notes.map { ($0.key, $0.value.stringValue ?? "") }) { first, _ in first }
    }
}
