import StrictJSON

/// Authorize.Net's schema, as far as our requests use it: the order of the elements, their lengths and their words.
///
/// Written by hand after the elements of `AnetApiSchema.xsd` that its own Java library (sdk-java, 2024-09) lists; it
/// has no licence that would let us copy it.
indirect enum AuthorizeNetSchema: Sendable {
    /// Text of so many characters, all of them allowed.
    case text(ClosedRange<Int>, @Sendable (Character) -> Bool)
    /// One of these words.
    case word(Set<String>)
    /// A truth value.
    case boolean
    /// A number.
    case integer(ClosedRange<Int64>)
    /// Elements in this order, of which some must be there.
    case object([(name: String, schema: AuthorizeNetSchema)], required: Set<String>)
    /// Several.
    case list(AuthorizeNetSchema)

    /// What a document breaks.
    func violations(_ json: JSON, at path: String = "") -> [String] {
        switch self {
        case .text(let length, let isAllowed):
            guard let text = json.stringValue else { return ["\(path) is no text"] }
            guard length.contains(text.unicodeScalars.count) else { return ["\(path) has the wrong length"] }
            return text.allSatisfy(isAllowed) ? [] : ["\(path) has a character that is not allowed"]
        case .word(let words): return json.stringValue.map(words.contains) == true ? [] : ["\(path) is no such word"]
        case .boolean: return json.boolValue == nil ? ["\(path) is no truth value"] : []
        case .integer(let range):
            return json.integerValue.map(range.contains) == true ? [] : ["\(path) is no such number"]
        case .list(let element):
            guard let list = json.arrayValue else { return ["\(path) is no list"] }
            return list.flatMap { element.violations($0, at: path) }
        case .object(let elements, let required):
            return Self.violations(json, elements, required, at: path)
        }
    }

    private static func violations(
        _ json: JSON,
        _ elements: [(name: String, schema: AuthorizeNetSchema)],
        _ required: Set<String>,
        at path: String
    ) -> [String] {
        guard let members = json.objectValue else { return ["\(path) is no object"] }
        var found = required.subtracting(members.map(\.key)).sorted().map { "\(path)/\($0) is missing" }
        var position = 0
        for member in members {
            guard let index = elements.firstIndex(where: { $0.name == member.key }) else {
                found.append("\(path)/\(member.key) is unknown")
                continue
            }
            if index < position { found.append("\(path)/\(member.key) is out of order") }
            position = max(position, index)
            found += elements[index].schema.violations(member.value, at: "\(path)/\(member.key)")
        }
        return found
    }
}

/// The requests.
extension AuthorizeNetSchema {
    /// Every request that the adapter makes, by its name.
    static let request = AuthorizeNetSchema.object(
        [
            ("createTransactionRequest", call([("transactionRequest", transaction)])),
            ("getTransactionDetailsRequest", call([("transId", number)])),
            ("getUnsettledTransactionListRequest", call([("sorting", sorting), ("paging", paging)])),
            (
                "getSettledBatchListRequest",
                call([("firstSettlementDate", any(20...24)), ("lastSettlementDate", any(20...24))])
            ),
            ("getCustomerProfileRequest", call([("merchantCustomerId", name)])),
            (
                "deleteCustomerPaymentProfileRequest",
                call([("customerProfileId", number), ("customerPaymentProfileId", number)])
            ),
            ("getTransactionListRequest", call([("batchId", number), ("sorting", sorting), ("paging", paging)])),
        ],
        required: []
    )

    private static func any(_ length: ClosedRange<Int>) -> AuthorizeNetSchema { .text(length) { _ in true } }
    private static let number = AuthorizeNetSchema.text(1...20) { $0.isASCII && $0.isNumber }
    private static let amount = AuthorizeNetSchema.text(4...15) { $0.isASCII && ($0.isNumber || $0 == ".") }
    /// "No symbols", says the reference of the invoice number.
    private static let name = AuthorizeNetSchema.text(1...20) { $0.isASCII && ($0.isNumber || $0.isLetter) }

    /// The elements that every request begins with.
    private static func call(_ elements: [(name: String, schema: AuthorizeNetSchema)]) -> AuthorizeNetSchema {
        let authentication = AuthorizeNetSchema.object(
            [("name", any(1...25)), ("transactionKey", any(1...16))],
            required: ["name", "transactionKey"]
        )
        return .object(
            [("merchantAuthentication", authentication), ("clientId", any(1...30)), ("refId", name)] + elements,
            required: Set(["merchantAuthentication"] + elements.map(\.name))
        )
    }

    private static let sorting = AuthorizeNetSchema.object(
        [("orderBy", .word(["id", "submitTimeUTC"])), ("orderDescending", .boolean)],
        required: ["orderBy", "orderDescending"]
    )
    private static let paging = AuthorizeNetSchema.object(
        [("limit", .integer(1...1000)), ("offset", .integer(1...100_000))],
        required: ["limit", "offset"]
    )

    private static let transaction = AuthorizeNetSchema.object(
        [
            (
                "transactionType",
                .word([
                    "authOnlyTransaction", "authCaptureTransaction", "priorAuthCaptureTransaction",
                    "refundTransaction", "voidTransaction",
                ])
            ),
            ("amount", amount), ("currencyCode", .text(3...3) { $0.isUppercase }), ("payment", payment),
            ("profile", profile), ("refTransId", number), ("order", order), ("lineItems", lineItems),
            ("customer", customer),
            ("billTo", address([("phoneNumber", any(0...25))])), ("shipTo", address([])),
            ("customerIP", any(7...15)), ("transactionSettings", settings),
            ("processingOptions", options), ("subsequentAuthInformation", information),
        ],
        required: ["transactionType"]
    )

    private static let profile = AuthorizeNetSchema.object(
        [
            ("createProfile", .boolean), ("customerProfileId", number),
            ("paymentProfile", .object([("paymentProfileId", number)], required: ["paymentProfileId"])),
        ],
        required: []
    )

    private static let options = AuthorizeNetSchema.object(
        ["isFirstRecurringPayment", "isFirstSubsequentAuth", "isSubsequentAuth", "isStoredCredentials"]
            .map { ($0, .boolean) },
        required: []
    )

    private static let information = AuthorizeNetSchema.object(
        [
            ("originalNetworkTransId", any(1...255)),
            ("reason", .word(["resubmission", "delayedCharge", "reauthorization", "noShow"])),
        ],
        required: []
    )

    private static let payment = AuthorizeNetSchema.object(
        [
            (
                "creditCard",
                .object(
                    [
                        ("cardNumber", .text(4...16) { $0.isASCII && $0.isNumber }),
                        ("expirationDate", any(4...7)), ("cardCode", any(3...4)), ("isPaymentToken", .boolean),
                        ("cryptogram", any(1...100)),
                    ],
                    required: ["cardNumber", "expirationDate"]
                )
            ),
            (
                "opaqueData",
                .object(
                    [
                        (
                            "dataDescriptor",
                            .word(["COMMON.ACCEPT.INAPP.PAYMENT", "COMMON.APPLE.INAPP.PAYMENT"])
                        ),
                        ("dataValue", any(1...8192)),
                    ],
                    required: ["dataDescriptor", "dataValue"]
                )
            ),
        ],
        required: []
    )

    private static let order = AuthorizeNetSchema.object(
        [("invoiceNumber", name), ("description", any(1...255))],
        required: ["invoiceNumber"]
    )

    private static let lineItems = AuthorizeNetSchema.object(
        [
            (
                "lineItem",
                .list(
                    .object(
                        [
                            ("itemId", any(1...31)), ("name", any(1...31)), ("quantity", any(1...20)),
                            ("unitPrice", any(1...20)), ("taxAmount", any(1...20)), ("commodityCode", any(0...15)),
                            ("productCode", any(0...30)),
                        ],
                        required: ["itemId", "name", "quantity", "unitPrice"]
                    )
                )
            )
        ],
        required: ["lineItem"]
    )

    private static let customer = AuthorizeNetSchema.object(
        [("id", any(0...20)), ("email", any(0...255))],
        required: []
    )

    private static func address(_ more: [(name: String, schema: AuthorizeNetSchema)]) -> AuthorizeNetSchema {
        .object(
            [
                ("firstName", any(0...50)), ("lastName", any(0...50)), ("address", any(0...60)),
                ("city", any(0...40)), ("state", any(0...40)), ("zip", any(0...20)), ("country", any(0...60)),
            ] + more,
            required: []
        )
    }

    private static let settings = AuthorizeNetSchema.object(
        [
            (
                "setting",
                .list(
                    .object(
                        [
                            ("settingName", .word(["allowPartialAuth", "duplicateWindow", "emailCustomer"])),
                            ("settingValue", any(1...10)),
                        ],
                        required: ["settingName", "settingValue"]
                    )
                )
            )
        ],
        required: ["setting"]
    )
}
