import AdapterKit
import Domain
import Gateway
import NIOCore
import StrictJSON

/// Reads what an order says for the PSPs alone: who pays, and what is sold.
///
/// No violation repeats a value.
enum BuyerReader {
    /// An order's `buyer`; nothing of it has to be there.
    static func buyer(_ body: ObjectReader) -> BuyerDetails? {
        var buyer = BuyerDetails()
        buyer.name = text(body, "name", 100)
        buyer.email = body.parsed("email", .optional, expecting: "an email address", emailAddress)
        buyer.phone = body.parsed("phone", .optional, expecting: "a number in E.164, such as +4915112345678", phone)
        buyer.ip = body.parsed("ip", .optional, expecting: "an IPv4 or IPv6 address") {
            (try? SocketAddress(ipAddress: $0, port: 0)) == nil ? nil : $0
        }
        buyer.country = country(body, .optional)
        buyer.reference = body.string("reference", .optional, length: 1...64, by: TextRule.reference.accept)
        buyer.billingAddress = body.object("billing_address", .optional) { address($0) }
        buyer.shippingAddress = body.object("shipping_address", .optional) { body in
            let name = text(body, "name", 100)
            var address = address(body)
            address?.name = name
            return address
        }
        buyer.browser = body.object("browser", .optional) { browser($0) }
        return buyer
    }

    private static func address(_ body: ObjectReader) -> PostalAddress? {
        let line1 = text(body, "line1", 200)
        let line2 = text(body, "line2", 200)
        let city = text(body, "city", 100)
        let state = text(body, "state", 50)
        let postalCode = text(body, "postal_code", 20)
        return country(body, .required).map {
            PostalAddress(line1: line1, line2: line2, city: city, state: state, postalCode: postalCode, country: $0)
        }
    }

    /// The limits are those of EMV 3-D Secure 2, with its words in snake case.
    private static func browser(_ body: ObjectReader) -> BrowserDetails? {
        var browser = BrowserDetails()
        browser.acceptHeader = body.string("accept_header", .optional, length: 1...2048, by: TextRule.reference.accept)
        browser.userAgent = body.string("user_agent", .optional, length: 1...2048, by: TextRule.reference.accept)
        browser.language = body.parsed("language", .optional, expecting: "a language tag, such as de-DE", language)
        browser.colorDepth = body.integer("color_depth", .optional, in: 1...48)
        if let depth = browser.colorDepth, !colorDepths.contains(depth) {
            let words = colorDepths.map(String.init).joined(separator: ", ")
            body.refuse("color_depth", "not_allowed", "Must be one of \(words).")
        }
        browser.screenHeight = body.integer("screen_height", .optional, in: 0...999_999)
        browser.screenWidth = body.integer("screen_width", .optional, in: 0...999_999)
        browser.timeZoneOffset = body.integer("time_zone_offset", .optional, in: -840...840)
        browser.isJavaEnabled = body.bool("java_enabled", .optional)
        browser.isJavaScriptEnabled = body.bool("javascript_enabled", .optional)
        return browser
    }

    private static let colorDepths: [Int64] = [1, 4, 8, 15, 16, 24, 30, 32, 48]

    /// A context's `line_items`, and what each of them says in Wallet; empty if there are none or they are wrong.
    ///
    /// They come to no more than the context's amount without the tip and shipping that it states. Less is no error: shipping, tips and the like are no items.
    static func lineItems(
        _ body: ObjectReader,
        within amount: Int64?
    ) -> (items: [LineItem], inWallet: [OrderDraft.WalletOrder.Item]) {
        typealias Item = (LineItem, OrderDraft.WalletOrder.Item)
        let found = body.array("line_items", .optional, count: 1...100) { body -> Item? in
            let inWallet = body.walletItem()
            return lineItem(body).map { ($0, inWallet) }
        }
        guard let found else { return ([], []) }
        let items = found.map(\.0)
        guard let total = LineItem.total(of: items) else {
            body.refuse("line_items", "amount_overflow", "The items sum to more than any amount can be.")
            return ([], [])
        }
        if let amount, total > amount {
            body.refuse("line_items", "line_items_exceed_amount", "The items sum to more than the context's goods.")
        }
        return (items, found.map(\.1))
    }

    private static func lineItem(_ body: ObjectReader) -> LineItem? {
        let name = body.string("name", length: 1...255, by: TextRule.freeText.accept)
        let quantity = body.integer("quantity", in: 1...1_000_000)
        let unitAmount = body.integer("unit_amount", in: 0 ... .max)
        let taxAmount = body.integer("tax_amount", .optional, in: 0 ... .max)
        let product = body.string("product_code", .optional, length: 1...40, by: TextRule.reference.accept)
        let commodity = body.string("commodity_code", .optional, length: 1...15, by: TextRule.reference.accept)
        guard let name, let quantity, let unitAmount else { return nil }
        return LineItem(
            name: name,
            quantity: quantity,
            unitAmount: unitAmount,
            taxAmount: taxAmount,
            productCode: product,
            commodityCode: commodity
        )
    }

    private static func text(_ body: ObjectReader, _ key: String, _ limit: Int) -> String? {
        body.string(key, .optional, length: 1...limit, by: TextRule.freeText.accept)
    }

    private static func country(_ body: ObjectReader, _ presence: Presence) -> String? {
        body.parsed("country", presence, expecting: "an ISO 3166-1 alpha-2 code") {
            CountryCode.all.contains($0) ? $0 : nil
        }
    }

    /// A local part and a domain, 254 octets at most (RFC 5321, 4.5.3.1.3); more is for whoever delivers to it.
    private static func emailAddress(_ text: String) -> String? {
        guard text.utf8.count <= 254, TextRule.freeText.allows(text) else { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isWhole = parts.count >= 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
        return isWhole ? text : nil
    }

    /// `+`, a country code that does not begin with 0, 15 digits at most (ITU-T E.164, 6.2); fewer than 7 reach nobody.
    private static func phone(_ text: String) -> String? {
        let digits = text.utf8.dropFirst()
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return text.utf8.first == UInt8(ascii: "+") && 7...15 ~= digits.count && isNumber
            && digits.first != UInt8(ascii: "0") ? text : nil
    }

    /// Subtags of letters and digits with hyphens between them (RFC 5646, 2.1), 35 octets at most.
    private static func language(_ text: String) -> String? {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let areSubtags = subtags.allSatisfy { subtag in
            1...8 ~= subtag.count
                && subtag.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: false
                    }
                }
        }
        return areSubtags && text.utf8.count <= 35 ? text : nil
    }
}
