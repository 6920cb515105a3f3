import StrictJSON

/// A request to Worldpay with its headers checked, and who sends it.
struct WorldpayRequest: Sendable {
    /// The media type of Payment Queries.
    static let queries = "application/vnd.worldpay.payment-queries-v1.hal+json"
    private static let cardPayments = "application/vnd.worldpay.payments-v7+json"

    let wire: PSPRequest
    /// The account in the books: that of the user's name.
    let account: String
    private let api: WorldpayAPI

    /// Checks who sends a request, and its headers.
    ///
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, _ api: WorldpayAPI) throws(Refusal) {
        wire = request
        self.api = api
        guard let (user, password) = request.basic else { throw .unauthorized }
        account = try AccountName(key: user).name
        _ = try AccountName(key: password)
        switch api {
        case .payments: try expectVersion("2024-06-01", missing: 406)
        case .splitPayments: try expectVersion("2025-06-25", missing: 400)
        case .queries:
            guard request.header("Accept") == Self.queries else { throw Self.wrong(406, "Accept") }
        case .cardPayments:
            guard mediaType == Self.cardPayments else { throw Self.wrong(415, "Content-Type") }
            let kinds = [Self.cardPayments, "application/vnd.worldpay.payments-v7.hal+json"]
            guard let kind = request.header("Accept"), kinds.contains(kind) else { throw Self.wrong(406, "Accept") }
        }
    }

    /// Worldpay has no idempotency key.
    var requester: Requester { Requester(account: account, key: nil) }

    /// The link in the path.
    ///
    /// - Throws: ``Refusal/notFound`` if it is not one that Worldpay made for this.
    func link(_ action: WorldpayAction) throws(Refusal) -> WorldpayLink {
        guard let link = WorldpayLink(data: wire.parameter("link")), link.api == api, link.action == action else {
            throw .notFound
        }
        return link
    }

    /// The body, as JSON that is as it should be.
    ///
    /// - Throws: ``Refusal``.
    func body(_ field: WorldpayField) throws(Refusal) -> JSON {
        if api != .cardPayments {
            guard let mediaType else { throw Refusal(406, "headerIsMissing", "Content-Type") }
            guard mediaType == "application/json" else { throw Self.wrong(415, "Content-Type") }
        }
        let json = try wire.json()
        try field.check(json)
        return json
    }

    private var mediaType: String? {
        wire.header("Content-Type").map { $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() }
    }

    private func expectVersion(_ version: String, missing: Int) throws(Refusal) {
        guard let sent = wire.header("WP-Api-Version") else {
            throw Refusal(missing, "headerIsMissing", "WP-Api-Version")
        }
        guard sent == version else { throw Self.wrong(406, "WP-Api-Version") }
    }

    private static func wrong(_ status: Int, _ header: String) -> Refusal {
        Refusal(status, "headerHasInvalidValue", header)
    }
}

/// What a field of a request has to be.
indirect enum WorldpayField: Sendable {
    /// A text of so many characters, of these if they are restricted.
    case text(ClosedRange<Int>, of: Set<UInt8>? = nil)
    /// One of these words.
    case word(Set<String>)
    /// A whole number.
    case integer(ClosedRange<Int64>)
    /// `true` or `false`.
    case flag
    /// At least one of these.
    case array(WorldpayField)
    /// These fields and no others.
    case object([String: WorldpayField], required: Set<String> = [])
    /// Something that the simulator does not look into.
    case anything

    /// The ASCII digits.
    static let digits = Set("0123456789".utf8)
    /// The ASCII letters.
    static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// Digits, letters and the characters of `more`.
    static func plain(_ more: String) -> Set<UInt8> { digits.union(letters).union(more.utf8) }

    /// Checks a value.
    ///
    /// - Throws: ``Refusal`` whose code is the first violation in Worldpay's words and whose message is where it is,
    ///   as a JSONPath; never a value.
    func check(_ value: JSON, at path: String = "$") throws(Refusal) {
        if value.isNull { throw Self.violation("fieldIsNull", path) }
        switch self {
        case .text(let lengths, let alphabet): try Self.check(value, lengths, alphabet, path)
        case .word(let words):
            guard let text = value.stringValue else { throw Self.violation("fieldMustBeString", path) }
            guard words.contains(text) else { throw Self.violation("fieldHasInvalidValue", path) }
        case .integer(let range):
            guard let number = value.integerValue else { throw Self.violation("fieldMustBeInteger", path) }
            if number < range.lowerBound { throw Self.violation("numberIsTooSmall", path) }
            if number > range.upperBound { throw Self.violation("numberIsTooLarge", path) }
        case .flag: if value.boolValue == nil { throw Self.violation("fieldMustBeBoolean", path) }
        case .array(let field):
            guard let elements = value.arrayValue else { throw Self.violation("fieldMustBeArray", path) }
            guard !elements.isEmpty else { throw Self.violation("fieldIsEmpty", path) }
            for (index, element) in elements.enumerated() { try field.check(element, at: "\(path)[\(index)]") }
        case .object(let fields, let required): try Self.check(value, fields, required, path)
        case .anything: break
        }
    }

    /// A violation in Worldpay's words.
    static func violation(_ name: String, _ path: String) -> Refusal { Refusal(400, name, path) }

    private static func check(
        _ value: JSON,
        _ lengths: ClosedRange<Int>,
        _ alphabet: Set<UInt8>?,
        _ path: String
    ) throws(Refusal) {
        guard let text = value.stringValue else { throw violation("fieldMustBeString", path) }
        if text.isEmpty, lengths.lowerBound > 0 { throw violation("fieldIsEmpty", path) }
        if text.unicodeScalars.count < lengths.lowerBound { throw violation("stringIsTooShort", path) }
        if text.unicodeScalars.count > lengths.upperBound { throw violation("stringIsTooLong", path) }
        if let alphabet, !text.utf8.allSatisfy(alphabet.contains) { throw violation("stringFailedRegexCheck", path) }
    }

    private static func check(
        _ value: JSON,
        _ fields: [String: WorldpayField],
        _ required: Set<String>,
        _ path: String
    ) throws(Refusal) {
        guard let members = value.objectValue else { throw violation("fieldMustBeObject", path) }
        for name in required.sorted() where value[name] == nil { throw violation("fieldIsMissing", "\(path).\(name)") }
        for member in members {
            let inside = "\(path).\(member.key.prefix(60))"
            guard let field = fields[member.key] else { throw violation("fieldIsNotAllowed", inside) }
            try field.check(member.value, at: inside)
        }
    }
}

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
        let all: [String: WorldpayField] = ["type": .text(1...20), "billingAddress": address()]
        return .object(all.merging(fields) { _, own in own }, required: required.union(["type"]))
    }

    private static let phone = Self.text(4...20, of: digits)

    private static let customer = Self.object([
        "customerId": .text(1...128), "firstName": .text(1...22), "lastName": .text(1...22), "phone": phone,
        "dateOfBirth": .anything, "email": .text(1...128), "ipAddress": .text(1...45),
        "documentReference": .text(1...50, of: plain("-_/\\*~+.,&()")),
    ])

    private static let shipping = Self.object([
        "method": .anything, "timeFrame": .anything, "email": .text(1...128), "phone": phone,
        "firstName": .text(1...22), "lastName": .text(1...22), "address": address(demanding: ["postalCode"]),
    ])

    private static func address(demanding more: Set<String> = []) -> WorldpayField {
        .object(
            [
                "address1": .text(1...80), "address2": .text(1...80), "address3": .text(1...80),
                "postalCode": .text(1...15), "city": .text(1...50), "state": .text(1...30),
                "countryCode": .text(2...2, of: letters),
            ],
            required: more.union(["address1", "city", "countryCode"])
        )
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
            "threeDS": .anything, "exemption": .anything, "fraud": .anything, "customer": customer,
            "shipping": shipping, "customerAgreement": customerAgreement, "recipient": .anything,
            "fundsTransfer": .anything,
            "debtRepayment": .flag, "consumerBillPayment": .flag,
        ],
        required: ["method", "paymentInstrument", "narrative", "value"]
    )

    private static let customerAgreement = Self.object(
        [
            "type": .word(["subscription", "installment", "unscheduled", "cardOnFile"]),
            "storedCardUsage": .word(["first", "subsequent"]), "schemeReference": .text(1...56),
        ],
        required: ["type"]
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
