/// A merchant's place at Adyen: its balance account, and the store it sells through.
///
/// Written as `BA…` or `BA…/store`, the store being its reference in Adyen's Management API (letters, digits, `-`, `_`).
struct Submerchant: Hashable {
    /// The longest text, which still fits our references at Adyen (80 characters) behind an identifier.
    static let lengthLimit = 49

    /// The balance account's identifier.
    let balanceAccount: String
    /// The store's reference.
    let store: String?

    /// Reads the text; nil if it is no balance account.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let isStore = parts.dropFirst().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isStoreCharacter) }
        guard text.utf8.count <= Self.lengthLimit, isStore, parts[0].hasPrefix("BA"), parts[0].utf8.count > 2,
            parts[0].utf8.allSatisfy(Self.isLetterOrDigit)
        else { return nil }
        balanceAccount = String(parts[0])
        store = parts.count == 2 ? String(parts[1]) : nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isStoreCharacter(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
