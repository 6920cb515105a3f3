/// The bodies of the Payments API (version 2024-06-01) and of Card Payments (version 7).
///
/// From Worldpay's OpenAPI descriptions; what the simulator has no use for is not looked into.
extension WorldpayField {
    private static let marks = "-_!@#$%()*=.:;?[]{}~/+"
    private static let reference = Self.text(1...64, of: plain(marks + "`"))
    private static let spaced = plain(" ")
    private static let narrative = Self.text(1...24, of: plain(" ,./-"))
    private static let number = Self.text(12...19, of: digits)
    private static let expiry = Self.object(
        ["month": .integer(1...12), "year": .integer(2000...2099)],
        required: ["month", "year"]
    )
    private static let value = Self.object(
        [
            "currency": .text(3...3, of: Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)),
            "amount": .integer(1...Int64(Int32.max)), "acceptPartialAmount": .flag,
        ],
        required: ["currency", "amount"]
    )
    private static let sequence = Self.object(
        ["number": .integer(1...999), "total": .integer(1...999)],
        required: ["number", "total"]
    )

    /// `POST /api/payments`; amounts of 0, which check a card, and `tokenCreation` are not simulated.
    static let payment = Self.object(
        [
            "transactionReference": reference, "orderReference": .text(1...64, of: plain(marks)),
            "merchant": merchant, "instruction": instruction, "channel": .word(["ecom", "moto"]),
        ],
        required: ["transactionReference", "merchant", "instruction"]
    )

    /// `POST …/partialSettlements`.
    static let partialSettlement = Self.object(
        ["reference": .text(1...1000), "value": value, "sequence": sequence],
        required: ["reference", "value"]
    )

    /// `POST …/partialRefunds`.
    static let partialRefund = Self.object(
        ["reference": .text(1...1000), "value": value],
        required: ["reference", "value"]
    )

    /// `POST …/3dsDeviceData`.
    static let deviceData = Self.object(["collectionReference": .text(1...1000)])

    /// Card Payments' `POST /payments/settlements/partials/…` and `/payments/settlements/refunds/partials/…`.
    static let partialCardChange = Self.object(
        [
            "reference": .text(1...128, of: plain("-")), "value": value, "sequence": sequence, "merchant": .anything,
            "customer": .anything, "shipping": .anything, "order": .anything, "industryData": .anything,
        ],
        required: ["reference", "value"]
    )

    /// The instruments by their types.
    static let instruments: [String: WorldpayField] = [
        "plain": instrument(
            [
                "cardNumber": number, "cardHolderName": .text(1...255), "expiryDate": expiry,
                "cvc": .text(3...4, of: digits), "routing": .anything,
            ],
            required: ["cardNumber", "expiryDate"]
        ),
        "decrypted": instrument(
            [
                "number": number, "cryptogram": .text(1...40), "eci": .text(2...2, of: digits), "expiryDate": expiry,
            ],
            required: ["number", "expiryDate"]
        ),
        "encrypted": instrument(["walletToken": .text(1...20_000)], required: ["walletToken"]),
        "networkToken": instrument(
            [
                "tokenNumber": number, "cardHolderName": .text(1...255), "cryptogram": .text(1...40),
                "eci": .text(2...2, of: digits), "expiryDate": expiry,
            ],
            required: ["tokenNumber", "expiryDate"]
        ),
        "checkout": instrument(
            ["sessionHref": .text(1...2000), "cardHolderName": .text(1...255), "routing": .anything],
            required: ["sessionHref"]
        ),
        "delegate": instrument(["sessionHref": .text(1...2000)], required: ["sessionHref"]),
        "token": instrument(
            [
                "href": .text(1...2000), "tokenId": .text(15...21, of: plain("")), "namespace": .text(1...64),
                "cvc": .text(3...4, of: digits), "cvcSessionHref": .text(1...2000), "routing": .anything,
            ],
            required: []
        ),
    ]

    private static func instrument(_ fields: [String: WorldpayField], required: Set<String>) -> WorldpayField {
        let all: [String: WorldpayField] = ["type": .text(1...20), "billingAddress": .anything]
        return .object(all.merging(fields) { _, own in own }, required: required.union(["type"]))
    }

    private static let instruction = Self.object(
        [
            "method": .word(["card", "applepay", "googlepay"]), "paymentInstrument": .anything,
            "narrative": .object(["line1": narrative, "line2": narrative], required: ["line1"]), "value": value,
            "settlement": .object(
                [
                    "auto": .flag,
                    "cancelOn": .object([
                        "cvcNotMatched": .word(["enabled", "disabled"]),
                        "avsNotMatched": .word(["enabled", "disabled"]),
                    ]),
                ],
                required: ["auto"]
            ),
            "threeDS": .anything, "exemption": .anything, "fraud": .anything, "customer": .anything,
            "shipping": .anything, "customerAgreement": .anything, "recipient": .anything, "fundsTransfer": .anything,
            "debtRepayment": .flag, "consumerBillPayment": .flag,
        ],
        required: ["method", "paymentInstrument", "narrative", "value"]
    )

    private static let merchant = Self.object(
        [
            "entity": .text(1...32, of: spaced), "mcc": .text(4...4, of: digits),
            "paymentFacilitator": .object(
                [
                    "schemeId": .text(1...11, of: digits),
                    "independentSalesOrganizationId": .text(1...11, of: digits), "subMerchant": subMerchant,
                ],
                required: ["schemeId", "subMerchant"]
            ),
        ],
        required: ["entity"]
    )

    private static let subMerchant = Self.object(
        [
            "name": .text(1...25, of: spaced), "reference": .text(1...15, of: plain("")),
            "address": .object(
                [
                    "postalCode": .text(1...10, of: spaced), "street": .text(1...50, of: spaced),
                    "city": .text(1...13, of: letters.union(" -".utf8)), "state": .text(1...3, of: spaced),
                    "countryCode": .text(2...2, of: letters),
                ],
                required: ["postalCode", "street", "city", "countryCode"]
            ),
            "phoneNumber": .text(4...20, of: digits.union(" ()+-/.x".utf8)),
            "taxReference": .text(1...20, of: plain(" -")), "email": .text(1...40), "url": .text(1...255),
        ],
        required: ["name", "reference", "address"]
    )
}
