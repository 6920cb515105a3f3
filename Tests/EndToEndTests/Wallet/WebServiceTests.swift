import Domain
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit
import WalletTwins

@Suite("The web service answers devices as Apple's pages have it", .timeLimit(.minutes(10)))
struct WebServiceTests {
    @Test("in every scenario, one after another", arguments: DatabaseEngine.allCases)
    func scenarios(_ engine: DatabaseEngine) async throws {
        let scenarios = try WebServiceScenarios.all()
        #expect(scenarios.count == 5)
        try await FollowedPlace.with(engine) { stage in
            let (server, url) = try await stage.serve()
            let order = try await stage.order(url, reference: "trip-1")
            let other = try await stage.order(url, reference: "trip-2")
            var play = WebServicePlay(stage: stage, order: order, other: other)
            for scenario in scenarios {
                let name = scenario["name"]?.stringValue ?? ""
                for (index, step) in (scenario["steps"]?.arrayValue ?? []).enumerated() {
                    try await play.play(step, "\(name), step \(index + 1)")
                }
            }
            await server.stop()
            let log = try await server.errors.whole() + server.output.whole()
            #expect(log.contains("message ?[31mred"))
            #expect(!log.contains("\u{1B}"))
        }
    }
}

/// Plays steps to a served program.
private struct WebServicePlay {
    let stage: FollowedPlace
    let order: FollowedOrder
    let other: FollowedOrder
    private var kept: [String: String] = [:]
    private var pushes: [String: Int] = [:]

    init(stage: FollowedPlace, order: FollowedOrder, other: FollowedOrder) {
        (self.stage, self.order, self.other) = (stage, order, other)
    }

    mutating func play(_ step: JSON, _ place: Comment) async throws {
        for (token, answer) in step["answers"]?.objectValue?.map({ ($0.key, $0.value.stringValue) }) ?? [] {
            stage.apns.book.script(token, answer == "busy" ? .tooManyRequests : .unregistered(at: MomentOfTest.now))
        }
        switch step["do"]?.stringValue {
        case "capture 0": #expect(try await order.ask("capture", 0, 30_000, key: "w0") == 200, place)
        case "capture 1": #expect(try await order.ask("capture", 1, 20_000, key: "w1") == 200, place)
        case "capture other": #expect(try await other.ask("capture", 0, 30_000, key: "w2") == 200, place)
        default: break
        }
        if let token = step["pushed"]?.stringValue {
            pushes[token, default: 0] += 1
            try await expectPushes(pushes[token] ?? 0, to: token, place)
        }
        guard let request = step["request"]?.arrayValue else { return }
        var reply = try await send(request, step)
        let end = ContinuousClock.now + .patience
        while step["eventually"] != nil, Int64(reply.status) != step["status"]?.integerValue, .now < end {
            try await Task.sleep(for: .milliseconds(100))
            reply = try await send(request, step)
        }
        try check(reply, step, place)
    }

    private func send(_ request: [JSON], _ step: JSON) async throws -> HTTPReply {
        var headers: [HTTPHeader] = []
        if let text = request[2].stringValue { headers.append(HTTPHeader("Authorization", filled(text))) }
        if let text = step["since"]?.stringValue { headers.append(HTTPHeader("If-Modified-Since", filled(text))) }
        let long = step["long"]?.integerValue.map { count -> JSON in
            ["logs": [.string(String(repeating: "x", count: Int(count)))]]
        }
        return try await stage.device.send(
            HTTPMethod(rawValue: request[0].stringValue ?? "") ?? .get,
            filled(request[1].stringValue ?? ""),
            headers: headers,
            body: (step["send"] ?? long)?.bytes ?? []
        )
    }

    private mutating func check(_ reply: HTTPReply, _ step: JSON, _ place: Comment) throws {
        #expect(Int64(reply.status) == step["status"]?.integerValue, place)
        if step["body"]?.stringValue == "empty" { #expect(reply.body.isEmpty, place) }
        for member in step["headers"]?.objectValue ?? [] {
            let header = reply.header(member.key)
            let wanted = member.value.stringValue
            #expect(wanted == "present" ? header != nil : header == wanted, place)
        }
        let answer = try? JSON.parse(reply.body)
        if let orders = step["orders"]?.arrayValue {
            let told = Set((answer?["orderIdentifiers"]?.arrayValue ?? []).compactMap(\.stringValue))
            #expect(told == Set(orders.compactMap(\.stringValue).map(filled)), place)
        }
        for member in step["keep"]?.objectValue ?? [] {
            let name = member.value.stringValue ?? ""
            kept[member.key] = try #require(reply.header(name) ?? answer?[name]?.stringValue, place)
        }
        if let names = step["differs"]?.arrayValue?.compactMap(\.stringValue) {
            #expect(Set(names.compactMap { kept[$0] }).count == names.count, place)
        }
    }

    /// A text with what its names stand for.
    private func filled(_ text: String) -> String {
        var names = kept
        names["type"] = FollowedPlace.type
        (names["order"], names["other"]) = (order.id, other.id)
        (names["token"], names["other token"]) = (order.token.reveal(), other.token.reveal())
        return names.reduce(text) { text, pair in
            text.split(separator: "{\(pair.key)}", omittingEmptySubsequences: false).joined(separator: pair.value)
        }
    }

    private func expectPushes(_ count: Int, to token: String, _ place: Comment) async throws {
        let end = ContinuousClock.now + .patience
        while stage.apns.book.pushes(to: token).count < count {
            try #require(ContinuousClock.now < end, place)
            try await Task.sleep(for: .milliseconds(50))
        }
        let pushes = stage.apns.book.pushes(to: token)
        for push in pushes {
            #expect(push.topic == FollowedPlace.type, place)
            #expect(push.pushType == "background", place)
            #expect(push.priority == "5", place)
            #expect(push.payload == Array("{}".utf8), place)
        }
        #expect(stage.apns.book.refusals.isEmpty, place)
    }
}
