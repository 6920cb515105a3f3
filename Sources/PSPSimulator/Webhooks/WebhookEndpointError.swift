/// Why an endpoint for webhooks will not do.
package enum WebhookEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL is neither `http` nor `https`.
    case notAWebURL
    /// The URL leads to another machine, which the simulator has not been allowed.
    case notLoopback
    /// The secret is empty or not base 64.
    case unusableSecret

    /// A sentence without the URL and the secret.
    package var description: String {
        switch self {
        case .notAWebURL: "The webhook URL must begin with http:// or https://."
        case .notLoopback: "The webhook URL must lead to this machine."
        case .unusableSecret: "The webhook secret must be base 64, with or without whsec_ before it."
        }
    }
}
