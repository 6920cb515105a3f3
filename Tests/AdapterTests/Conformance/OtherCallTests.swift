import AdapterKit
import Domain
import Testing

/// A connection that got out of step gives one call's reply to the next: a PSP, or something in front of it, that
/// answers twice is enough.
@Suite("Every adapter, in front of the reply to another call,")
struct OtherCallTests {
    /// The conversations that decide something.
    static var decisive: [Conversation] {
        get throws { try Conversation.all.filter { Expectation($0.name) != .unknown } }
    }

    /// The decisive conversations about what can be done more than once to one payment, where the replies tell which it is.
    static var repeatable: [Conversation] {
        get throws {
            try decisive.filter { conversation in
                let subject = try AdapterUnderTest.named(conversation.adapter)
                return switch conversation.operation {
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
    func doubtsOtherPayment(conversation: Conversation) throws {
        let subject = try AdapterUnderTest.named(conversation.adapter)
        let other = try OtherCall.payment(subject, conversation)
        try expectOwnReplies(subject, conversation, other)
        let areBare = (subject.bareSearches ?? subject.bareTokens) != nil
        for index in conversation.replies.indices.dropLast() {
            let misread = try Misread(subject, conversation, other, at: index)
            let isRefused = areBare ? !misread.isClaim : !misread.isDecided
            #expect(isRefused, "exchange \(index + 1): \(misread.step)")
        }
        let last = try Misread(subject, conversation, other, at: conversation.replies.count - 1)
        if subject.bareSuccesses.values.contains(where: { $0.contains(conversation.localPath) }) {
            #expect(last.isClaim, "the reply is not bare: \(last.step)")
        } else if subject.bareReplies.values.contains(where: { $0.contains(conversation.localPath) }) {
            #expect(last.isDecided && !last.isClaim, "the reply is not bare: \(last.step)")
        } else {
            #expect(!last.isDecided, "\(last.step)")
        }
    }

    @Test("claims nothing about a second operation on the same payment", arguments: try repeatable)
    func doubtsOtherOperation(conversation: Conversation) throws {
        let subject = try AdapterUnderTest.named(conversation.adapter)
        let other = try OtherCall.operation(subject, conversation)
        for index in conversation.replies.indices {
            let misread = try Misread(subject, conversation, other, at: index)
            #expect(!misread.isClaim, "exchange \(index + 1): \(misread.step)")
        }
    }

    @Test("names as bare only replies of conversations, and says why", arguments: try AdapterUnderTest.all)
    func listsConversations(subject: AdapterUnderTest) throws {
        let paths = Set(try Self.decisive.filter { $0.adapter == subject.name }.map(\.localPath))
        for (reason, bare) in subject.bareReplies.merging(subject.bareSuccesses, uniquingKeysWith: { $0.union($1) }) {
            #expect(!reason.isEmpty)
            #expect(bare.subtracting(paths).isEmpty)
        }
    }

    /// Plays the conversation as it would be of the other call: it is read as it is named, so that what is refused
    /// is refused for whom it names.
    private func expectOwnReplies(_ subject: AdapterUnderTest, _ conversation: Conversation, _ other: OtherCall) throws
    {
        let exchanges = conversation.replies.map { Exchange(reply: other.own($0)) }
        guard case .outcome(let outcome) = subject.adapter.next(for: other.call, after: exchanges) else {
            Issue.record("goes on after the last exchange")
            return
        }
        #expect(Expectation(outcome) == Expectation(conversation.name), "\(outcome)")
    }
}

extension OtherCallTests {
    /// What follows from a call's own replies up to one that is another call's.
    struct Misread {
        let step: Step
        /// Whether what the reply is taken to answer moves money.
        private let answersMoney: Bool

        init(_ subject: AdapterUnderTest, _ conversation: Conversation, _ other: OtherCall, at index: Int) throws {
            let own = conversation.replies[..<index].map { Exchange(reply: other.own($0)) }
            let sent: WireRequest? =
                if case .send(let request) = subject.adapter.next(for: other.call, after: own) { request } else { nil }
            answersMoney = try #require(sent, "ends after \(index) of \(conversation.replies.count) exchanges")
                .canMoveMoney
            step = subject.adapter.next(for: other.call, after: own + [Exchange(reply: conversation.replies[index])])
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

extension Conversation {
    /// `<operation>/<name>`.
    fileprivate var localPath: String { "\(operation.rawValue)/\(name)" }
}
