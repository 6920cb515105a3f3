import AdapterKit

/// A reply as a file holds it: status line, header fields, an empty line, the body.
struct HTTPRecording {
    let reply: WireReply

    /// Reads a file; nil if it is no recording.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let statusLine = Self.line(&rest), statusLine.hasPrefix("HTTP/"),
            let status = statusLine.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        var headers: [Header] = []
        while let line = Self.line(&rest), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            headers.append(Header(String(parts[0]), String(parts[1].drop { $0 == " " })))
        }
        reply = WireReply(status: status, headers: headers, body: Array(rest))
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
