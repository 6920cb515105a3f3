/// The elements of `transactionRequestType` in Authorize.Net's schema (`AnetApiSchema.xsd`, 2026-02).
enum AuthorizeNetTransactionSchema {
    private typealias Place = AuthorizeNetParticle

    /// The elements, in their order.
    static let places: [AuthorizeNetParticle] = money + goods + people + settings

    private static let money: [Place] = [
        .text("transactionType").required, Place("amount", .decimal), .text("currencyCode"),
        Place("payment", .sequence(payment)), Place("profile", .anything),
        Place("solution", .sequence([.text("id").required, .text("name"), .text("vendorName")])),
        .text("callId"), .text("terminalNumber"), .text("authCode"), .text("refTransId"), .text("splitTenderId"),
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
