import StrictJSON

/// An endpoint that callbacks are delivered to.
package struct CallbackDeclaration: Hashable, Sendable {
    /// The address: https, or plain http to the loopback interface.
    package var url: String
    /// Where the signing secret is kept; nil if it is to be generated.
    package var secret: SecretReference?

    init?(_ body: ObjectReader, file: String) {
        let url = body.webAddress("url")
        secret = body.secretReference("secret", .optional, relativeTo: file)
        guard let url else { return nil }
        self.url = url
    }
}
