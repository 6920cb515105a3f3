package import StrictJSON

/// Bodies of `POST /v1/orders` at ``TestMarketplace/travel``.
package enum OrderBody {
    /// A trip of an airline and a hotel, 450.00 USD in all, all or nothing.
    package static let trip: JSON = [
        "currency": "USD",
        "amount": 45_000,
        "policy": ["type": "all_or_nothing"],
        "contexts": [
            context("airline", 30_000, token: "tok_airline", at: "sim-a"),
            context("hotel", 15_000, token: "tok_hotel", at: "sim-b"),
        ],
    ]

    /// A context with a PSP's token of its own.
    package static func context(
        _ merchant: String,
        _ amount: Int64,
        token: String,
        at account: String
    ) -> JSON {
        [
            "external_identifier": .string(merchant), "amount": .integer(amount),
            "payment": ["type": "psp_token", "token": .string(token), "psp_account": .string(account)],
        ]
    }
}
