import AdapterKit

/// A reply, or a request, as a sample holds it: first line, header fields, an empty line, the body.
struct SampleMessage: Equatable {
    /// The words of the first line.
    var firstLine: [String]
    var headers: [Header]
    var body: [UInt8]

    /// Reads a file; nil if it is no message.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let line = Self.line(&rest) else { return nil }
        firstLine = line.split(separator: " ").map { String($0) }
        headers = []
        while let line = Self.line(&rest), !line.isEmpty {
            guard let header = Self.header(line) else { return nil }
            headers.append(header)
        }
        body = Array(rest)
    }

    /// Whether the first line is a reply's.
    var isReply: Bool { Self.isStatusLine(firstLine) }

    /// The reply.
    var reply: WireReply {
        WireReply(status: firstLine.count > 1 ? Int(firstLine[1]) ?? 0 : 0, headers: headers, body: body)
    }

    /// Whether these are the words of a reply's first line.
    static func isStatusLine(_ words: [String]) -> Bool {
        words.count >= 2 && words[0].hasPrefix("HTTP/") && Int(words[1]) != nil
    }

    /// Reads a header field; nil if the line is none.
    static func header(_ line: String) -> Header? {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return Header(String(parts[0]), String(parts[1].drop { $0 == " " }))
    }

    /// Takes the next line off, without its end.
    private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        let isCarried = line.last == UInt8(ascii: "\r")
        return String(decoding: isCarried ? line.dropLast() : line, as: UTF8.self)
    }
}
