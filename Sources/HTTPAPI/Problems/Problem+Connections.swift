import HTTPTypes

/// Connections that are refused or ended, in the words of the API.
extension Problem {
    /// Every connection is being served.
    static let tooManyConnections = Problem(
        status: .serviceUnavailable,
        code: "too_many_connections",
        detail: "As many connections are open as may be; send the request again with the same key.",
        retryAfterSeconds: 1
    )

    /// The head of a request did not come in time.
    static let headTooSlow = Problem(
        status: .requestTimeout,
        code: "head_too_slow",
        detail: "The head of the request did not come in time."
    )

    /// The body of a request did not come in time, or too slowly.
    static let bodyTooSlow = Problem(
        status: .requestTimeout,
        code: "body_too_slow",
        detail: "The body did not come in time; send the request again with the same key."
    )

    /// The request does not say for which host it is.
    static let hostInvalid = Problem(
        status: .badRequest,
        code: "host_invalid",
        detail: "Send exactly one Host field, with a host and perhaps a port."
    )
}
