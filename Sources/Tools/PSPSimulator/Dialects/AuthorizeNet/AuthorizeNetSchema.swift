import StrictJSON

/// The requests of Authorize.Net's schema that the simulator answers (`AnetApiSchema.xsd`, 2026-02).
enum AuthorizeNetSchema {
    private typealias Place = AuthorizeNetParticle

    /// The elements of a request, in their order.
    static func places(of method: AuthorizeNetMethod) -> [AuthorizeNetParticle] { header + body(of: method) }

    private static func body(of method: AuthorizeNetMethod) -> [Place] {
        switch method {
        case .authenticateTest: []
        case .createTransaction: [Place("transactionRequest", .sequence(AuthorizeNetTransactionSchema.places)).required]
        case .getTransactionDetails: [Place("transId", .digits).required]
        case .getUnsettledTransactionList: [Place("status", .words(["any", "pendingApproval"]))] + pages
        case .getSettledBatchList:
            [
                Place("includeStatistics", .boolean), Place("firstSettlementDate", .moment),
                Place("lastSettlementDate", .moment),
            ]
        case .getTransactionList: [Place("batchId", .digits)] + pages
        case .getCustomerProfile:
            [
                Place("customerProfileId", .digits), .text("merchantCustomerId", 20), .text("email", 255),
                Place("unmaskExpirationDate", .boolean), Place("includeIssuerInfo", .boolean),
            ]
        case .deleteCustomerPaymentProfile:
            [Place("customerProfileId", .digits).required, Place("customerPaymentProfileId", .digits).required]
        }
    }

    private static let header: [Place] = [
        Place(
            "merchantAuthentication",
            .sequence([
                .text("name", 25),
                Place(anyOf: [
                    ("transactionKey", .text(0...16)), ("sessionToken", .anything), ("password", .text(0...40)),
                    ("impersonationAuthentication", .anything), ("fingerPrint", .anything), ("clientKey", .anything),
                    ("accessToken", .anything),
                ]).required,
                .text("mobileDeviceId", 60),
            ])
        ).required,
        .text("clientId", 30), .text("refId", 20),
    ]

    private static let pages: [Place] = [
        Place(
            "sorting",
            .sequence([
                Place("orderBy", .words(["id", "submitTimeUTC"])).required,
                Place("orderDescending", .boolean).required,
            ])
        ),
        Place(
            "paging",
            .sequence([
                Place("limit", .integer(1...1000)).required, Place("offset", .integer(1...100_000)).required,
            ])
        ),
    ]
}

/// What an element of Authorize.Net's schema may hold.
indirect enum AuthorizeNetContent: Sendable {
    /// Text of so many characters.
    case text(ClosedRange<Int>)
    /// A decimal number (`xs:decimal`).
    case decimal
    /// `true`, `false`, `1` or `0` (`xs:boolean`).
    case boolean
    /// A whole number within a range.
    case integer(ClosedRange<Int64>)
    /// One digit or more (`numericString`).
    case digits
    /// A date and a time of day (`xs:dateTime`).
    case moment
    /// One of some words.
    case words([String])
    /// Elements in an order.
    case sequence([AuthorizeNetParticle])
    /// Anything; the simulator does not look into it.
    case anything
}

/// A place in a sequence of elements: an element, or one of several.
struct AuthorizeNetParticle: Sendable {
    /// The elements that may stand here.
    let options: [(name: String, content: AuthorizeNetContent)]
    /// Whether one of them must stand here.
    var isRequired = false
    /// How many of them may stand here.
    var greatestCount = 1

    /// The place of one element that may be left out.
    init(_ name: String, _ content: AuthorizeNetContent) { options = [(name, content)] }

    /// The place of one of several elements.
    init(anyOf options: [(name: String, content: AuthorizeNetContent)]) { self.options = options }

    /// The place of an element with text of at most so many characters.
    static func text(_ name: String, _ limit: Int = .max) -> Self { Self(name, .text(0...limit)) }

    /// The same place, which may not be left empty.
    var required: Self {
        var copy = self
        copy.isRequired = true
        return copy
    }

    /// The same place for several elements of the name.
    func repeated(_ limit: Int = .max) -> Self {
        var copy = self
        copy.greatestCount = limit
        return copy
    }

    /// The elements' names.
    var names: [String] { options.map(\.name) }
}

/// The elements of `transactionRequestType` in Authorize.Net's schema (`AnetApiSchema.xsd`, 2026-02).
private enum AuthorizeNetTransactionSchema {
    private typealias Place = AuthorizeNetParticle

    /// The elements, in their order.
    static let places: [AuthorizeNetParticle] = money + goods + people + settings

    private static let money: [Place] = [
        .text("transactionType").required, Place("amount", .decimal), .text("currencyCode"),
        Place("payment", .sequence(payment)), Place("profile", .sequence(profile)),
        Place("solution", .sequence([.text("id").required, .text("name"), .text("vendorName")])),
        .text("callId"), .text("terminalNumber"), .text("authCode"), .text("refTransId"), .text("splitTenderId"),
    ]

    private static let profile: [Place] = [
        Place("createProfile", .boolean), Place("customerProfileId", .digits),
        Place("paymentProfile", .sequence([Place("paymentProfileId", .digits).required, .text("cardCode", 4)])),
        Place("shippingProfileId", .digits),
    ]

    private static let goods: [Place] = [
        Place("order", .sequence(order)),
        Place("lineItems", .sequence([Place("lineItem", .sequence(lineItem)).repeated()])),
        Place("tax", .sequence(extendedAmount)), Place("duty", .sequence(extendedAmount)),
        Place("shipping", .sequence(extendedAmount)), Place("taxExempt", .boolean), .text("poNumber"),
    ]

    private static let people: [Place] = [
        Place(
            "customer",
            .sequence([
                Place("type", .words(["individual", "business"])), .text("id", 20), .text("email", 255),
                Place("driversLicense", .anything), Place("taxId", .text(8...9)),
            ])
        ),
        Place("billTo", .sequence(address + [.text("phoneNumber", 25), .text("faxNumber", 25), .text("email")])),
        Place("shipTo", .sequence(address)), .text("customerIP"),
    ]

    private static let settings: [Place] = [
        Place(
            "cardholderAuthentication",
            .sequence([.text("authenticationIndicator").required, .text("cardholderAuthenticationValue").required])
        ),
        Place(
            "retail",
            .sequence([.text("marketType"), .text("deviceType"), .text("customerSignature"), .text("terminalNumber")])
        ),
        .text("employeeId"),
        Place(
            "transactionSettings",
            .sequence([
                Place("setting", .sequence([.text("settingName"), .text("settingValue")])).repeated()
            ])
        ),
        Place(
            "userFields",
            .sequence([Place("userField", .sequence([.text("name"), .text("value")])).repeated(20)])
        ),
        Place("surcharge", .sequence(extendedAmount)), .text("merchantDescriptor"),
        Place("subMerchant", .sequence(subMerchant)), Place("tip", .sequence(extendedAmount)),
        Place(
            "processingOptions",
            .sequence(
                ["isFirstRecurringPayment", "isFirstSubsequentAuth", "isSubsequentAuth", "isStoredCredentials"]
                    .map { Place($0, .boolean) }
            )
        ),
        Place(
            "subsequentAuthInformation",
            .sequence([
                .text("originalNetworkTransId", 255), Place("originalAuthAmount", .decimal),
                Place("reason", .words(["resubmission", "delayedCharge", "reauthorization", "noShow"])),
            ])
        ),
        Place("otherTax", .anything), Place("shipFrom", .sequence(address)),
        Place(
            "authorizationIndicatorType",
            .sequence([Place("authorizationIndicator", .words(["pre", "final"]))])
        ),
    ]

    private static let payment: [Place] = [
        Place(anyOf: [
            ("creditCard", .sequence(creditCard)), ("bankAccount", .anything), ("trackData", .anything),
            ("encryptedTrackData", .anything), ("payPal", .anything),
            (
                "opaqueData",
                .sequence([
                    .text("dataDescriptor").required, .text("dataValue").required, .text("dataKey"),
                    Place("expirationTimeStamp", .moment),
                ])
            ), ("emv", .anything),
        ]).required,
        .text("dataSource"),
    ]

    private static let creditCard: [Place] = [
        Place("cardNumber", .text(4...16)).required, Place("expirationDate", .text(4...7)).required,
        Place("cardCode", .text(3...4)), Place("isPaymentToken", .boolean), .text("cryptogram"),
        .text("tokenRequestorName"), .text("tokenRequestorId"), .text("tokenRequestorEci"),
    ]

    private static let order: [Place] = [
        .text("invoiceNumber", 20), .text("description", 255), Place("discountAmount", .decimal),
        Place("taxIsAfterDiscount", .boolean), .text("totalTaxTypeCode", 3),
        .text("purchaserVATRegistrationNumber", 21), .text("merchantVATRegistrationNumber", 21),
        .text("vatInvoiceReferenceNumber", 15), .text("purchaserCode", 17), .text("summaryCommodityCode", 4),
        .text("purchaseOrderDateUTC"), .text("supplierOrderReference", 25), .text("authorizedContactName", 36),
        .text("cardAcceptorRefNumber", 25), .text("amexDataTAA1", 40), .text("amexDataTAA2", 40),
        .text("amexDataTAA3", 40), .text("amexDataTAA4", 40),
    ]

    private static let lineItem: [Place] = [
        Place("itemId", .text(1...31)).required, Place("name", .text(1...31)).required, .text("description", 255),
        Place("quantity", .decimal).required, Place("unitPrice", .decimal).required, Place("taxable", .boolean),
        .text("unitOfMeasure", 12), .text("typeOfSupply", 2), Place("taxRate", .decimal),
        Place("taxAmount", .decimal), Place("nationalTax", .decimal), Place("localTax", .decimal),
        Place("vatRate", .decimal), .text("alternateTaxId", 20), .text("alternateTaxType", 4),
        .text("alternateTaxTypeApplied", 4), Place("alternateTaxRate", .decimal),
        Place("alternateTaxAmount", .decimal), Place("totalAmount", .decimal), .text("commodityCode", 15),
        .text("productCode", 30), .text("productSKU", 30), Place("discountRate", .decimal),
        Place("discountAmount", .decimal), Place("taxIncludedInTotal", .boolean),
        Place("taxIsAfterDiscount", .boolean),
    ]

    private static let extendedAmount: [Place] = [
        Place("amount", .decimal).required, .text("name", 31), .text("description", 255),
    ]

    private static let address: [Place] = [
        .text("firstName", 50), .text("lastName", 50), .text("company", 50), .text("address", 60), .text("city", 40),
        .text("state", 40), .text("zip", 20), .text("country", 60),
    ]

    private static let subMerchant: [Place] = [
        Place.text("identifier", 40).required, .text("doingBusinessAs", 50), .text("paymentServiceProviderName", 40),
        .text("paymentServiceFacilitator", 20), .text("streetAddress", 40), .text("phone", 20), .text("email", 40),
        .text("postalCode", 20), .text("city", 30), .text("regionCode", 10), .text("countryCode", 10),
    ]
}

/// Compares a request with Authorize.Net's schema, as its XML parser does once the JSON is XML.
///
/// The first thing that is wrong is refused as `E00003`, in the parser's words and without the value.
enum AuthorizeNetValidator {
    /// Reads the members of an element in the order of its places.
    ///
    /// - Throws: ``Refusal``.
    static func check(_ json: JSON, _ name: String, _ places: [AuthorizeNetParticle]) throws(Refusal) {
        guard let members = json.objectValue ?? (json.elementText == "" ? [] : nil) else {
            throw refusal("The element '\(name)' in namespace '\(namespace)' cannot contain text.")
        }
        var rest = places[...]
        for member in members {
            guard let index = rest.firstIndex(where: { $0.names.contains(member.key) }),
                rest[..<index].allSatisfy({ !$0.isRequired }),
                let content = rest[index].options.first(where: { $0.name == member.key })?.content
            else { throw invalid(child: member.key, of: name, rest) }
            let values = member.value.elements
            guard values.count <= rest[index].greatestCount else {
                throw invalid(child: member.key, of: name, rest[(index + 1)...])
            }
            for value in values { try check(value, member.key, content) }
            rest = rest[(index + 1)...]
        }
        guard rest.allSatisfy({ !$0.isRequired }) else {
            throw refusal(
                "The element '\(name)' in namespace '\(namespace)' has incomplete content.\(expectation(rest))"
            )
        }
    }

    private static func check(_ json: JSON, _ name: String, _ content: AuthorizeNetContent) throws(Refusal) {
        switch content {
        case .anything: return
        case .sequence(let places): return try check(json, name, places)
        default: break
        }
        guard let text = json.elementText else {
            throw refusal("The element '\(name)' cannot contain child elements, because its content is text.")
        }
        let length = text.utf16.count
        switch content {
        case .text(let range):
            guard length <= range.upperBound else {
                throw invalid(name, "String", "The actual length is greater than the MaxLength value.")
            }
            guard length >= range.lowerBound else {
                throw invalid(name, "String", "The actual length is less than the MinLength value.")
            }
        case .decimal:
            if !isDecimal(text) { throw invalid(name, "decimal", "The string is not a valid Decimal value.") }
        case .boolean:
            guard ["true", "false", "1", "0"].contains(text) else {
                throw invalid(name, "boolean", "The string is not a valid Boolean value.")
            }
        case .integer(let range):
            guard let number = Int64(text), range.contains(number) else {
                throw invalid(name, "int", "The string is not a valid Int32 value of its range.")
            }
        case .digits:
            guard !text.isEmpty, isDigits(text) else {
                throw invalid(name, "String", "The Pattern constraint failed.")
            }
        case .moment:
            guard AuthorizeNetDate.milliseconds(text) != nil else {
                throw invalid(name, "dateTime", "The string is not a valid DateTime value.")
            }
        case .words(let words):
            guard words.contains(text) else { throw invalid(name, "String", "The Enumeration constraint failed.") }
        case .sequence, .anything: return
        }
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A sign, digits and a point with digits, of which some must be there.
    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy(isDigits) && parts.contains { !$0.isEmpty }
    }

    private static let namespace = "AnetApi/xml/v1/schema/AnetApiSchema.xsd"

    private static func invalid(
        child: String,
        of name: String,
        _ rest: ArraySlice<AuthorizeNetParticle>
    ) -> Refusal {
        refusal(
            "The element '\(name)' in namespace '\(namespace)' has invalid child element '\(child.prefix(60))' in "
                + "namespace '\(namespace)'.\(expectation(rest))"
        )
    }

    private static func invalid(_ name: String, _ type: String, _ why: String) -> Refusal {
        refusal(
            "The '\(namespace):\(name)' element is invalid - The value XXXXX is invalid according to its datatype "
                + "'\(type)' - \(why)"
        )
    }

    /// What could have come: everything up to the first that must.
    private static func expectation(_ rest: ArraySlice<AuthorizeNetParticle>) -> String {
        let end = rest.firstIndex(where: \.isRequired).map { $0 + 1 } ?? rest.endIndex
        let names = rest[rest.startIndex..<end].flatMap(\.names)
        guard !names.isEmpty else { return "" }
        return " List of possible elements expected: '\(names.joined(separator: ", "))' in namespace '\(namespace)'."
    }

    private static func refusal(_ text: String) -> Refusal { Refusal(400, "E00003", text) }
}

/// JSON as the XML that Authorize.Net makes of it.
extension JSON {
    /// The text of the element; nil if it has elements of its own.
    var elementText: String? {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let text), .string(let text): text
        case .array, .object: nil
        }
    }

    /// The elements of one name: an array is several.
    var elements: [JSON] { arrayValue ?? [self] }

    /// The text of a member that is there and not empty.
    func filled(_ name: String) -> String? { self[name]?.elementText.flatMap { $0.isEmpty ? nil : $0 } }
}
