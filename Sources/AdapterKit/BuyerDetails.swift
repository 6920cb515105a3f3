/// What must not reach a log, an error or a dump: every description of it is a mask.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// A mask.
    public var description: String { "•••" }
    /// A mask.
    public var debugDescription: String { "•••" }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a checkout knows of who pays: for 3-D Secure and for a PSP's risk checks, never for ours.
///
/// Personal data. It goes into the request that authorizes and stands nowhere else; every member may be missing.
public struct BuyerDetails: Hashable, Sendable, Redacted {
    /// The whole name.
    public var name: String?
    /// The email address.
    public var email: String?
    /// The phone number in E.164: `+` and up to 15 digits.
    public var phone: String?
    /// The IPv4 or IPv6 address.
    public var ip: String?
    /// The country of ISO 3166-1, alpha-2.
    public var country: String?
    /// The checkout's own name of the shopper.
    public var reference: String?
    /// Where the card's statements go.
    public var billingAddress: PostalAddress?
    /// Where the goods go, and to whom.
    public var shippingAddress: PostalAddress?
    /// The browser.
    public var browser: BrowserDetails?

    /// A buyer of whom nothing is known.
    public init() {}

    /// The name in the two parts that PSPs have: the last word, and all before it; nil for a name of one word.
    public var nameParts: (first: String, last: String)? { name.flatMap(Self.parts) }

    /// The email address if every PSP takes it for one: ASCII, with a domain of several labels (RFC 5321, 4.1.2).
    ///
    /// A PSP that checks addresses refuses the payment for another, and no payment is to fail for its buyer's address.
    public var plainEmail: String? {
        guard let email, let at = email.firstIndex(of: "@") else { return nil }
        let local = email[..<at].split(separator: ".", omittingEmptySubsequences: false)
        let domain = email[email.index(after: at)...].split(separator: ".", omittingEmptySubsequences: false)
        let isLocal = local.allSatisfy { Self.isWord($0, with: "!#$%&'*+/=?^_`{|}~-") }
        let isDomain = domain.allSatisfy { Self.isWord($0, with: "-") && $0.first != "-" && $0.last != "-" }
        let isTop = domain.last.map { $0.utf8.count > 1 && $0.utf8.allSatisfy { !(48...57).contains($0) } } ?? false
        return isLocal && isDomain && isTop && domain.count > 1 && email.utf8.prefix(upTo: at).count <= 64 ? email : nil
    }

    private static func isWord(_ text: Substring, with marks: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9": true
                default: marks.unicodeScalars.contains(scalar)
                }
            }
    }

    /// The phone number's country code with its `+`, and the rest of its digits.
    ///
    /// Country codes are 1, 7, the two digits below, and three of everything else (ITU-T E.164, list of assigned codes).
    public var phoneParts: (countryCode: String, number: String)? {
        guard let phone, phone.hasPrefix("+") else { return nil }
        let digits = phone.dropFirst()
        let length =
            switch digits.prefix(2) {
            case let two where two.hasPrefix("1") || two.hasPrefix("7"): 1
            case let two where Self.countryCodes.contains(String(two)): 2
            default: 3
            }
        guard digits.count > length else { return nil }
        return ("+" + digits.prefix(length), String(digits.dropFirst(length)))
    }

    private static let countryCodes: Set<String> = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48", "49",
        "51",
        "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84", "86",
        "90",
        "91", "92", "93", "94", "95", "98",
    ]

    static func parts(_ name: String) -> (first: String, last: String)? {
        let words = name.split(separator: " ")
        guard words.count > 1 else { return nil }
        return (words.dropLast().joined(separator: " "), String(words[words.count - 1]))
    }
}

/// A postal address, perhaps with who lives there.
public struct PostalAddress: Hashable, Sendable, Redacted {
    /// Who receives what is sent there; only on shipping addresses.
    public var name: String?
    /// Street and number.
    public var line1: String?
    /// Flat, floor or building.
    public var line2: String?
    /// The city or town.
    public var city: String?
    /// The state or province.
    public var state: String?
    /// The postal code.
    public var postalCode: String?
    /// The country of ISO 3166-1, alpha-2.
    public var country: String

    /// An address in a country.
    public init(
        name: String? = nil,
        line1: String? = nil,
        line2: String? = nil,
        city: String? = nil,
        state: String? = nil,
        postalCode: String? = nil,
        country: String
    ) {
        self.name = name
        self.line1 = line1
        self.line2 = line2
        self.city = city
        self.state = state
        self.postalCode = postalCode
        self.country = country
    }

    /// The name in the two parts that PSPs have, as ``BuyerDetails/nameParts``.
    public var nameParts: (first: String, last: String)? { name.flatMap(BuyerDetails.parts) }
}

/// A browser as EMV 3-D Secure 2 describes it (Protocol and Core Functions Specification, table A.1, "Browser …").
public struct BrowserDetails: Hashable, Sendable, Redacted {
    /// The header field `Accept`.
    public var acceptHeader: String?
    /// The header field `User-Agent`.
    public var userAgent: String?
    /// The language of BCP 47, `navigator.language`.
    public var language: String?
    /// The bits of a pixel: 1, 4, 8, 15, 16, 24, 30, 32 or 48.
    public var colorDepth: Int64?
    /// The screen's height in pixels.
    public var screenHeight: Int64?
    /// The screen's width in pixels.
    public var screenWidth: Int64?
    /// UTC less local time in minutes, `Date.getTimezoneOffset()`: -60 for UTC+1.
    public var timeZoneOffset: Int64?
    /// Whether it runs Java.
    public var isJavaEnabled: Bool?
    /// Whether it runs JavaScript.
    public var isJavaScriptEnabled: Bool?

    /// A browser of which nothing is known.
    public init() {}
}

/// Something that is sold, for processing at level 3 and for risk checks: nothing is booked of it.
public struct LineItem: Hashable, Sendable, Redacted {
    /// What it is.
    public var name: String
    /// How many, from 1.
    public var quantity: Int64
    /// The price of one without tax, in minor units.
    public var unitAmount: Int64
    /// The tax on all of them, in minor units; nil if nothing is said of tax.
    public var taxAmount: Int64?
    /// The seller's code of the product.
    public var productCode: String?
    /// The code of its kind, such as UNSPSC's.
    public var commodityCode: String?

    /// Makes an item.
    public init(
        name: String,
        quantity: Int64,
        unitAmount: Int64,
        taxAmount: Int64? = nil,
        productCode: String? = nil,
        commodityCode: String? = nil
    ) {
        self.name = name
        self.quantity = quantity
        self.unitAmount = unitAmount
        self.taxAmount = taxAmount
        self.productCode = productCode
        self.commodityCode = commodityCode
    }

    /// What it comes to with tax, in minor units; nil beyond 64 bits.
    public var total: Int64? {
        let (price, isTooMuch) = quantity.multipliedReportingOverflow(by: unitAmount)
        let (total, isTooMuchTaxed) = price.addingReportingOverflow(taxAmount ?? 0)
        return isTooMuch || isTooMuchTaxed ? nil : total
    }

    /// What items come to with tax, in minor units; nil beyond 64 bits.
    public static func total(of items: [LineItem]) -> Int64? {
        var sum: Int64 = 0
        for item in items {
            guard let total = item.total else { return nil }
            let (next, isTooMuch) = sum.addingReportingOverflow(total)
            guard !isTooMuch else { return nil }
            sum = next
        }
        return sum
    }
}

/// Text for a PSP's field.
extension String {
    /// The text as a field of `limit` characters takes it: the rest is cut off.
    public func cut(to limit: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) }

    /// The text if it has at most `limit` characters: a part of an address or a name of something would be another one.
    public func whole(within limit: Int) -> String? { unicodeScalars.count <= limit ? self : nil }
}
