import Testing
import TributaryTestKit

@testable import HTTPTransport

/// The public server stands on 127.0.0.2, which the policy takes for public, and the internal one on 127.0.0.1 at
/// the same port, so that one URL leads to either as its name is resolved.
@Suite("A request to a URL that a stranger named", .timeLimit(.minutes(10)))
struct VettedRequestTests {
    private static let hostName = "elsewhere.example"
    private static let publicAddress = "127.0.0.2"
    private static let internalAddress = "127.0.0.1"
    private static let refusedLoopback = Verdict(.refusedAddress, mayHaveArrived: false)

    /// An address of each kind of range.
    private static let hostileAnswers: [(String, SpecialRange)] = [
        ("127.0.0.1", .loopback), ("127.9.9.9", .loopback), ("0.0.0.0", .unspecified), ("10.1.2.3", .privateUse),
        ("172.20.0.1", .privateUse), ("192.168.0.1", .privateUse), ("169.254.169.254", .linkLocal),
        ("100.64.0.1", .carrierGradeNAT), ("168.63.129.16", .cloudPlatform), ("192.0.0.170", .reserved),
        ("198.18.0.1", .benchmark), ("203.0.113.1", .documentation), ("192.88.99.1", .sixToFour),
        ("224.0.0.1", .multicast), ("240.0.0.1", .reserved), ("255.255.255.255", .broadcast),
        ("[::1]", .loopback), ("[::]", .unspecified), ("[::7f00:1]", .compatible), ("[::ffff:127.0.0.1]", .mapped),
        ("[64:ff9b::7f00:1]", .translated), ("[64:ff9b:1::1]", .translated), ("[2002:7f00:1::]", .sixToFour),
        ("[2001::1]", .teredo), ("[2001:2::1]", .benchmark), ("[2001:db8::1]", .documentation),
        ("[fd00::1]", .uniqueLocal), ("[fe80::1]", .linkLocal), ("[fec0::1]", .siteLocal), ("[ff02::1]", .multicast),
        ("[100::1]", .discard), ("[4000::1]", .reserved),
    ]

    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test("is never sent where the URL is hostile, and says by which rule")
    func hostileURLs() async {
        await withTransport { transport in
            for url in HostileURL.all {
                let request = HTTPRequest(.post, url.text, body: [1]).with {
                    $0.destination = .vetted(AddressPolicy())
                    $0.allowPlainHTTPToLoopback = true
                }
                let result = await transport.send(request)
                #expect(result.failure == url.rule.failure, "\(url.text): \(result)")
                #expect(result.failure?.mayHaveArrived == false)
            }
        }
    }

    @Test("is not connected to an address that its name should not have", arguments: hostileAnswers)
    func hostileAnswer(_ address: String, _ range: SpecialRange) async {
        let result = await withTransport { transport in
            await transport.send(request(to: 443, resolvedTo: address, AddressPolicy()))
        }
        #expect(result.verdict == Self.refusedLoopback, "\(result)")
        #expect(result.failure?.message == "the host's address is not public: \(range.rawValue)")
    }

    @Test("goes to an allowed host, and no more once its name leads elsewhere")
    func rebinding() async throws {
        try await withServers { open, inside, transport in
            let policy = policy(port: open.port)
            let first = await transport.send(request(to: open.port, resolvedTo: Self.publicAddress, policy))
            #expect(first.reply?.body == Array("paid".utf8), "\(first)")
            let request = request(to: open.port, resolvedTo: Self.internalAddress, policy)
            #expect(await transport.send(request).verdict == Self.refusedLoopback)
            #expect(inside.connections == 0)
            // The same without the guard does reach the internal server.
            _ = await transport.send(request.with { $0.destination = .trusted })
            #expect(inside.connections == 1)
        }
    }

    @Test(
        "passes over the refused addresses of a name that has allowed ones too",
        arguments: [
            "\(internalAddress),\(publicAddress)", "\(publicAddress),\(internalAddress)",
            "[::1],10.0.0.1,\(publicAddress)",
        ]
    )
    func mixedAnswer(_ answer: String) async throws {
        try await withServers { open, inside, transport in
            let result = await transport.send(request(to: open.port, resolvedTo: answer, policy(port: open.port)))
            #expect(result.reply?.status == 200, "\(result)")
            #expect(inside.connections == 0)
        }
    }

    @Test("uses no connection that was made without the guard")
    func noReuse() async throws {
        try await withServers { open, _, transport in
            let vetted = request(to: open.port, resolvedTo: Self.publicAddress, policy(port: open.port))
            let trusted = await transport.send(vetted.with { $0.destination = .trusted })
            #expect(trusted.reply?.status == 200, "\(trusted)")
            let strict = AddressPolicy(ports: [open.port])
            let result = await transport.send(vetted.with { $0.destination = .vetted(strict) })
            #expect(result.verdict == Self.refusedLoopback)
            #expect(open.transcript.ranges(of: "POST").count == 1)
        }
    }

    @Test("fails as any other where the allowed address refuses the connection")
    func allowedButClosed() async throws {
        let port = try LoopbackSocket.unusedPort()
        let result = await withTransport { transport in
            await transport.send(request(to: port, resolvedTo: Self.publicAddress, policy(port: port)))
        }
        #expect(result.verdict == Verdict(.couldNotConnect, mayHaveArrived: false))
    }

    @Test("is answered with a redirect, and does not follow it", arguments: [301, 302, 307, 308])
    func redirect(_ status: Int) async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { inside in
            let location = "Location: http://127.0.0.1:\(inside.port)/\r\nContent-Length: 0\r\n\r\n"
            let steps = [ServerStep.readRequest, .write("HTTP/1.1 \(status) Moved\r\n" + location)]
            try await withServer(ScriptedServer { _ in steps }) { server in
                let result = await withTransport { transport in
                    await transport.send(
                        .loopback(server.port).with { $0.destination = .vetted(AddressPolicy(allowsLoopback: true)) }
                    )
                }
                #expect(result.reply?.status == status, "\(result)")
            }
            #expect(inside.connections == 0)
        }
    }

    @Test("goes to this machine under the development switch alone", arguments: ["127.0.0.1", "localhost"])
    func development(_ host: String) async throws {
        try await withServer(ScriptedServer(each: .readRequest, .ok)) { server in
            await withTransport { transport in
                let request = HTTPRequest.loopback(server.port).with { $0.url = "http://\(host):\(server.port)/" }
                let strict = request.with { $0.destination = .vetted(AddressPolicy(ports: [server.port])) }
                let refused = await transport.send(strict)
                #expect(refused.verdict == Verdict(.refusedURL, mayHaveArrived: false))
                let loose = request.with {
                    $0.destination = .vetted(AddressPolicy(allowsLoopback: true))
                    $0.allowPlainHTTPToLoopback = false
                }
                #expect(await transport.send(loose).reply?.status == 200)
            }
            #expect(server.connections == 1)
        }
    }

    private func policy(port: UInt16) -> AddressPolicy {
        var policy = AddressPolicy(ports: [port])
        policy.exempted = Set([Self.publicAddress].compactMap(IPAddress.init))
        return policy
    }

    private func request(to port: UInt16, resolvedTo answer: String, _ policy: AddressPolicy) -> HTTPRequest {
        HTTPRequest.secure(port, trusting: authority, host: Self.hostName).with {
            $0.destination = .vetted(policy)
            $0.nameAnswers = ["\(Self.hostName):\(port):\(answer)"]
        }
    }

    /// Runs a body with a public and an internal server at one port, and a transport.
    private func withServers(_ body: (TLSServer, ScriptedServer, HTTPTransport) async throws -> Void) async throws {
        try await withServer(ScriptedServer(each: .awaitByte)) { inside in
            let open = try TLSServer(authority.issue(.elsewhere), at: Self.publicAddress, port: inside.port)
            try await withTLSServer(open) { open in
                try await withTransport { transport in try await body(open, inside, transport) }
            }
        }
    }
}
