import StrictJSON

/// What a checkout asks for: parts at some shops of the bazaar.
struct Basket: Hashable, Sendable {
    /// The part at one shop.
    struct Item: Hashable, Sendable {
        /// The number of the shop.
        var shop: Int
        /// The amount in minor units.
        var amount: Int64
        /// The PSP's token, which says what becomes of it.
        var token: String
    }

    /// The parts.
    var items: [Item]
    /// The currency.
    var currency = "USD"
    /// The policy as the API takes it.
    var policy: JSON = ["type": "all_or_nothing"]
    /// Whether money is taken at once.
    var capture = "automatic"
    /// What happens when the deadline passes.
    var onDeadline = "continue"
    /// How long the checkout waits, in milliseconds.
    var deadlineMilliseconds: Int64 = 20_000

    /// A basket with one part for each token, at shop 0, shop 1, and so on.
    init(_ tokens: String...) { self.init(tokens: tokens) }

    /// A basket with one part for each token, at shop 0, shop 1, and so on, or from another shop on.
    init(tokens: [String], from first: Int = 0) {
        items = tokens.enumerated().map { number, token in
            Item(shop: first + number, amount: Int64(1000 + 501 * number), token: token)
        }
    }

    /// The sum of the parts.
    var amount: Int64 { items.reduce(0) { $0 + $1.amount } }

    /// The body of `POST /v1/orders`.
    func body(in bazaar: Bazaar, reference: String) -> JSON {
        var members = shared
        members += [
            .init("reference", .string(reference)), .init("amount", .integer(amount)),
            .init(
                "contexts",
                .array(
                    items.map { item in
                        [
                            "external_identifier": .string("shop-\(item.shop)"), "amount": .integer(item.amount),
                            "payment": [
                                "type": "psp_token", "token": .string(item.token),
                                "psp_account": .string(bazaar.account(ofShop: item.shop)),
                            ],
                        ]
                    }
                )
            ),
        ]
        return .object(members)
    }

    /// The same for a program that places one order by itself.
    func instruction(in bazaar: Bazaar) -> JSON {
        let contexts: [JSON] = items.map { item in
            [
                "external_identifier": .string("shop-\(item.shop)"), "amount": .integer(item.amount),
                "token": .string(item.token), "psp_account": .string(bazaar.account(ofShop: item.shop)),
            ]
        }
        return .object(shared + [.init("contexts", .array(contexts))])
    }

    private var shared: [JSON.Member] {
        [
            .init("currency", .string(currency)), .init("policy", policy),
            .init("capture", .string(capture)),
            .init("on_deadline", .string(onDeadline)),
            .init("deadline_ms", .integer(deadlineMilliseconds)),
        ]
    }
}
