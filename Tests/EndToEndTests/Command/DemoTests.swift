import Glibc
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The demonstration", .timeLimit(.minutes(10)))
struct DemoTests {
    @Test("ends every order as it should, agrees with the PSPs' books, and leaves nothing behind")
    func json() async throws {
        try await Workplace.with { place in
            var place = place
            place.environment["TMPDIR"] = place.path("")
            let ending = try await place.run("demo", "--format", "json")
            #expect(ending.status == 0, "\(ending.err)")
            let result = try JSON.parse(Array(ending.out.utf8))
            #expect(result["books_agree"] == true)
            let orders = (result["orders"]?.arrayValue ?? []).map { entry in
                [entry["scenario"]?.stringValue, entry["order"]?["status"]?.stringValue]
            }
            #expect(
                orders == [
                    ["paid_in_full", "paid"], ["partly_paid", "partially_paid"], ["compensated", "failed"],
                    ["psp_timeout", "paid"], ["gateway_killed", "paid"], ["followed", "partially_refunded"],
                ]
            )
            let shown = (result["orders"]?.arrayValue?.last?["wallet"]?.arrayValue ?? []).flatMap { chapter in
                (chapter["shown"]?.arrayValue ?? []).compactMap(\.stringValue)
            }
            #expect(shown.contains("the order: open → completed"), "\(shown)")
            #expect(shown.contains("refund of 92.50 USD: completed"))
            #expect(ending.err.contains("killed the gateway"))
            #expect(ending.err.contains("the checkout got no answer"), "\(ending.err)")
            #expect(try place.files().filter { $0.hasPrefix("tributary-demo-") } == [])
        }
    }

    @Test("shows each order with both books for people, leaves a checkout page behind, and can be interrupted")
    func interrupted() async throws {
        try await Workplace.with { place in
            var place = place
            place.environment["TMPDIR"] = place.path("")
            let demo = try place.start(["demo", "--keep"])
            _ = try await demo.notice(containing: "Interrupt (Ctrl-C)", within: .patience)
            let hint = try await demo.notice(containing: "checkout page", within: .seconds(1))
            let shop = try #require(hint.split(separator: " ").first { $0.hasPrefix("http://") }.map(String.init))
            let page = try await HTTPCall(.get, shop, key: "").reply()
            #expect(page.status == 200)
            #expect(page.header("Content-Security-Policy")?.contains("script-src 'self'") == true)
            kill(demo.id, SIGINT)
            let ending = try await Finished(demo, within: .patience)
            #expect(ending.status == 0, "\(ending.err)")
            #expect(ending.out.contains("GATEWAY'S BOOKS"))
            let last = ending.out.split(separator: "\n").last ?? ""
            #expect(last == "The gateway's books and the PSPs' own agree: 15 payments, to the cent.")
            #expect(try place.files().filter { $0.hasPrefix("tributary-demo-") } == [])
        }
    }

    @Test("takes its gateway with it even if it is killed")
    func killed() async throws {
        try await Workplace.with { place in
            var place = place
            place.environment["TMPDIR"] = place.path("")
            let demo = try place.start(["demo", "--keep"])
            let hint = try await demo.notice(containing: "/v1/orders -H 'Authorization", within: .patience)
            _ = try await demo.notice(containing: "Interrupt (Ctrl-C)", within: .patience)
            let url = try #require(hint.split(separator: " ").first { $0.hasPrefix("http://") }.map(String.init))
            let gateway = HTTPCall(.get, url.replacing("/v1/orders", with: "/livez"), key: "")
            #expect(try await gateway.reply().status == 200)
            await demo.kill()
            await #expect(throws: TransportFailure.self) {
                while true { _ = try await gateway.reply() }
            }
        }
    }
}
