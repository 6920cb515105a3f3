import AdapterKit

/// A reply, or a request, as a file holds it: first line, header fields, an empty line, the body.
struct HTTPRecording {
    /// The words of the first line.
    let firstLine: [String]
    let headers: [Header]
    let body: [UInt8]

    /// Reads a file; nil if it is no recording.
    init?(message bytes: [UInt8]) {
        var rest = bytes[...]
        guard let line = Self.line(&rest) else { return nil }
        firstLine = line.split(separator: " ").map { String($0) }
        var headers: [Header] = []
        while let line = Self.line(&rest), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            headers.append(Header(String(parts[0]), String(parts[1].drop { $0 == " " })))
        }
        self.headers = headers
        body = Array(rest)
    }

    /// Reads a file with a reply; nil if it is none.
    init?(_ bytes: [UInt8]) {
        self.init(message: bytes)
        guard firstLine.count >= 2, firstLine[0].hasPrefix("HTTP/"), Int(firstLine[1]) != nil else { return nil }
    }

    /// The reply.
    var reply: WireReply { WireReply(status: Int(firstLine[1]) ?? 0, headers: headers, body: body) }

    /// Takes the next line off, without its end.
    private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        let isCarried = line.last == UInt8(ascii: "\r")
        return String(decoding: isCarried ? line.dropLast() : line, as: UTF8.self)
    }
}
