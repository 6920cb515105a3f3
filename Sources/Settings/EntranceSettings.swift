package import Domain
import StrictJSON

/// What the server shows of itself over TLS.
package struct TLSSettings: Hashable, Sendable {
    /// Where the certificate is, in PEM, with those between it and its authority behind it.
    package var certificateFile: String
    /// Where its private key is, in PEM.
    package var keyFile: String

    init?(_ body: ObjectReader, file: String) {
        let certificate = Self.path("certificate_file", body, relativeTo: file)
        let key = Self.path("key_file", body, relativeTo: file)
        for (given, other) in [(certificate, "key_file"), (key, "certificate_file")]
        where given != nil && !body.contains(other) {
            body.refuse(other, "missing_field", "A certificate and its key belong together: give both, or neither.")
        }
        guard let certificate, let key else { return nil }
        (certificateFile, keyFile) = (certificate, key)
    }

    /// A path; a relative one starts at the folder of the file that names it.
    private static func path(_ key: String, _ body: ObjectReader, relativeTo file: String) -> String? {
        body.parsed(key, .optional, expecting: "the path of a file, at most 255 bytes") { text in
            guard text.utf8.count <= 255, case .file(let path)? = SecretReference("file:" + text, relativeTo: file)
            else { return nil }
            return path
        }
    }
}

/// Whose word on addresses is taken.
package struct ProxySettings: Hashable, Sendable {
    /// The field in which proxies say for whom they ask.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        /// `X-Forwarded-For`.
        case xForwardedFor = "x-forwarded-for"
        /// `Forwarded` (RFC 7239).
        case forwarded
    }

    /// The addresses of the proxies; none is trusted if there are none.
    package var trusted: [NetworkRange] = []
    /// The field that they write.
    package var field: Field = .xForwardedFor

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        trusted =
            body.strings(
                "trusted_proxies",
                .optional,
                count: 1...100,
                expecting: NetworkRange.expected,
                NetworkRange.init
            )
            ?? trusted
        field = body.choice("proxy_field", .optional) ?? field
    }
}

/// How many requests are answered of one key and of one address, at all instances together.
package struct RateLimitSettings: Hashable, Sendable {
    /// How many of one key each second; 0 for no limit.
    package var keyPerSecond: Int = 1000
    /// How many of one key at once, after a pause.
    package var keyBurst: Int = 2000
    /// How many without a valid key of one address each second; 0 for no limit.
    package var addressPerSecond: Int = 50
    /// How many without a valid key of one address at once, after a pause.
    package var addressBurst: Int = 500
    /// How many instances share the limits; each has its part.
    package var instances: Int = 1

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        let (rates, bursts): (ClosedRange<Int64>, ClosedRange<Int64>) = (0...1_000_000, 1...10_000_000)
        keyPerSecond = body.integer("key_per_second", .optional, in: rates).map { Int($0) } ?? keyPerSecond
        keyBurst = body.integer("key_burst", .optional, in: bursts).map { Int($0) } ?? keyBurst
        addressPerSecond = body.integer("address_per_second", .optional, in: rates).map { Int($0) } ?? addressPerSecond
        addressBurst = body.integer("address_burst", .optional, in: bursts).map { Int($0) } ?? addressBurst
        instances = body.integer("instances", .optional, in: 1...1000).map { Int($0) } ?? instances
    }
}
