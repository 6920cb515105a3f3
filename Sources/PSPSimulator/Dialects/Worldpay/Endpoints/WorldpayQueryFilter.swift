/// Which payments a query of a time finds.
struct WorldpayQueryFilter: Sendable {
    /// How many payments come before the page.
    let cursor: Int
    /// How many payments a page has at most.
    let pageSize: Int
    private let start: String
    private let end: String
    private let fields: [String: String]
    private let leastAmount: Int64
    private let greatestAmount: Int64

    /// Reads a query.
    ///
    /// - Throws: ``Refusal`` if it has no time, or a value is wrong.
    init(_ wire: PSPRequest) throws(Refusal) {
        guard let start = wire.query("startDate"), Self.isMoment(start) else { throw Self.invalid("StartDate") }
        guard let end = wire.query("endDate"), Self.isMoment(end) else { throw Self.invalid("EndDate") }
        self.start = start
        self.end = end
        let size = try Self.integer("pageSize", "PageSize", wire) ?? 20
        guard 1...300 ~= size else { throw Self.invalid("PageSize") }
        pageSize = Int(size)
        cursor = Int(try Self.integer("cursor", "Cursor", wire).map { min(max($0, 0), 1_000_000) } ?? 0)
        leastAmount = try Self.integer("minAmount", "MinAmount", wire) ?? 0
        greatestAmount = try Self.integer("maxAmount", "MaxAmount", wire) ?? .max
        fields = Dictionary(wire.query.map { ($0.name, $0.value) }) { first, _ in first }
        if let last4 = fields["last4Digits"], last4.utf8.count != 4 || Int(last4) == nil {
            throw Self.invalid("Last4Digits")
        }
    }

    /// Whether the query finds the payment.
    func takes(_ authorization: Authorization) -> Bool {
        let command = authorization.command
        let moment = Moment.text(authorization.createdAt) + "Z"
        guard start <= moment, moment <= end, leastAmount <= command.amount, command.amount <= greatestAmount,
            command.currency == fields["currency"] ?? command.currency,
            command.method.last4 == fields["last4Digits"] ?? command.method.last4
        else { return false }
        let entities = words("entityReferences")
        let events = words("receivedEvents")
        let names = WorldpayHistory(authorization).entries.map(\.name)
        return (entities.isEmpty || entities.contains(command.metadata["entity"] ?? ""))
            && (events.isEmpty || names.contains(where: events.contains))
    }

    private func words(_ name: String) -> [String] {
        (fields[name] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
    }

    /// A moment to the second, in UTC.
    private static func isMoment(_ text: String) -> Bool {
        let digits = text.map { $0.isASCII && $0.isNumber ? "0" : String($0) }.joined()
        return digits == "0000-00-00T00:00:00Z"
    }

    private static func integer(_ name: String, _ word: String, _ wire: PSPRequest) throws(Refusal) -> Int64? {
        guard let text = wire.query(name) else { return nil }
        guard let number = Int64(text) else { throw invalid(word) }
        return number
    }

    private static func invalid(_ word: String) -> Refusal {
        Refusal(400, "invalid" + word, "Provided value is missing or not valid.")
    }
}
