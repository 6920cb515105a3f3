import Domain

extension Table {
    /// A row for each merchant.
    init(merchants: [Merchant]) {
        self.init("external_identifier", "name", "kind", "status", "commission", "psp_accounts", "id")
        for merchant in merchants {
            add(
                .text(merchant.externalIdentifier),
                .text(merchant.name),
                .text(merchant.kind.rawValue),
                .text(merchant.status.rawValue),
                .optional(merchant.commission.words),
                .text(merchant.routes.map(\.pspAccount).joined(separator: ", ")),
                .text(merchant.id.text)
            )
        }
    }

    /// A row for each route of a merchant, in order of preference.
    init(routesOf merchant: Merchant) {
        self.init(
            "psp_account",
            "merchant_account",
            "settles_to",
            "commission_by",
            "currencies",
            "wallets",
            "networks"
        )
        for route in merchant.routes {
            add(
                .text(route.pspAccount),
                .optional(route.merchantAccount),
                .text(route.settlesTo.rawValue),
                .optional(route.settlesTo == .merchant ? route.commissionBy.rawValue : nil),
                .text(Self.all(route.currencies)),
                .text(Self.all(route.wallets)),
                .text(Self.all(route.networks))
            )
        }
    }

    private static func all(_ names: [String]) -> String { names.isEmpty ? "all" : names.joined(separator: ", ") }
}

extension CommissionRule {
    /// The rule in short: `12.5% + 0.30 USD`; nil if nothing is kept.
    var words: String? {
        let rate = basisPoints == 0 ? [] : ["\(Self.percent(basisPoints))%"]
        let fixed = fixed.sorted { $0.key < $1.key }.map { "\(Self.major($0.value, $0.key)) \($0.key)" }
        let parts = rate + fixed
        return parts.isEmpty ? nil : parts.joined(separator: " + ")
    }

    private static func percent(_ basisPoints: Int64) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest != 0 else { return String(whole) }
        let digits = String(100 + rest).dropFirst()
        return "\(whole).\(digits.hasSuffix("0") ? digits.dropLast() : digits)"
    }

    private static func major(_ amount: Int64, _ code: String) -> String {
        Currency(code: code).map { Table.Cell.amount(amount, $0).shown } ?? String(amount)
    }
}
