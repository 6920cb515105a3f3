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
