/// Where a value stands in a document (RFC 6901): `/contexts/1/amount`; the whole document is the empty text.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The pointer's text.
    package let text: String

    /// The whole document.
    package static let root = JSONPointer(text: "")

    private init(text: String) { self.text = text }

    /// The member `key` of the object this points to.
    package func appending(_ key: String) -> JSONPointer { JSONPointer(text: text + Self.token(key)) }

    /// The element `index` of the array this points to.
    package func appending(_ index: Int) -> JSONPointer { JSONPointer(text: "\(text)/\(index)") }

    /// The text.
    package var description: String { text }

    /// A key as a reference token with its leading slash: `~` is written `~0` and `/` is written `~1`.
    static func token(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return "/" + key }
        var escaped: [UInt8] = [UInt8(ascii: "/")]
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "~"): escaped += [UInt8(ascii: "~"), UInt8(ascii: "0")]
            case UInt8(ascii: "/"): escaped += [UInt8(ascii: "~"), UInt8(ascii: "1")]
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
