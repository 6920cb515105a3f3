import AdapterKit
import Domain
import Testing

/// A connection that got out of step gives one call's reply to the next: a PSP, or something in front of it, that
/// answers twice is enough.
@Suite("Every adapter, in front of the reply to another call,")
struct OtherCallTests {
    /// The recordings that decide something.
    static var decisive: [Fixture] {
        get throws { try Fixture.all.filter { Expectation($0.name) != .unknown } }
    }

    /// The decisive recordings of what can be done more than once to one payment, where the replies tell which it is.
    static var repeatable: [Fixture] {
        get throws {
            try decisive.filter { fixture in
                let subject = try AdapterUnderTest.named(fixture.adapter)
                return switch fixture.operation {
                case .refund: subject.namesNoOperation == nil
                case .capture: subject.adapter.capabilities.multipleCapture && subject.namesNoOperation == nil
                case .inquireRefund: true
                case .inquireCapture: subject.adapter.capabilities.multipleCapture
                case .authorize, .void, .inquireAuthorize, .inquireVoid: false
                }
            }
        }
    }

    @Test("decides nothing about another payment", arguments: try decisive)
    func doubtsOtherPayment(fixture: Fixture) throws {
        let subject = try AdapterUnderTest.named(fixture.adapter)
        let other = try OtherCall.payment(subject, fixture)
        try expectOwnReplies(subject, fixture, other)
        let areBare = (subject.bareSearches ?? subject.bareTokens) != nil
        for index in fixture.replies.indices.dropLast() {
            let misread = try Misread(subject, fixture, other, at: index)
            let isRefused = areBare ? !misread.isClaim : !misread.isDecided
            #expect(isRefused, "exchange \(index + 1): \(misread.step)")
        }
        let last = try Misread(subject, fixture, other, at: fixture.replies.count - 1)
        if subject.bareSuccesses.values.contains(where: { $0.contains(fixture.path) }) {
            #expect(last.isClaim, "the reply is not bare: \(last.step)")
        } else if subject.bareReplies.values.contains(where: { $0.contains(fixture.path) }) {
            #expect(last.isDecided && !last.isClaim, "the reply is not bare: \(last.step)")
        } else {
            #expect(!last.isDecided, "\(last.step)")
        }
    }

    @Test("claims nothing about a second operation on the same payment", arguments: try repeatable)
    func doubtsOtherOperation(fixture: Fixture) throws {
        let subject = try AdapterUnderTest.named(fixture.adapter)
        let other = try OtherCall.operation(subject, fixture)
        for index in fixture.replies.indices {
            let misread = try Misread(subject, fixture, other, at: index)
            #expect(!misread.isClaim, "exchange \(index + 1): \(misread.step)")
        }
    }

    @Test("names as bare only replies that are recorded, and says why", arguments: try AdapterUnderTest.all)
    func listsRecordings(subject: AdapterUnderTest) throws {
        let paths = Set(try Self.decisive.filter { $0.adapter == subject.name }.map(\.path))
        for (reason, bare) in subject.bareReplies.merging(subject.bareSuccesses, uniquingKeysWith: { $0.union($1) }) {
            #expect(!reason.isEmpty)
            #expect(bare.subtracting(paths).isEmpty)
        }
    }

    /// Plays the recording as it would be of the other call: it is read as its file is named, so that what is refused
    /// is refused for whom it names.
    private func expectOwnReplies(_ subject: AdapterUnderTest, _ fixture: Fixture, _ other: OtherCall) throws {
        let exchanges = fixture.replies.map { Exchange(reply: other.own($0)) }
        guard case .outcome(let outcome) = subject.adapter.next(for: other.call, after: exchanges) else {
            Issue.record("goes on after the last exchange")
            return
        }
        #expect(Expectation(outcome) == Expectation(fixture.name), "\(outcome)")
    }
}

extension OtherCallTests {
    /// What follows from a call's own replies up to one that is another call's.
    struct Misread {
        let step: Step
        /// Whether what the reply is taken to answer moves money.
        private let answersMoney: Bool

        init(_ subject: AdapterUnderTest, _ fixture: Fixture, _ other: OtherCall, at index: Int) throws {
            let own = fixture.replies[..<index].map { Exchange(reply: other.own($0)) }
            let sent: WireRequest? =
                if case .send(let request) = subject.adapter.next(for: other.call, after: own) { request } else { nil }
            answersMoney = try #require(sent, "ends after \(index) of \(fixture.replies.count) exchanges").canMoveMoney
            step = subject.adapter.next(for: other.call, after: own + [Exchange(reply: fixture.replies[index])])
        }

        /// Whether it claims something of the money.
        var isClaim: Bool {
            switch step {
            case .outcome(.succeeded), .outcome(.pending), .outcome(.actionRequired): true
            case .outcome, .send: false
            }
        }

        /// Whether it ends the operation, or moves money.
        var isDecided: Bool {
            switch step {
            case .outcome(.unknown): false
            case .outcome(.notSent): answersMoney
            case .outcome: true
            case .send(let request): request.canMoveMoney
            }
        }
    }
}

extension Fixture {
    /// `<operation>/<name>`.
    fileprivate var path: String { "\(operation.rawValue)/\(name)" }
}
