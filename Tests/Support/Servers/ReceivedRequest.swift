/// A whole request as the scripted server read it.
package struct ReceivedRequest: Hashable, Sendable {
    /// Which connection it came on, counted from zero.
    package let connection: Int
    /// The request line.
    package let line: String
    /// The header lines in order.
    package let headers: [String]
    /// The body, byte for byte.
    package let body: [UInt8]

    init(connection: Int, head: [UInt8], body: [UInt8]) {
        self.connection = connection
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
        line = lines.isEmpty ? "" : lines.removeFirst()
        headers = lines
        self.body = body
    }

    /// The value of the field with that name, compared without regard to case.
    package func header(_ name: String) -> String? {
        let start = name.lowercased() + ": "
        return headers.first { $0.lowercased().hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    static func bodyLength(inHead head: [UInt8]) -> Int {
        let lines = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
        let field = lines.first { $0.hasPrefix("content-length: ") }
        return field.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
    }
}
