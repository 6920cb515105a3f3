import StrictJSON

/// One order of the demonstration.
enum DemoScenario: String, CaseIterable {
    /// Three merchants at two PSPs, all paid.
    case paidInFull = "paid_in_full"
    /// One of two is declined, and the other goes ahead.
    case partlyPaid = "partly_paid"
    /// One of three is declined, and the others are undone.
    case compensated
    /// A PSP acts and never answers.
    case pspTimeout = "psp_timeout"
    /// The gateway is killed while its requests are out.
    case gatewayKilled = "gateway_killed"

    /// What happens, for people.
    var title: String {
        switch self {
        case .paidInFull: "Three merchants at two PSPs are paid in full."
        case .partlyPaid: "One card is declined; under best_effort the other merchant is paid."
        case .compensated: "One card is declined; under all_or_nothing what the others held is released."
        case .pspTimeout: "A PSP takes the money and falls silent; the gateway asks again under the same key."
        case .gatewayKilled: "The gateway is killed while its requests are out; started again, it finds out."
        }
    }

    /// The status that the order comes to rest in.
    var ending: String {
        switch self {
        case .paidInFull, .pspTimeout, .gatewayKilled: "paid"
        case .partlyPaid: "partially_paid"
        case .compensated: "failed"
        }
    }

    /// The body of `POST /v1/orders`.
    var order: JSON {
        [
            "reference": .string("demo-" + rawValue.replacing("_", with: "-")),
            "currency": "USD",
            "amount": .integer(parts.reduce(0) { $0 + $1.amount }),
            "policy": ["type": self == .partlyPaid ? "best_effort" : "all_or_nothing"],
            "contexts": .array(parts.map(\.json)),
        ]
    }

    /// How many authorizations it asks for.
    var authorizations: Int { parts.count }

    private var parts: [Part] {
        switch self {
        case .paidInFull:
            [.airline("tok_approve"), .hotel("tok_approve"), .travel("tok_approve")]
        case .partlyPaid:
            [.airline("tok_approve"), .hotel("tok_decline_insufficient_funds")]
        case .compensated:
            [.airline("tok_approve"), .hotel("tok_decline_suspected_fraud"), .travel("tok_approve")]
        case .pspTimeout:
            [.airline("tok_timeout_after"), .hotel("tok_approve")]
        case .gatewayKilled:
            [.airline("tok_slow_2500"), .hotel("tok_slow_2500"), .travel("tok_approve")]
        }
    }
}

extension DemoScenario {
    /// What one merchant gets, and the simulator's token that pays it.
    private struct Part {
        let merchant: String
        let psp: DemoPSP
        let amount: Int64
        let token: String

        static func airline(_ token: String) -> Part {
            Part(merchant: "airline-1", psp: .alpha, amount: 30_000, token: token)
        }
        static func hotel(_ token: String) -> Part {
            Part(merchant: "hotel-7", psp: .beta, amount: 18_500, token: token)
        }
        static func travel(_ token: String) -> Part {
            Part(merchant: "travel", psp: .alpha, amount: 1500, token: token)
        }

        var json: JSON {
            [
                "external_identifier": .string(merchant),
                "amount": .integer(amount),
                "payment": [
                    "type": "psp_token", "token": .string(token), "psp_account": .string(psp.rawValue),
                ],
            ]
        }
    }
}

/// The two PSPs of the demonstration.
enum DemoPSP: String, CaseIterable {
    /// Where the airline and the marketplace have their account.
    case alpha
    /// Where the hotel has its account.
    case beta

    /// The variable that holds the account's key.
    var variable: String { "DEMO_\(rawValue.uppercased())_KEY" }

    /// The account's key: the simulator takes any, and names the account for it.
    var key: String { "key_" + rawValue }
}
