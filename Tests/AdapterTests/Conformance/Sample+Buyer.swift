import AdapterKit
import Domain
import StrictJSON

/// Authorizations that say all there is to say of the buyer.
extension Sample {
    /// What stands in ``buyer`` and in ``lineItems`` that nobody may read elsewhere.
    static let buyerTexts = [
        "Kvist", "anna.kvist", "15112345678", "203.0.113.7", "shopper-77", "Hafenstrasse", "Hinterhaus", "Storgatan",
        "Mozilla", "Window seat",
    ]

    static let buyer: BuyerDetails = {
        var buyer = BuyerDetails()
        (buyer.name, buyer.email) = ("Anna Maria Kvist", "anna.kvist@shop.example")
        (buyer.phone, buyer.ip) = ("+4915112345678", "203.0.113.7")
        (buyer.country, buyer.reference) = ("DE", "shopper-77")
        buyer.billingAddress = PostalAddress(
            line1: "Hafenstrasse 4",
            line2: "Hinterhaus",
            city: "Hamburg",
            state: "HH",
            postalCode: "20459",
            country: "DE"
        )
        buyer.shippingAddress = PostalAddress(
            name: "Bo Kvist",
            line1: "Storgatan 9",
            city: "Malmo",
            postalCode: "21142",
            country: "SE"
        )
        var browser = BrowserDetails()
        (browser.acceptHeader, browser.userAgent) = ("text/html", "Mozilla/5.0 (X11; Linux)")
        (browser.language, browser.colorDepth, browser.timeZoneOffset) = ("de-DE", 24, -120)
        (browser.screenHeight, browser.screenWidth) = (1080, 1920)
        (browser.isJavaEnabled, browser.isJavaScriptEnabled) = (false, true)
        buyer.browser = browser
        return buyer
    }()

    static let lineItems = [
        LineItem(
            name: "Window seat",
            quantity: 2,
            unitAmount: 3000,
            taxAmount: 500,
            productCode: "SEAT-1",
            commodityCode: "78111500"
        ), LineItem(name: "Meal", quantity: 1, unitAmount: 1250),
    ]

    /// An authorization with everything, or with what `change` makes of it.
    static func told(
        _ credential: Credential?,
        currency: String = "USD",
        _ change: (inout Call.Authorization) -> Void = { _ in }
    ) throws -> Call {
        var call = try call(.authorize, currency: currency)
        var authorization = Call.Authorization(
            credential: credential,
            returnURL: "https://shop.example/back",
            buyer: buyer,
            statementDescriptor: "HARBOUR*SEATS 77",
            lineItems: lineItems
        )
        change(&authorization)
        call.kind = .authorize(authorization)
        return call
    }

    /// The same authorization, which says nothing.
    static func silent(_ credential: Credential?, currency: String = "USD") throws -> Call {
        try told(credential, currency: currency) { authorization in
            (authorization.buyer, authorization.statementDescriptor, authorization.lineItems) = (nil, nil, [])
        }
    }
}

extension JSON {
    /// The members that another object has not, or has otherwise.
    func members(beyond other: JSON) -> JSON {
        .object((objectValue ?? []).filter { other[$0.key] != $0.value })
    }
}
