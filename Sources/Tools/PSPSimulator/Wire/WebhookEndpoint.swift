package import HTTPTransport
package import StrictJSON

/// Where an account wants to hear of changes, and what its webhooks are signed with.
///
/// Its description leaves the secret out.
package struct WebhookEndpoint: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The account's name.
    package let account: String
    /// The URL that webhooks are posted to.
    package let url: String
    let secret: String

    /// Names an endpoint.
    ///
    /// - Parameters:
    ///   - account: the account whose changes are told.
    ///   - url: an `http` or `https` URL.
    ///   - secret: what the PSP's webhooks are signed with; of the simulator's own dialect base 64, with or without
    ///     `whsec_` before it.
    ///   - dialect: the PSP's wire format.
    /// - Throws: ``WebhookEndpointError``.
    package init(
        account: String,
        url: String,
        secret: String,
        dialect: any PSPDialect = SimulatorDialect()
    ) throws(WebhookEndpointError) {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { throw .notAWebURL }
        guard dialect.accepts(secret: secret) else { throw .unusableSecret }
        self.account = account
        self.url = url
        self.secret = secret
    }

    /// Whether the URL's host is `localhost` or a literal loopback address.
    var isLoopback: Bool {
        let afterScheme = url.drop { $0 != ":" }.dropFirst(3)
        let authority = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return false }
        let isBracketed = authority.hasPrefix("[")
        let host = isBracketed ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }

    /// The account and the URL.
    package var description: String { "webhooks of \(account) to \(url.prefix { $0 != "?" })" }
    /// No children, so that `dump` shows no secret.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why an endpoint for webhooks will not do.
package enum WebhookEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL is neither `http` nor `https`.
    case notAWebURL
    /// The URL leads to another machine, which the simulator has not been allowed.
    case notLoopback
    /// The secret is empty, or not written as the PSP's secrets are.
    case unusableSecret

    /// A sentence without the URL and the secret.
    package var description: String {
        switch self {
        case .notAWebURL: "The webhook URL must begin with http:// or https://."
        case .notLoopback: "The webhook URL must lead to this machine."
        case .unusableSecret: "The webhook secret is not one of this PSP's."
        }
    }
}

/// What a PSP tells in one `POST`, before it is signed.
package struct WebhookNotice: Hashable, Sendable {
    /// The PSP's name for it, the same whenever it is sent again.
    package let id: String
    /// What it says; a PSP that does not speak JSON keeps its text in a string.
    package let document: JSON

    /// Makes a notice.
    package init(id: String, _ document: JSON) {
        self.id = id
        self.document = document
    }

    /// The same news under another name, as a PSP tells it that takes it for another event.
    package func again(_ number: Int) -> WebhookNotice {
        let name = "\(id)\(number)"
        return WebhookNotice(id: name, document.replacing(id, by: name))
    }
}

extension JSON {
    /// The document with a text in place of another one, wherever it is a whole string.
    fileprivate func replacing(_ text: String, by other: String) -> JSON {
        switch self {
        case .string(text): .string(other)
        case .array(let elements): .array(elements.map { $0.replacing(text, by: other) })
        case .object(let members):
            .object(members.map { Member($0.key, $0.value.replacing(text, by: other)) })
        case .null, .bool, .integer, .number, .string: self
        }
    }
}

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
