import StrictJSON

/// How an amount is shared among a platform's sub-entities.
struct CheckoutAllocations: Sendable {
    /// The shares as they came.
    let json: JSON
    /// The fixed commissions of the platform, in minor units; percentages are kept and not computed.
    let commission: Int64

    /// Reads `amount_allocations`; nil if there are none.
    ///
    /// - Parameters:
    ///   - body: the request's body.
    ///   - total: what they have to sum up to, in minor units; nil if the request names no amount.
    /// - Throws: ``Refusal``.
    init?(_ body: CheckoutBody, of total: Int64?) throws(Refusal) {
        guard let json = body["amount_allocations"] else { return nil }
        guard let shares = json.arrayValue, !shares.isEmpty else { throw Self.invalid("They are no list.") }
        var sum: Int64 = 0
        var commission: Int64 = 0
        for share in shares {
            let fields = try CheckoutBody(share, knowing: ["amount", "commission", "id", "reference"])
            guard let id = fields["id"]?.stringValue, id.hasPrefix("ent_"), id.utf8.count > 4 else {
                throw Self.invalid("A share has no sub-entity.")
            }
            guard let amount = try fields.amount() else { throw Self.invalid("A share has no amount.") }
            _ = try fields.text("reference", limit: 80)
            sum += amount
            commission += try Self.fixedCommission(fields, of: amount)
        }
        if let total, sum != total { throw Self.invalid("The shares are not the sum of the amount.") }
        self.json = json
        self.commission = commission
    }

    private static func fixedCommission(_ share: CheckoutBody, of amount: Int64) throws(Refusal) -> Int64 {
        guard let json = share["commission"] else { return 0 }
        let fields = try CheckoutBody(json, knowing: ["amount", "percentage"])
        switch fields["percentage"] {
        case nil, .number: break
        case .integer(let percentage) where 0...100 ~= percentage: break
        default: throw invalid("A commission's percentage is no number up to 100.")
        }
        guard let fixed = fields["amount"] else { return 0 }
        guard let commission = fixed.integerValue, 0...amount ~= commission else {
            throw invalid("A commission is more than its share.")
        }
        return commission
    }

    private static func invalid(_ why: String) -> Refusal { Refusal(422, "amount_allocations_invalid", why) }
}
