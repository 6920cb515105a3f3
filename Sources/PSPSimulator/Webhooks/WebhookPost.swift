package import CurlTransport

/// A webhook as it is sent.
package struct WebhookPost: Hashable, Sendable {
    /// The fields of the head, `Content-Type` among them.
    package let headers: [HTTPHeader]
    /// The body.
    package let body: [UInt8]

    /// Makes a webhook.
    package init(headers: [HTTPHeader], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }
}
