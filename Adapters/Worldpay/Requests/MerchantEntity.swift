import AdapterKit

/// The merchant entity that a payment is made under, which says whose contract with Worldpay it falls under.
struct MerchantEntity {
    let name: String

    /// The entity on the route, or the account's; nil if the one on the route cannot be one.
    init?(of call: Call, otherwise own: String) {
        name = call.merchantAccount ?? own
        guard Self.isValid(name) else { return nil }
    }

    /// Whether it is letters and digits, with spaces in between, at most 32 characters.
    static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, first != UInt8(ascii: " "), bytes.count <= 32 else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "):
                true
            default: false
            }
        }
    }
}
