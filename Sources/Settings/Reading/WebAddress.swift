/// Addresses that requests with secrets may go to.
enum WebAddress {
    /// Whether the text is an `https://` address, or `http://` to the loopback interface.
    ///
    /// User names, fragments, white space and control characters are refused.
    static func isAcceptable(_ text: String) -> Bool {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else { return false }
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { return false }
        let authority = text.dropFirst(isSecure ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
        guard let host = host(of: authority) else { return false }
        return isSecure || host == "localhost" || host == "127.0.0.1" || host == "[::1]"
    }

    /// The host of `host`, `host:port` or `[address]:port`; nil if there is none or the port is none.
    private static func host(of authority: Substring) -> Substring? {
        guard !authority.contains("@"), !authority.contains("\\") else { return nil }
        let host: Substring
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            host = authority[...bracket]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        let rest = authority[host.endIndex...]
        let isPort = rest.isEmpty || (rest.hasPrefix(":") && UInt16(rest.dropFirst()).map { $0 > 0 } ?? false)
        return host.isEmpty || !isPort ? nil : host
    }
}
