import Domain

/// Where a PSP sends the buyer after a step of theirs.
package struct ReturnURL: Hashable, Sendable {
    /// The longest that a checkout may name, in bytes: PSPs take 1,024, of which ``addressing(_:of:)`` needs 76.
    package static let limit = 900

    /// The URL as the checkout named it.
    package let text: String

    /// Takes an https URL, or one of http on loopback, where shops are developed.
    ///
    /// - Parameter text: printable ASCII without spaces.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            text.hasPrefix("https://") || Self.isLoopback(text)
        else { return nil }
        self.text = text
    }

    /// The URL that the PSP is told for a payment: with `order` and `payment` behind the parameters of its query, before its
    /// fragment.
    static func addressing(_ text: String, _ payment: PaymentID, of order: OrderID) -> String {
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let head = text[..<end]
        let separator = !head.contains("?") ? "?" : head.hasSuffix("?") || head.hasSuffix("&") ? "" : "&"
        return "\(head)\(separator)order=\(order)&payment=\(payment)\(text[end...])"
    }

    private static func isLoopback(_ text: String) -> Bool {
        guard text.hasPrefix("http://") else { return false }
        let authority = text.dropFirst("http://".count).prefix { !"/?#\\".contains($0) }
        return ["localhost", "127.0.0.1", "[::1]"].contains { host in
            guard authority.hasPrefix(host) else { return false }
            let rest = authority.dropFirst(host.count)
            let port = rest.dropFirst()
            let isPort = port.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(port) != nil
            return rest.isEmpty || (rest.hasPrefix(":") && isPort)
        }
    }
}
