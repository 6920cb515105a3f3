import StrictJSON
import Testing
import TributaryTestKit

@Suite("What callbacks tell, and what they are signed with", .timeLimit(.minutes(10)))
struct CallbackSecrecyTests {
    /// A server that says again what it is told.
    private static let echo = "HTTP/1.1 500 No\r\nContent-Length: 22\r\n\r\n{\"type\":\"order.paid\"}\n"

    @Test(
        "stay out of the log of a gateway at every level, and out of what commands say",
        arguments: ["trace", "info"]
    )
    func logs(_ level: String) async throws {
        try await Hooks.with { place, psp in
            let own = try ScriptedServer(each: .readRequest, .ok)
            let hotel = try ScriptedServer(each: .readRequest, .write(Self.echo))
            defer {
                own.stop()
                hotel.stop()
            }
            let (ownURL, hotelURL) = ("http://127.0.0.1:\(own.port)/", "http://127.0.0.1:\(hotel.port)/?key=hush-7319")
            try place.write(Hooks.declaration(psp: psp, own: ownURL, hotel: hotelURL), to: "travel.yaml")
            var said = try await place.run("apply", "travel.yaml").err
            let served = try await place.whileServing([
                "serve", "--stop-when-stdin-closes", "--log-level", level,
            ]) { api in
                _ = try await Hooks.order(place, at: api)
                await own.waitForRequests(6)
                await hotel.waitForRequests(1)
            }
            #expect(!own.requests.isEmpty && served.err.contains("listening on"))
            said += served.out + served.err
            for typed in [["callbacks", "test", "hotel-7"], ["callbacks", "list"], ["doctor"]] {
                let ending = try await place.run(typed)
                said += ending.err + (typed.first == "doctor" ? "" : ending.out)
            }
            for trace in [Hooks.secret, String(Hooks.secret.dropFirst(6)), "\"type\":", "v1,", "\"data\":"] {
                #expect(!said.contains(trace), "\(trace) is in \(said)")
            }
            #expect(!served.err.contains("hush-7319"), "an address may carry a key of its own")
        }
    }
}
