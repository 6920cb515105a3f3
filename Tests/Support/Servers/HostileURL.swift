package import HTTPTransport

/// A URL that a stranger might name to reach what is not theirs, and the rule that stops it before anything is
/// looked up.
package struct HostileURL: Sendable, CustomStringConvertible {
    /// The URL.
    package let text: String
    /// What refuses it.
    package let rule: DestinationRefusal

    package var description: String { text }

    /// All of them, more than a hundred.
    package static let all: [HostileURL] =
        plainAddresses + oddAddresses + wideAddresses + oddHosts + credentials + schemes + ports + characters

    private static func each(_ rule: DestinationRefusal, _ texts: String...) -> [HostileURL] {
        texts.map { HostileURL(text: $0, rule: rule) }
    }

    private static let plainAddresses =
        each(
            .address(.loopback),
            "https://127.0.0.1/",
            "https://127.255.255.254/hook",
            "HTTPS://127.0.0.1:8443/",
            "https://localhost/",
            "https://LOCALHOST:8443/",
            "https://internal.localhost/"
        )
        + each(.address(.unspecified), "https://0.0.0.0/", "https://0.1.2.3/")
        + each(
            .address(.privateUse),
            "https://10.0.0.1/",
            "https://172.16.0.1/",
            "https://172.31.255.255/",
            "https://192.168.1.1/"
        )
        + each(.address(.linkLocal), "https://169.254.169.254/latest/meta-data/", "https://169.254.170.2/")
        + each(.address(.carrierGradeNAT), "https://100.64.0.1/", "https://100.100.100.200/")
        + each(.address(.cloudPlatform), "https://168.63.129.16/")
        + each(.address(.multicast), "https://224.0.0.1/", "https://239.255.255.250/")
        + each(.address(.broadcast), "https://255.255.255.255/")
        + each(.address(.reserved), "https://240.0.0.1/", "https://192.0.0.192/")
        + each(.address(.documentation), "https://192.0.2.1/", "https://198.51.100.7/", "https://203.0.113.9/")
        + each(.address(.benchmark), "https://198.18.0.1/", "https://198.19.255.255/")

    private static let oddAddresses = each(
        .host,
        "https://2130706433/",
        "https://0177.0.0.1/",
        "https://0x7f.0.0.1/",
        "https://0x7f000001/",
        "https://017700000001/",
        "https://127.1/",
        "https://127.0.1/",
        "https://10.1/",
        "https://127.0.0.1./",
        "https://127.0.0.1../",
        "https://.127.0.0.1/",
        "https://127..0.1/",
        "https://127.0.0.01/",
        "https://127.0.0.1.1/",
        "https://127.0.0.256/",
        "https://4294967297/",
        "https://1/",
        "https://0/",
        "https://0x/",
        "https://hooks.0x7f/",
        "https://127%2e0%2e0%2e1/",
        "https://%31%32%37.0.0.1/",
        "https://127.0.0.1%00.hooks.example/",
        "https://+127.0.0.1/"
    )

    private static let wideAddresses =
        each(.address(.loopback), "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::0001]:8443/")
        + each(.address(.unspecified), "https://[::]/")
        + each(
            .address(.mapped),
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://[::FFFF:8.8.8.8]/"
        )
        + each(.address(.compatible), "https://[::127.0.0.1]/", "https://[::7f00:1]/")
        + each(
            .address(.translated),
            "https://[64:ff9b::7f00:1]/",
            "https://[64:ff9b:1::a00:1]/",
            "https://[::ffff:0:127.0.0.1]/"
        )
        + each(.address(.sixToFour), "https://[2002:7f00:1::]/", "https://192.88.99.1/")
        + each(.address(.teredo), "https://[2001::7f00:1]/")
        + each(.address(.uniqueLocal), "https://[fd00:ec2::254]/", "https://[fc00::1]/")
        + each(.address(.linkLocal), "https://[fe80::1]/")
        + each(.address(.siteLocal), "https://[fec0::1]/")
        + each(.address(.multicast), "https://[ff02::1]/")
        + each(.address(.documentation), "https://[2001:db8::1]/", "https://[3fff::1]/")
        + each(.address(.benchmark), "https://[2001:2::1]/")
        + each(.address(.discard), "https://[100::1]/")
        + each(.address(.reserved), "https://[4000::1]/", "https://[5f00::1]/", "https://[2001:10::1]/")

    private static let oddHosts = each(
        .host,
        "https://",
        "https:///etc/passwd",
        "https://./",
        "https://::1/",
        "https://hooks.example./",
        "https://hooks..example/",
        "https://-hooks.example/",
        "https://hooks-.example/",
        "https://hooks,example/",
        "https://hooks!.example/",
        "https://hooks.example%2f.elsewhere.example/",
        "https://[fe80::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[::1/",
        "https://[::1]elsewhere.example/",
        "https://[127.0.0.1]/",
        "https://[hooks.example]/",
        "https://[v1.a]/",
        "https://\(String(repeating: "a", count: 64)).example/",
        "https://\(String(repeating: "a.", count: 127))example/"
    )

    private static let credentials = each(
        .credentials,
        "https://user@hooks.example/",
        "https://user:word@hooks.example/",
        "https://@hooks.example/",
        "https://:@hooks.example/",
        "https://hooks.example@127.0.0.1/",
        "https://hooks.example:443@127.0.0.1/",
        "https://hooks.example%40127.0.0.1@127.0.0.1/",
        "https://127.0.0.1@hooks.example@10.0.0.1/"
    )

    private static let schemes = each(
        .scheme,
        "",
        "hooks.example",
        "//hooks.example/",
        "https:hooks.example",
        "https:/hooks.example",
        "http://hooks.example/",
        "http://127.0.0.1/",
        "http://localhost:8443/",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "gopher://hooks.example:443/",
        "dict://hooks.example:443/",
        "javascript:alert(1)",
        "ws://hooks.example/"
    )

    private static let ports = each(
        .port,
        "https://hooks.example:22/",
        "https://hooks.example:80/",
        "https://hooks.example:5432/",
        "https://127.0.0.1:6379/",
        "https://[::1]:9200/",
        "https://hooks.example:/",
        "https://hooks.example:0/",
        "https://hooks.example:0443/",
        "https://hooks.example:+443/",
        "https://hooks.example:65979/",
        "https://hooks.example:443:22/",
        "https://hooks.example:443a/"
    )

    private static let characters = each(
        .characters,
        "https://hooks.example\\@127.0.0.1/",
        "https:\\\\127.0.0.1/",
        "https://127.0.0.1\\.hooks.example/",
        " https://hooks.example/",
        "https://hooks.example/ ",
        "https://127.0.0.1\t/",
        "https://hooks.example/\r\nHost: 127.0.0.1",
        "https://hooks.example\u{0}.elsewhere.example/",
        "https://\u{FF11}\u{FF12}\u{FF17}.0.0.1/",
        "https://127\u{3002}0\u{3002}0\u{3002}1/",
        "https://\u{24DB}ocalhost/",
        "https://h\u{F6}\u{F6}ks.example/",
        "https://hooks.example/\u{7F}",
        "https://hooks.example/<script>",
        "https://hooks.example/\(String(repeating: "a", count: 2_048))"
    )
}
