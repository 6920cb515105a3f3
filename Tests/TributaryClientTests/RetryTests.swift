import Testing
import TributaryClient
import TributaryTestKit

@Suite("A client's repeats", .timeLimit(.minutes(10)))
struct RetryTests {
    private static let order = TributaryClient.NewOrder(
        currency: "USD",
        policy: .allOrNothing,
        contexts: [.init("airline-1", amount: 1000, payment: .pspToken("tok_approve", pspAccount: "sim"))]
    )

    /// Places an order at a server whose n-th connection goes by the n-th script; the last one stands for all others.
    private static func place(
        _ scripts: [[ServerStep]],
        repeats: Int = 3
    ) async throws -> (result: Result<TributaryClient.Order, any Error>, requests: [ReceivedRequest]) {
        let server = try ScriptedServer { number in scripts[min(number, scripts.count - 1)] }
        return await withServer(server) { server in
            let client = TributaryClient(
                baseURL: "http://127.0.0.1:\(server.port)/",
                key: "tk_test",
                settings: .init(repeats: repeats, firstPause: .milliseconds(5), longestPause: .seconds(2))
            )
            let result: Result<TributaryClient.Order, any Error>
            do { result = .success(try await client.place(order)) } catch { result = .failure(error) }
            await client.close()
            return (result, server.requests)
        }
    }

    private static func reply(_ status: String, _ body: String = "{}", _ fields: String = "") -> [ServerStep] {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(fields)\r\n"
        return [.readRequest, .write(head + body)]
    }

    @Test("go out under one key over lost connections and passing refusals, until an answer comes")
    func oneKey() async throws {
        let (result, requests) = try await Self.place([
            [.readRequest], Self.reply("503 Service Unavailable"), Self.reply("429 Too Many Requests"),
            Self.reply("201 Created", Sample.order),
        ])
        #expect(try result.get().id == "ord_1")
        #expect(requests.count == 4)
        #expect(Set(requests.map { $0.header("Idempotency-Key") }).count == 1)
        #expect(requests[0].header("Idempotency-Key")?.isEmpty == false)
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(requests[0].line == "POST /v1/orders HTTP/1.1")
        #expect(requests[0].header("Authorization") == "Bearer tk_test")
    }

    @Test("wait as long as the server asks")
    func retryAfter() async throws {
        let start = ContinuousClock.now
        let (result, requests) = try await Self.place([
            Self.reply("429 Too Many Requests", "{}", "Retry-After: 1\r\n"), Self.reply("201 Created", Sample.order),
        ])
        #expect(try result.get().status == "paid")
        #expect(requests.count == 2)
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test("follow a request that came too slowly")
    func tooSlow() async throws {
        let (result, requests) = try await Self.place([
            Self.reply("408 Request Timeout", #"{"code":"body_too_slow"}"#), Self.reply("201 Created", Sample.order),
        ])
        #expect(try result.get().id == "ord_1")
        #expect(Set(requests.map { $0.header("Idempotency-Key") }).count == 1)
    }

    @Test(
        "leave open what came of a lost try, whatever a later one is refused for",
        arguments: ["401 No", "403 No", "404 No", "408 No", "409 No", "413 No", "422 No", "429 No"]
    )
    func refusedBehindDoubt(_ status: String) async throws {
        let refusal = Self.reply(status, #"{"code":"of_tomorrow"}"#)
        let (result, requests) = try await Self.place([[.readRequest], refusal], repeats: 1)
        #expect(requests.count == 2)
        guard case .failure(TributaryClient.Failure.noAnswer(let answer)) = result else {
            return #expect(Bool(false), "\(result)")
        }
        #expect(answer.idempotencyKey == requests[0].header("Idempotency-Key"))
        #expect(answer.reason == "\(status.prefix(3)) of_tomorrow")
        #expect(answer.mayHaveHappened)
    }

    @Test("leave doubt behind a proxy's word that something was slow", arguments: [true, false])
    func slowWithoutCode(_ isProxys: Bool) async throws {
        let body = isProxys ? "<html>" : #"{"code":"body_too_slow"}"#
        let (result, _) = try await Self.place([Self.reply("408 Request Timeout", body)], repeats: 1)
        switch result {
        case .failure(TributaryClient.Failure.noAnswer(let answer)): #expect(isProxys && answer.mayHaveHappened)
        case .failure(TributaryClient.Failure.refused(let problem)): #expect(!isProxys && problem.status == 408)
        default: #expect(Bool(false), "\(result)")
        }
    }

    @Test("of what needs no key end with the last answer")
    func keyless() async throws {
        let refusal = Self.reply("409 Conflict", #"{"code":"action_not_required"}"#)
        let server = try ScriptedServer { number in number == 0 ? [.readRequest] : refusal }
        await withServer(server) { server in
            let client = TributaryClient(
                baseURL: "http://127.0.0.1:\(server.port)",
                key: "tk_test",
                settings: .init(repeats: 1, firstPause: .milliseconds(5))
            )
            await #expect {
                _ = try await client.complete(payment: "pay_1")
            } throws: { error in
                guard case TributaryClient.Failure.refused(let problem) = error else { return false }
                return problem.code == "action_not_required"
            }
            await client.close()
        }
    }

    @Test("are never made of an answer that cannot be read, and the key is told", arguments: ["<html>", "{}"])
    func unreadable(_ body: String) async throws {
        let (result, requests) = try await Self.place([Self.reply("201 Created", body)])
        #expect(requests.count == 1)
        guard case .failure(TributaryClient.Failure.unreadable(let status, let key)) = result else {
            return #expect(Bool(false), "\(result)")
        }
        #expect(status == 201)
        #expect(key != nil && key == requests[0].header("Idempotency-Key"))
    }

    @Test("are never made of a refusal", arguments: ["400 Bad Request", "404 Not Found", "409 Conflict", "422 No"])
    func refusals(_ status: String) async throws {
        let problem = """
            {"code":"reference_in_use","detail":"Taken.","order":"ord_9","request_id":"req_1","new_member":1,
            "errors":[{"pointer":"/reference","code":"reference_in_use","detail":"Taken."}]}
            """
        let (result, requests) = try await Self.place([Self.reply(status, problem)])
        #expect(requests.count == 1)
        guard case .failure(TributaryClient.Failure.refused(let found)) = result else {
            return #expect(Bool(false), "\(result)")
        }
        #expect(found.code == "reference_in_use")
        #expect(found.order == "ord_9")
        #expect(found.requestID == "req_1")
        #expect(found.violations.map(\.pointer) == ["/reference"])
        #expect(String(found.status) == status.prefix(3))
    }

    @Test("end, and the key is told, so that the caller can go on with it")
    func exhausted() async throws {
        let (result, requests) = try await Self.place([[.readRequest]], repeats: 1)
        #expect(requests.count == 2)
        guard case .failure(TributaryClient.Failure.noAnswer(let answer)) = result else {
            return #expect(Bool(false), "\(result)")
        }
        #expect(answer.idempotencyKey == requests[0].header("Idempotency-Key"))
        #expect(answer.mayHaveHappened)
    }

    @Test("leave no doubt where nobody listens, or all there was is refused for now")
    func nothingHappened() async throws {
        let client = TributaryClient(
            baseURL: "http://127.0.0.1:\(try await FreePort.find())",
            key: "tk_test",
            settings: .init(repeats: 1, firstPause: .milliseconds(5))
        )
        await #expect {
            _ = try await client.place(Self.order)
        } throws: { error in
            guard case TributaryClient.Failure.noAnswer(let answer) = error else { return false }
            return !answer.mayHaveHappened
        }
        await client.close()
        let (result, _) = try await Self.place([Self.reply("429 Too Many Requests", #"{"code":"busy"}"#)], repeats: 1)
        guard case .failure(TributaryClient.Failure.refused(let problem)) = result else {
            return #expect(Bool(false), "\(result)")
        }
        #expect(problem.code == "busy")
    }
}
