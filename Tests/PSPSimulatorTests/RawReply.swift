import StrictJSON

/// What came back on a connection until the server closed it.
struct RawReply: Sendable {
    let bytes: [UInt8]

    /// Everything as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The status of the first reply; nil if there was none.
    var status: Int? {
        let line = text.prefix { $0 != "\r\n" }.split(separator: " ")
        return line.count > 1 && line[0] == "HTTP/1.1" ? Int(line[1]) : nil
    }

    /// The text after the first head.
    var body: String {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return "" }
        return String(text[end.upperBound...])
    }

    /// The body, if it is JSON.
    var json: JSON? { try? JSON.parse(text: body) }

    /// The value of a field of the first head.
    func header(_ name: String) -> String? {
        let head = text.components(separatedBy: "\r\n").prefix { !$0.isEmpty }
        let field = head.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        return field.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
