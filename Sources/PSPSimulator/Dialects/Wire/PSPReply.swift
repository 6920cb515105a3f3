package import StrictJSON

/// An answer as it stands on the wire.
package struct PSPReply: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    /// Fields beside `Content-Type`.
    package var headers: [(name: String, value: String)] {
        get { fields.map { ($0.name, $0.value) } }
        set { fields = newValue.map { Field(name: $0.name, value: $0.value) } }
    }
    /// The media type of the body.
    package var contentType: String
    /// The body.
    package var body: [UInt8]
    private var fields: [Field] = []

    private struct Field: Hashable {
        var name: String
        var value: String
    }

    /// Makes an answer of bytes.
    package init(_ status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// Makes an answer of JSON.
    package init(_ status: Int, _ json: JSON) {
        self.init(status, contentType: "application/json", body: json.bytes)
    }
}
