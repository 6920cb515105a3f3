import Domain
import Settings
import Testing

@Suite("Settings of TLS, proxies and rates")
struct EntranceSettingsTests {
    private func load(_ yaml: String) throws(InvalidConfiguration) -> ServerSettings {
        try ServerSettings.load(
            path: "conf/t.yaml",
            isRequired: true,
            surroundings: .literal(files: ["conf/t.yaml": yaml])
        )
    }

    @Test("are read, paths from the file's folder on")
    func reads() throws {
        let settings = try load(
            """
            tls: { certificate_file: server.pem, key_file: /run/server.key }
            trusted_proxies: [10.0.0.0/8, "::1"]
            proxy_field: forwarded
            rate_limits: { key_per_second: 0, key_burst: 1, address_per_second: 2, address_burst: 3, instances: 4 }
            """
        )
        #expect(settings.tls?.certificateFile == "conf/server.pem")
        #expect(settings.tls?.keyFile == "/run/server.key")
        #expect(settings.proxies.trusted == ["10.0.0.0/8", "::1"].compactMap { NetworkRange($0) })
        #expect(settings.proxies.field == .forwarded)
        let rates = settings.rateLimits
        #expect((rates.keyPerSecond, rates.keyBurst, rates.addressPerSecond) == (0, 1, 2))
        #expect((rates.addressBurst, rates.instances) == (3, 4))
    }

    @Test(
        "are refused by their names",
        arguments: [
            ("tls: { certificate_file: a.pem }", "missing_field tls.key_file"),
            ("tls: { key_file: a.key }", "missing_field tls.certificate_file"),
            ("trusted_proxies: [10.0.0.1/8]", "not_allowed trusted_proxies[0]"),
            ("proxy_field: via", "not_allowed proxy_field"),
            ("rate_limits: { instances: 0 }", "out_of_range rate_limits.instances"),
            ("rate_limits: { key_burst: 0 }", "out_of_range rate_limits.key_burst"),
            ("rate_limits: { per_key: 1 }", "unknown_field rate_limits.per_key"),
        ]
    )
    func refused(yaml: String, problem: String) throws {
        let error = try #require(throws: InvalidConfiguration.self) { try load(yaml) }
        #expect(error.summary.count == 1)
        #expect(error.summary.first?.hasSuffix(" " + problem) == true, "\(error.summary)")
    }
}
