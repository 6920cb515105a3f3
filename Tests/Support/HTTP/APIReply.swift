import HTTPTransport
package import StrictJSON

/// What the API answered.
package struct APIReply: Hashable, Sendable, CustomStringConvertible {
    /// The status.
    package let status: Int
    /// The body, byte for byte.
    package let bytes: [UInt8]
    private let reply: HTTPReply

    init(_ reply: HTTPReply) {
        status = reply.status
        bytes = reply.body
        self.reply = reply
    }

    /// The body as JSON; `null` if it is none.
    package var json: JSON { (try? JSON.parse(bytes, depthLimit: JSON.greatestDepthLimit)) ?? .null }

    /// The value of a field.
    package func header(_ name: String) -> String? { reply.header(name) }

    /// The code of a problem.
    package var code: String? { json["code"]?.stringValue }

    /// The violations of a problem, each as `pointer code`.
    package var errors: [String] { Self.lines(json["errors"]) }

    /// The warnings of an answer, each as `pointer code`.
    package var warnings: [String] { Self.lines(json["warnings"]) }

    /// Status and body.
    package var description: String { "\(status) \(String(decoding: bytes.prefix(2000), as: UTF8.self))" }

    private static func lines(_ list: JSON?) -> [String] {
        (list?.arrayValue ?? []).map { "\($0["pointer"]?.stringValue ?? "") \($0["code"]?.stringValue ?? "")" }
    }
}
