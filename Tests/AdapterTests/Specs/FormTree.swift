import AdapterKit

/// A form or query decoded as Stripe reads it: brackets nest, `a[b][0]=c`.
indirect enum FormTree: Hashable {
    case text(String)
    case object([String: FormTree])

    /// Decodes pairs; nil if a pair is malformed, or one name is both a value and an object, or occurs twice.
    init?(_ encoded: some StringProtocol) {
        var root: [String: FormTree] = [:]
        for pair in encoded.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.decoded(parts[0]), let value = Self.decoded(parts[1]),
                let path = Self.path(name), Self.insert(value, at: path[...], into: &root)
            else { return nil }
        }
        self = .object(root)
    }

    /// The value at a bracketed name, if it is text.
    subscript(name: String) -> String? {
        var node = self
        for key in Self.path(name) ?? [] {
            guard case .object(let members) = node, let next = members[key] else { return nil }
            node = next
        }
        guard case .text(let text) = node else { return nil }
        return text
    }

    private static func insert(
        _ value: String,
        at path: ArraySlice<String>,
        into node: inout [String: FormTree]
    ) -> Bool {
        guard let key = path.first else { return false }
        if path.count == 1 {
            guard node[key] == nil else { return false }
            node[key] = .text(value)
            return true
        }
        var members: [String: FormTree] = [:]
        switch node[key] {
        case .object(let present): members = present
        case .text: return false
        case nil: break
        }
        guard insert(value, at: path.dropFirst(), into: &members) else { return false }
        node[key] = .object(members)
        return true
    }

    private static func path(_ name: String) -> [String]? {
        let parts = name.split(separator: "[", omittingEmptySubsequences: false)
        guard let head = parts.first, !head.isEmpty, parts.dropFirst().allSatisfy({ $0.hasSuffix("]") && $0.count > 1 })
        else { return nil }
        return [String(head)] + parts.dropFirst().map { String($0.dropLast()) }
    }

    private static func decoded(_ text: Substring) -> String? { decoded(text.utf8) }

    private static func decoded(_ text: some StringProtocol) -> String? { decoded(text.utf8) }

    private static func decoded(_ encoded: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(encoded)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
            else { return nil }
            bytes.append(escaped)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
