import StrictJSON

/// Where traces go, and how many of them.
package struct TracingSettings: Hashable, Sendable {
    /// The address at a collector that spans are posted to (OTLP over HTTP); nil for no traces.
    package var endpoint: String?
    /// The share of the traces that begin here which is recorded, 0 to 1.
    package var sampleRatio: Double = 1

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        endpoint = body.parsed("endpoint", .optional, expecting: Self.expectedEndpoint, Self.endpoint)
        sampleRatio = Self.ratio(body) ?? sampleRatio
    }

    private static let expectedEndpoint =
        "https:// and a host with a path, without query and user, or http:// and this machine: localhost, 127.0.0.1 or [::1]"

    /// The address of a collector: in plain `http` only on this machine, as all that is sent.
    private static func endpoint(_ text: String) -> String? {
        guard let url = PublicURL(text), url.text == text else { return nil }
        if text.hasPrefix("https://") { return text }
        let authority = text.dropFirst("http://".count).prefix { $0 != "/" }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(host) ? text : nil
    }

    /// A share, written as a number or, in a variable, as what is one.
    private static func ratio(_ body: ObjectReader) -> Double? {
        let key = "sample_ratio"
        guard let value = body.value(key, .optional) else { return nil }
        let ratio: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .number(let text): Double(text)
            default: nil
            }
        guard let ratio, (0...1).contains(ratio) else {
            body.refuse(key, "not_allowed", "Must be a number from 0 to 1.")
            return nil
        }
        return ratio
    }
}
