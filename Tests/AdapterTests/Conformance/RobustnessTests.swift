import AdapterKit
import Domain
import Testing

@Suite("Every adapter, in front of replies nobody promised,")
struct RobustnessTests {
    /// An adapter and an operation.
    struct Subject: Sendable, CustomTestStringConvertible {
        let adapter: AdapterUnderTest
        let operation: SampleOperation
        var testDescription: String { "\(adapter.name) \(operation.rawValue)" }

        static var all: [Subject] {
            get throws {
                try AdapterUnderTest.all.flatMap { adapter in
                    SampleOperation.allCases.map { Subject(adapter: adapter, operation: $0) }
                }
            }
        }

        /// The calls whose first reply may be anything.
        var calls: [Call] { get throws { [try adapter.shortCall(operation), try adapter.longCall(operation)] } }

        /// What the adapter makes of a reply where that ends the operation.
        func outcomes(of reply: WireReply, to calls: [Call]) -> [Outcome] {
            calls.compactMap { call in
                switch adapter.adapter.next(for: call, after: [Exchange(reply: reply)]) {
                case .outcome(let outcome): outcome
                case .send: nil
                }
            }
        }
    }

    /// Whether an outcome claims something of the money.
    static func isClaim(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .succeeded, .declined, .pending, .actionRequired: true
        case .rejected, .notSent, .unknown: false
        }
    }

    static let json = [Header("Content-Type", "application/json")]
    static let tellingStatuses = [200, 201, 202, 204, 302, 400, 401, 402, 403, 404, 409, 422, 424, 429, 500, 502, 503]
    static let html = "<!DOCTYPE html><html><body><h1>Error</h1></body></html>"
    static let smallBodies: [(String, [UInt8])] = [
        ("nothing", []), ("HTML", Array(html.utf8)), ("an open object", Array(#"{"id":"x","status":"succ"#.utf8)),
        ("{}", Array("{}".utf8)), ("[]", Array("[]".utf8)), ("null", Array("null".utf8)),
        ("a string", Array(#""succeeded""#.utf8)), ("an empty error", Array(#"{"error":{}}"#.utf8)),
        ("a null error", Array(#"{"error":null}"#.utf8)), ("no UTF-8", [0x7B, 0xFF, 0xFE, 0x7D]),
        ("a status alone", Array(#"{"status":"succeeded"}"#.utf8)),
    ]

    @Test("claims nothing, whatever the status", arguments: try Subject.all)
    func doubtsEveryStatus(subject: Subject) throws {
        let calls = try subject.calls
        for status in 100...599 {
            for (name, body) in Self.smallBodies {
                let reply = WireReply(status: status, headers: Self.json, body: body)
                for outcome in subject.outcomes(of: reply, to: calls) where Self.isClaim(outcome) {
                    Issue.record("HTTP \(status) with \(name): \(outcome)")
                }
            }
        }
    }

    @Test("claims nothing of a body of no or another type", arguments: try Subject.all)
    func doubtsEveryType(subject: Subject) throws {
        let calls = try subject.calls
        for headers in [[], [Header("Content-Type", "text/html")], [Header("content-type", "application/xml")]] {
            for status in Self.tellingStatuses {
                for (name, body) in Self.smallBodies {
                    let reply = WireReply(status: status, headers: headers, body: body)
                    for outcome in subject.outcomes(of: reply, to: calls) where Self.isClaim(outcome) {
                        Issue.record("HTTP \(status) with \(name): \(outcome)")
                    }
                }
            }
        }
    }

    @Test("claims nothing of large or deep bodies", arguments: try Subject.all)
    func doubtsLargeBodies(subject: Subject) throws {
        let calls = try subject.calls
        let large = Array(#"{"x":""#.utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20) + Array(#""}"#.utf8)
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        let nested = Array(String(repeating: #"{"error":"#, count: 10_000).utf8)
        for status in [200, 402] {
            for body in [large, deep, nested] {
                let reply = WireReply(status: status, headers: Self.json, body: body)
                for outcome in subject.outcomes(of: reply, to: calls) {
                    #expect(!Self.isClaim(outcome), "HTTP \(status)")
                }
            }
        }
    }

    @Test("claims nothing of a sample that was cut short", arguments: try Conversation.all)
    func doubtsTruncation(conversation: Conversation) throws {
        try expectNoClaim(conversation) { reply in
            let size = reply.body.count
            let ends = stride(from: 0, to: max(size - 2, 0), by: max(1, size / 24))
            return ends.map { WireReply(status: reply.status, headers: reply.headers, body: Array(reply.body[..<$0])) }
        }
    }

    @Test("claims nothing of a sample under another status", arguments: try Conversation.all)
    func doubtsOtherStatus(conversation: Conversation) throws {
        try expectNoClaim(conversation) { reply in
            [101, 204, 301, 302, 307, 408, 409, 425, 429, 500, 502, 503, 504].map {
                WireReply(status: $0, headers: reply.headers, body: reply.body)
            }
        }
    }

    @Test("claims nothing of a sample that says it is HTML", arguments: try Conversation.all)
    func doubtsOtherContentType(conversation: Conversation) throws {
        try expectNoClaim(conversation) { reply in
            let headers = reply.headers.filter { $0.name.lowercased() != "content-type" }
            let html = headers + [Header("Content-Type", "text/html; charset=utf-8")]
            return [WireReply(status: reply.status, headers: html, body: reply.body)]
        }
    }

    @Test("claims nothing of a page in a sample's place", arguments: try Conversation.all)
    func doubtsPages(conversation: Conversation) throws {
        try expectNoClaim(conversation) { reply in
            let page = Self.smallBodies.filter { $0.0 == "nothing" || $0.0 == "HTML" }.map(\.1)
            let headers = reply.headers.filter { $0.name.lowercased() != "content-type" }
            let html = headers + [Header("Content-Type", "text/html; charset=utf-8")]
            return page.map { WireReply(status: reply.status, headers: html, body: $0) }
        }
    }

    /// Plays a conversation with its last reply spoilt in every way `spoil` gives.
    private func expectNoClaim(_ conversation: Conversation, _ spoil: (WireReply) -> [WireReply]) throws {
        let subject = try AdapterUnderTest.named(conversation.adapter)
        let call = try subject.call(conversation)
        let last = try #require(conversation.replies.last)
        for reply in spoil(last) {
            let exchanges = conversation.replies.dropLast().map { Exchange(reply: $0) } + [Exchange(reply: reply)]
            if case .outcome(let outcome) = subject.adapter.next(for: call, after: exchanges), Self.isClaim(outcome) {
                Issue.record("HTTP \(reply.status), \(reply.body.count) bytes: \(outcome)")
            }
        }
    }
}
