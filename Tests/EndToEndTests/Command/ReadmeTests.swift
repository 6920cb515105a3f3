import Foundation
import Testing

/// Runs what pages print, as somebody who pastes it into one terminal.
@Suite("The commands that pages print", .timeLimit(.minutes(10)))
struct ReadmeTests {
    @Test("do in order what the README says of them, from one order on")
    func readme() async throws {
        let script = try PastedScript.readme()
        try #require(script.count >= 5)
        let python = StandardWebhooksPython.path
        let ending = try await (python == nil ? script.without("receiver.py") : script).run(python: python, within: 400)
        #expect(ending.status == 0, "\(ending.out)\n\(ending.err)")
        #expect(ending.out.contains(#""status":"paid""#), "\(ending.out)")
        #expect(ending.out.contains("cart-10293"))
        if python != nil { #expect(ending.out.contains("endpoint.test"), "\(ending.out)\n\(ending.err)") }
    }

    /// A page whose commands run, and what they print, in this order.
    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        let says: [String]

        var testDescription: String { name }
    }

    private static let pages = [
        Page(
            name: "Access",
            says: [#""scopes":["checkout"]"#, #""key":"#, #""revoked_at":"2"#, "admin", #""paused""#, #""active""#]
        ),
        Page(
            name: "AfterCheckout",
            says: [
                #""status":"partially_captured""#, #""reason":"rain""#, "partially_refunded", "canceled", "unknown",
                "payment.resolved",
            ]
        ),
        Page(
            name: "Ledger",
            says: ["269.70", "closing_balance", "SEPA-20261121-7", "account closed", "marketplace/bank"]
        ),
        Page(
            name: "Reconciliation",
            says: ["21 agrees", "amount_mismatch", "investigating", "breaks: none"]
        ),
        Page(name: "TestMode", says: [#""ahead_seconds":0"#, #""ahead_seconds":691200"#]),
        Page(name: "Versions", says: ["Tributary-Version: 2026-11-01", #""reference":"cart-10293""#]),
        Page(
            name: "Wallets",
            says: [#""status":"paid""#, #""reference":"cart-10298""#, #""status":"paid""#, "pk_", "true"]
        ),
        Page(
            name: "Webhooks",
            says: [
                "whk_", "dispute.opened", "payout.paid", "partially_refunded", "payment.refunded", "whsec_",
                "endpoint.test", "taken",
            ]
        ),
    ]

    @Test("do in order what a page says of them, behind the README's one order", arguments: pages)
    func page(_ page: Page) async throws {
        let ending = try await PastedScript.page(page.name).run(within: 400)
        #expect(ending.status == 0, "\(ending.out)\n\(ending.err)")
        #expect(!ending.out.contains("/problems/"), "\(ending.out)")
        var rest = ending.out[...]
        for words in page.says {
            let found = rest.range(of: words)
            #expect(found != nil, "\(words), in \(rest)\n\(ending.err)")
            if let found { rest = rest[found.upperBound...] }
        }
    }
}
