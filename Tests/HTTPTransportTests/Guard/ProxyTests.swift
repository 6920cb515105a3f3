import Glibc
import HTTPTransport
import Testing
import TributaryTestKit

@Suite("A proxy that the environment names")
struct ProxyTests {
    @Test("is not asked, be the destination vetted or trusted", .timeLimit(.minutes(10)))
    func ignored() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer(each: .readRequest, .ok)
            let server = try ScriptedServer(each: .readRequest, .ok)
            for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                unsafe setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
            }
            unsafe setenv("no_proxy", "", 1)
            let transport = HTTPTransport()
            for destination in [Destination.vetted(AddressPolicy(allowsLoopback: true)), .trusted] {
                let result = await transport.send(.loopback(server.port).with { $0.destination = destination })
                #expect(result.reply?.status == 200)
            }
            #expect(server.connections == 2)
            #expect(proxy.connections == 0)
            await transport.stop()
        }
    }
}
