import StrictJSON

/// What Worldpay's descriptions allow in a body, as far as the adapter's requests go; written after them by hand.
///
/// Stricter than the descriptions in one point: an object takes no member that it does not list.
indirect enum WorldpaySchema: Sendable {
    /// Members by name; those whose name ends in `?` may be absent.
    case object([String: WorldpaySchema])
    case integer(ClosedRange<Int64>)
    case boolean
    /// Text of a length that matches a pattern as a whole.
    case text(ClosedRange<Int>, String = ".*")
    case words(Set<String>)
    /// Any of several; the one with the fewest violations counts.
    case any([WorldpaySchema])

    /// What breaks the schema, each with the path of the field.
    func violations(_ json: JSON, at path: String = "$") throws -> [String] {
        switch (self, json) {
        case (.object(let members), .object(let given)): return try Self.violations(given, members, at: path)
        case (.integer(let range), .integer(let value)): return range ~= value ? [] : ["\(path) is out of range"]
        case (.boolean, .bool): return []
        case (.text(let length, let pattern), .string(let text)):
            guard length ~= text.unicodeScalars.count else { return ["\(path) has the wrong length"] }
            let regex = try Regex(pattern)
            return text.wholeMatch(of: regex) == nil ? ["\(path) has wrong characters"] : []
        case (.words(let words), .string(let text)): return words.contains(text) ? [] : ["\(path) is none of its words"]
        case (.any(let schemas), _):
            return try schemas.map { try $0.violations(json, at: path) }.min { $0.count < $1.count } ?? []
        default: return ["\(path) has the wrong type"]
        }
    }

    private static func violations(
        _ given: [JSON.Member],
        _ members: [String: WorldpaySchema],
        at path: String
    ) throws -> [String] {
        let names = Set(given.map(\.key))
        var found = members.keys.filter { !$0.hasSuffix("?") && !names.contains($0) }.sorted()
            .map { "\(path).\($0) is missing" }
        for member in given {
            let child = "\(path).\(member.key)"
            guard let schema = members[member.key] ?? members[member.key + "?"] else {
                found.append("\(child) is unknown")
                continue
            }
            found += try schema.violations(member.value, at: child)
        }
        return found
    }
}

extension WorldpaySchema {
    private static let reference = #"[-A-Za-z0-9_!@#$%()*=.:;?\[\]{}~`/+]*"#
    private static let narrative = "[a-zA-Z0-9 ,./-]*"

    /// `value`: 32 bits; 0 would be a verification of the card, no payment.
    static let value = WorldpaySchema.object([
        "currency": .text(3...3, "[A-Z]{3}"), "amount": .integer(1...Int64(Int32.max)),
    ])

    private static let expiryDate = WorldpaySchema.object([
        "month": .integer(1...12), "year": .integer(2000...9999),
    ])

    private static let billingAddress = WorldpaySchema.object([
        "address1": .text(1...80), "address2?": .text(1...80), "postalCode?": .text(1...15), "city": .text(1...50),
        "state?": .text(1...30), "countryCode": .text(2...2, "[A-Z]{2}"),
    ])

    private static let phone = WorldpaySchema.text(4...20, "[0-9]*")

    private static let customer = WorldpaySchema.object([
        "customerId?": .text(1...128), "firstName?": .text(1...22), "lastName?": .text(1...22), "phone?": phone,
        "email?": .text(1...128, ".+@.+"), "ipAddress?": .text(7...45),
    ])

    private static let shipping = WorldpaySchema.object([
        "firstName?": .text(1...22), "lastName?": .text(1...22), "phone?": phone,
        "address?": .object([
            "address1": .text(1...80), "address2?": .text(1...80), "postalCode": .text(1...15),
            "city": .text(1...50), "state?": .text(1...30), "countryCode": .text(2...2, "[A-Z]{2}"),
        ]),
    ])

    private static let instruments: [WorldpaySchema] = [
        .object([
            "type": .words(["encrypted"]), "walletToken": .text(1...100_000), "billingAddress?": billingAddress,
        ]),
        .object([
            "type": .words(["decrypted"]), "number": .text(12...19, "\\d+"), "cryptogram?": .text(1...40),
            "eci?": .text(2...2, "\\d{2}"), "expiryDate": expiryDate,
        ]),
        .object([
            "type": .words(["networkToken"]), "tokenNumber": .text(12...19, "\\d*"), "cryptogram?": .text(1...40),
            "eci?": .text(2...2, "\\d{2}"), "expiryDate": expiryDate, "billingAddress?": billingAddress,
        ]),
        .object([
            "type": .words(["checkout"]), "sessionHref": .text(1...4096, "https://.*"),
            "billingAddress?": billingAddress,
        ]),
        .object(["type": .words(["token"]), "href": .text(1...4096, "https://.*")]),
        .object(["type": .words(["token"]), "tokenId": .text(15...21, "[0-9A-HJ-NP-Z]*")]),
    ]

    /// `POST /api/payments`, Payments API 2024-06-01.
    static let payment = WorldpaySchema.object([
        "transactionReference": .text(1...64, reference),
        "orderReference?": .text(1...64, reference),
        "merchant": .object(["entity": .text(1...32, "([A-Za-z0-9]+[A-Za-z0-9 ]*)?")]),
        "channel?": .words(["ecom", "moto"]),
        "instruction": .object([
            "method": .words(["card", "applepay", "googlepay"]),
            "paymentInstrument": .any(instruments),
            "customerAgreement?": .any([
                .object([
                    "type": .words(["cardOnFile", "subscription"]),
                    "storedCardUsage": .words(["first", "subsequent"]), "schemeReference?": .text(1...56),
                ]),
                .object(["type": .words(["unscheduled"]), "schemeReference?": .text(1...56)]),
            ]),
            "narrative": .object(["line1": .text(1...24, narrative), "line2?": .text(1...24, narrative)]),
            "value": value,
            "settlement?": .object([
                "auto": .boolean,
                "cancelOn?": .object([
                    "cvcNotMatched?": .words(["enabled", "disabled"]),
                    "avsNotMatched?": .words(["enabled", "disabled"]),
                ]),
            ]),
            "customer?": customer, "shipping?": shipping,
        ]),
    ])

    /// Partial settlements and partial refunds of the Payments API, and of the Card Payments API 7, which alone says
    /// of which characters a reference is.
    static let part = WorldpaySchema.object([
        "reference": .text(1...128, "[-A-Za-z0-9]*"), "value": value,
        "sequence?": .object(["number": .integer(1...99), "total": .integer(1...99)]),
    ])
}
