import AdapterKit
import Domain
import Testing

@Suite("The requests of every adapter")
struct RequestTests {
    /// The requests of every call whose replies lead to one, with the number of the exchange.
    static func requests(of subject: AdapterUnderTest) throws -> [(call: Call, exchange: Int, request: WireRequest)] {
        var found: [(Call, Int, WireRequest)] = []
        var starts: [Call] = []
        for operation in SampleOperation.allCases {
            starts += try Sample.credentials.map { try Sample.call(operation, credential: $0) }
            starts.append(try subject.shortCall(operation))
        }
        for call in starts {
            guard case .send(let request) = subject.adapter.next(for: call, after: []) else { continue }
            found.append((call, 0, request))
        }
        for conversation in try Conversation.all where conversation.adapter == subject.name && conversation.isNumbered {
            let call = try subject.longCall(conversation.operation)
            for count in 1..<max(conversation.replies.count, 1) {
                let exchanges = conversation.replies.prefix(count).map { Exchange(reply: $0) }
                guard case .send(let request) = subject.adapter.next(for: call, after: exchanges) else { continue }
                found.append((call, count, request))
            }
        }
        return found
    }

    @Test("are the same bytes for the same call", arguments: try AdapterUnderTest.all)
    func areDeterministic(subject: AdapterUnderTest) throws {
        let again = try AdapterUnderTest.named(subject.name)
        let first = try Self.requests(of: subject).map(\.request)
        #expect(first == (try Self.requests(of: again).map(\.request)))
        let silent = SampleOperation.allCases.filter { subject.lacks.contains("\($0.rawValue)/unknown") }
        #expect(first.count >= SampleOperation.allCases.count - silent.count)
    }

    @Test("go to the configured base URL", arguments: try AdapterUnderTest.all)
    func goToTheBaseURL(subject: AdapterUnderTest) throws {
        for (_, _, request) in try Self.requests(of: subject) {
            #expect(request.url.hasPrefix("https://psp.example/"))
            #expect(request.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(request)")
        }
    }

    @Test("carry the operation's key, ASCII of at most 36 characters", arguments: try AdapterUnderTest.all)
    func carryKeys(subject: AdapterUnderTest) throws {
        guard case .key = subject.adapter.capabilities.idempotency else { return }
        for (call, exchange, request) in try Self.requests(of: subject) where request.canMoveMoney {
            guard !subject.requestsWithoutKey.contains(where: { request.url.hasSuffix($0) }) else { continue }
            var keys = (0...exchange).map { call.key(exchange: $0) }
            if subject.keysByAttempt { keys.append(call.attempt.text) }
            #expect(keys.allSatisfy { $0.utf8.count <= 36 && $0.utf8.allSatisfy { $0 < 0x80 } })
            let body = String(decoding: request.body, as: UTF8.self)
            let isCarried = keys.contains { key in request.headers.contains { $0.value == key } || body.contains(key) }
            #expect(isCarried, "\(request) carries no key")
        }
    }

    @Test("carry the same key whether or not the payment's reference is known", arguments: try AdapterUnderTest.all)
    func keepTheirKey(subject: AdapterUnderTest) throws {
        guard case .key = subject.adapter.capabilities.idempotency else { return }
        for conversation in try Conversation.all
        where conversation.adapter == subject.name && conversation.replies.count > 1 {
            guard [.capture, .void, .refund].contains(conversation.operation) else { continue }
            guard
                case .send(let short) = subject.adapter.next(
                    for: try subject.shortCall(conversation.operation),
                    after: []
                )
            else { continue }
            let long = try subject.longCall(conversation.operation)
            let requests = (0..<conversation.replies.count).compactMap { count -> WireRequest? in
                let looked = conversation.replies.prefix(count).map { Exchange(reply: $0) }
                guard case .send(let request) = subject.adapter.next(for: long, after: looked) else { return nil }
                return request
            }
            // What is known by then may ask for another request first; the same one is the same to the byte.
            guard let same = requests.first(where: { $0.canMoveMoney }), same.url == short.url,
                same.method == short.method
            else { continue }
            #expect(same == short, "\(conversation)")
        }
    }

    @Test("of an inquiry move no money, and of an operation end in one that does", arguments: try AdapterUnderTest.all)
    func saysWhatMovesMoney(subject: AdapterUnderTest) throws {
        for (call, _, request) in try Self.requests(of: subject) where call.purpose == .inquire {
            #expect(!request.canMoveMoney, "\(request)")
        }
        for operation in [SampleOperation.authorize, .capture, .void, .refund] {
            guard case .send(let request) = subject.adapter.next(for: try subject.shortCall(operation), after: [])
            else {
                Issue.record("\(operation) sends nothing")
                continue
            }
            #expect(request.canMoveMoney, "\(request)")
        }
    }
}
