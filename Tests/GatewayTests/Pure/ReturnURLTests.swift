import AdapterKit
import Domain
import SimulatorAdapter
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Where buyers come back to")
struct ReturnURLTests {
    @Test(
        "is https anywhere, and http on loopback only",
        arguments: [
            ("https://shop.example/back", true), ("http://localhost/back", true), ("http://127.0.0.1:3000", true),
            ("http://[::1]:8080/?a=1#b", true), ("http://shop.example/", false), ("http://localhost.example/", false),
            ("http://127.0.0.1.example/", false), ("http://localhost:/", false), ("http://localhost:+80/", false),
            ("http://localhost:70000/", false), ("http://localhost@shop.example/", false), ("ftp://localhost/", false),
            ("https://shop.example/a b", false), ("https://\u{fc}.example/", false),
        ]
    )
    func taken(_ text: String, _ isTaken: Bool) {
        #expect((ReturnURL(text) != nil) == isTaken)
    }

    @Test("leaves room for what is added to it")
    func length() {
        let start = "https://shop.example/"
        let longest = start + String(repeating: "x", count: ReturnURL.limit - start.utf8.count)
        #expect(ReturnURL(longest) != nil && ReturnURL(longest + "x") == nil)
        #expect(ReturnURL.addressing(longest, PaymentID(bits: 1), of: OrderID(bits: 1)).utf8.count <= 1024)
    }

    @Test(
        "names the order and the payment in its query, whatever stands there already",
        arguments: [
            ("https://a.example", "https://a.example?", ""), ("https://a.example/b", "https://a.example/b?", ""),
            ("https://a.example/b?", "https://a.example/b?", ""),
            ("https://a.example/b?c=1", "https://a.example/b?c=1&", ""),
            ("https://a.example/b?c=1&", "https://a.example/b?c=1&", ""),
            ("https://a.example/b#d?e", "https://a.example/b?", "#d?e"),
            ("https://a.example/b?c=1#d", "https://a.example/b?c=1&", "#d"),
        ]
    )
    func addressed(_ text: String, _ head: String, _ tail: String) {
        let (order, payment) = (OrderID(bits: 7), PaymentID(bits: 8))
        let parameters = "order=\(order)&payment=\(payment)"
        #expect(ReturnURL.addressing(text, payment, of: order) == head + parameters + tail)
    }

    @Test("is told to the PSP with each payment's own name")
    func told() throws {
        var order = try PlacedOrder.make(at: Timestamp(microseconds: 1_800_000_000_000_000))
        order.terms.returnURL = "https://shop.example/back"
        for payment in order.payments {
            let call = try Call(
                payment.attempt.authorization,
                of: payment.attempt,
                payment,
                in: order,
                details: nil,
                capabilities: SimulatorAdapter.capabilities,
                purpose: .perform
            )
            guard case .authorize(let authorization) = call.kind else {
                Issue.record("\(call.kind)")
                return
            }
            #expect(
                authorization.returnURL == "https://shop.example/back?order=\(order.id)&payment=\(payment.id)"
            )
        }
    }
}
