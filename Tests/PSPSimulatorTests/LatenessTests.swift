import PSPSimulator
import Synchronization
import Testing

@Suite("Inquiries that come too early")
struct LatenessTests {
    @Test("see a payment and what was done to it as late as the simulator is told")
    func late() async throws {
        let clock = Mutex<Int64>(1_000_000)
        let simulator = try await LocalSimulator(
            .simulator,
            lateness: 500,
            clock: { clock.withLock { $0 } },
            onNews: { _, _ in }
        )
        func pass(_ milliseconds: Int64) { clock.withLock { $0 += milliseconds } }
        func ask(
            _ method: String,
            _ path: String,
            _ body: String = "",
            query: [(String, String)] = []
        ) async throws -> String {
            var request = PSPRequest(path: path, origin: "http://localhost")
            request.headers = [("Authorization", "Bearer key_shop"), ("Idempotency-Key", "k \(body)")]
            request.query = query.map { (name: $0.0, value: $0.1) }
            request.body = Array(body.utf8)
            let answer = try #require(try await simulator.answer(method, request))
            return String(decoding: answer.0.body, as: UTF8.self)
        }
        func found() async throws -> String {
            try await ask("GET", "/v1/authorizations", query: [("reference", "att_1")])
        }
        _ = try await ask(
            "POST",
            "/v1/authorizations",
            #"{"reference":"att_1","amount":1000,"currency":"USD","token":"tok_approve"}"#
        )
        #expect(!(try await found().contains("authorized")))
        pass(499)
        #expect(!(try await found().contains("authorized")))
        pass(1)
        #expect(try await found().contains(#""status":"authorized""#))
        let made = await simulator.read { books, now in books.authorizations(of: "shop", at: now) }
        let id = try #require(made.first).id
        _ = try await ask("POST", "/v1/authorizations/\(id)/captures", #"{"reference":"op_1","amount":700}"#)
        pass(300)
        var refund = DashboardAction(.refund, to: .id(id))
        refund.amount = 100
        try await simulator.act(refund)
        #expect(try await found().contains(#""status":"authorized""#))
        pass(200)
        #expect(try await found().contains(#""captured_amount":700"#))
        #expect(try await found().contains(#""refunded_amount":0"#))
        pass(300)
        #expect(try await found().contains(#""refunded_amount":100"#))
    }
}
