/// A request's header fields in the notation of `CURLOPT_HTTPHEADER`.
enum HeaderLines {
    /// Fields that say how the message is framed: the transport writes them, or leaves them out.
    private static let ownNames: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Fields that libcurl would add by itself; a line without a value keeps it from doing so.
    private static let unwantedNames = ["Accept", "Content-Type", "Expect"]

    /// Checks the fields and writes them, those that libcurl must not add at the end.
    ///
    /// - Throws: `refusedHeader`, which names a field only if its name is one.
    static func lines(for headers: [HTTPHeader]) throws(TransportFailure) -> [String] {
        var lines: [String] = []
        var names: Set<String> = []
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(isTokenByte) else {
                throw refusal("a header field's name is not one")
            }
            guard !ownNames.contains(header.name.lowercased()) else {
                throw refusal("the header field \(header.name) is the transport's to write")
            }
            guard header.value.utf8.allSatisfy(isValueByte) else {
                throw refusal("the value of the header field \(header.name) holds a control character")
            }
            names.insert(header.name.lowercased())
            // libcurl reads "Name:" as "leave it out" and "Name;" as "send it empty".
            let isBlank = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isBlank ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        return lines + unwantedNames.filter { !names.contains($0.lowercased()) }.map { "\($0):" }
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isValueByte(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }

    private static func refusal(_ message: String) -> TransportFailure {
        TransportFailure(.refusedHeader, message, mayHaveArrived: false)
    }
}
