import AdapterKit
import Domain
import Gateway
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit
import Wiring

/// A PSP that answers the first request on a connection a second time, when the next one has arrived.
@Suite("A connection that is out of step", .timeLimit(.minutes(10)))
struct OutOfStepTests {
    /// What the reply repeats of the request that it answers.
    enum Echo: Sendable, CaseIterable {
        case keyAndMetadata
        case metadata
        case key
    }

    @Test("gives a payment the answer to another one, which decides nothing", arguments: Echo.allCases)
    func secondCopy(echo: Echo) async throws {
        let first = try Self.call(attempt: "att_01ka5xxqkfbf5kznwj47tan9zt", operation: "op_01ka524mnpzx45hy43kwjrp1xp")
        let second = try Self.call(
            attempt: "att_01ka5xxqkfbf5kznwj47tan9zs",
            operation: "op_01ka524mnpzx45hy43kwjrp1xs"
        )
        let answer = Self.reply(to: first, repeating: echo)
        try await withServer(ScriptedServer(each: .readRequest, .write(answer), .readRequest, .write(answer))) {
            server in
            let transport = HTTPTransport()
            let outcomes = try await Self.outcomes(of: [first, second], at: server.port, over: transport)
            await transport.stop()
            guard case .succeeded(let success) = outcomes[0] else {
                Issue.record("the payment whose answer it is: \(outcomes[0])")
                return
            }
            #expect(success.reference == "pi_3first")
            guard case .unknown = outcomes[1] else {
                Issue.record("the payment whose answer it is not: \(outcomes[1])")
                return
            }
            #expect(server.requests.map(\.connection) == [0, 0])
            #expect(
                server.requests.compactMap { $0.header("Idempotency-Key") }
                    == [first, second].map { $0.key(exchange: 0) }
            )
        }
    }

    /// Authorizes each call after the other over connections that are kept.
    private static func outcomes(
        of calls: [Call],
        at port: UInt16,
        over transport: HTTPTransport
    ) async throws -> [Outcome] {
        let settings = AdapterSettings(
            account: "shop",
            baseURL: "http://127.0.0.1:\(port)",
            credentials: ["secret_key": Secret("sk_test_shop")]
        )
        let psp = try #require(AdapterCatalog.psps["stripe"])
        let adapter = try psp.make(settings)
        let sender = CurlSender(transport)
        let terms = SendTerms(account: "shop", freshConnection: false, timeoutMilliseconds: 20_000)
        var outcomes: [Outcome] = []
        for call in calls {
            guard case .send(let request) = adapter.next(for: call, after: []),
                case .reply(let reply) = await sender.send(request, terms),
                case .outcome(let outcome) = adapter.next(for: call, after: [Exchange(reply: reply)])
            else {
                Issue.record("there is no outcome after one exchange")
                return outcomes
            }
            outcomes.append(outcome)
        }
        return outcomes
    }

    private static func call(attempt: String, operation: String) throws -> Call {
        Call(
            order: try #require(OrderID("ord_01ka5m9s346q3d25vt4f5v37e3")),
            payment: try #require(PaymentID("pay_01ka5s3e28jt97kb6cq643dzvm")),
            attempt: try #require(AttemptID(attempt)),
            operation: try #require(OperationID(operation)),
            money: try Money(minorUnits: 10_000, currency: try #require(Currency(code: "USD"))),
            kind: .authorize(Call.Authorization(credential: .pspToken(Secret("pm_card_visa")))),
            purpose: .perform
        )
    }

    /// A hold of what every call here asks for.
    private static func reply(to call: Call, repeating echo: Echo) -> String {
        let metadata: JSON = ["attempt": .string(call.attempt.text), "operation": .string(call.operation.text)]
        let intent: JSON = [
            "id": "pi_3first", "object": "payment_intent", "amount": 10_000, "amount_capturable": 10_000,
            "currency": "usd", "status": "requires_capture", "metadata": metadata,
        ]
        let key = echo == .metadata ? "" : "Idempotency-Key: \(call.key(exchange: 0))\r\n"
        let body = intent.text
        return
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(key)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
