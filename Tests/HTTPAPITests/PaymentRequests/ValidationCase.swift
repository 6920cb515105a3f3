import StrictJSON
import TributaryTestKit

/// A body of `POST /v1/payment-requests/validate` that may do, and the warning it gets.
struct ValidationCase: Sendable, CustomStringConvertible {
    let body: JSON
    let warning: String

    var description: String { warning }

    /// Apple's own request for the trip of ``PaymentRequestTests/trip``.
    static let apple: JSON = [
        "countryCode": "US", "currencyCode": "USD", "merchantCapabilities": ["supports3DS"],
        "supportedNetworks": ["visa"], "total": ["label": "Trip", "amount": "450.00"],
        "multiTokenContexts": [
            [
                "merchantIdentifier": "merchant.travel", "externalIdentifier": "airline", "merchantName": "Airline",
                "amount": "300.00",
            ],
            [
                "merchantIdentifier": "merchant.travel", "externalIdentifier": "hotel", "merchantName": "Hotel",
                "amount": "150.00",
            ],
        ],
    ]

    /// Bodies of both kinds.
    static let warned: [ValidationCase] = [
        .init(
            body: apple.with("multiTokenContexts/0/amount", "299.00"),
            warning: "/multiTokenContexts sum_below_total"
        ),
        .init(
            body: apple.with("supportedNetworks", ["visa", "nova"]),
            warning: "/supportedNetworks/1 unknown_value"
        ),
        .init(
            body: PaymentRequestTests.trip.with("amount", 45_001).with("residual", "uncharged"),
            warning: "/contexts sum_below_total"
        ),
        .init(
            body: PaymentRequestTests.trip.with("amount", 30_000).with("contexts/0/amount", 15_000),
            warning: "/contexts/1/amount ambiguous_if_signed"
        ),
        .init(
            body: PaymentRequestTests.trip.with("contexts/1", nil).with("amount", 30_000),
            warning: "/contexts single_context"
        ),
    ]
}
