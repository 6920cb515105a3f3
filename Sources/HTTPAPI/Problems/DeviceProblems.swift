/// Orders in Wallet: what devices and marketplaces do with them.
enum DeviceProblems {
    static let all: [ProblemCode] = [
        ProblemCode(
            "invalid_order_token",
            [401],
            "What a device shows opens no order in Wallet; unknown orders and names that are none look the same.",
            "Nothing; a device that was given an order has its token."
        ),
        ProblemCode(
            "too_many_devices",
            [429],
            "As many devices follow the order in Wallet as may.",
            "Nothing; a device that follows it no more makes room."
        ),
        ProblemCode(
            "wallet_package_unavailable",
            [503],
            "The order cannot be signed for Wallet at present.",
            "The operator puts a valid certificate where wallet_orders says; `tributary doctor` tells what is wrong."
        ),
        ProblemCode(
            "order_not_followed",
            [409],
            "The order was placed without a package for Wallet.",
            "Nothing; orders are followed that are placed while the marketplace declares wallet_orders."
        ),
        ProblemCode(
            "wallet_order_invalid",
            [422],
            "Wallet would not show the order as it was told: a text is too long, or not of its form.",
            "Mend what the detail names."
        ),
        ProblemCode(
            "wallet_orders_not_configured",
            [422],
            "The request has wallet_order, and the marketplace declares no wallet_orders.",
            "Leave it out, or have the operator declare wallet_orders."
        ),
    ]
}
