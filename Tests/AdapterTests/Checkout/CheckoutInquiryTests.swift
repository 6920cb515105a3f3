import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing
import TributaryTestKit

@Suite("An action that Checkout.com accepted")
struct CheckoutInquiryTests {
    static let operations: [SampleOperation] = [.inquireCapture, .inquireVoid, .inquireRefund]
    static let types = ["Capture", "Void", "Refund"]

    static func call(_ operation: SampleOperation, state: String?) throws -> Call {
        var call = try Sample.call(operation, reference: CheckoutSample.payment)
        call.pspState = state
        return call
    }

    static func listed(_ members: JSON...) -> WireReply { CheckoutSample.reply(200, .array(members)) }

    /// What was done to every payment first.
    static let authorization: JSON = [
        "id": "act_first", "type": "Authorization", "amount": 10_000, "approved": true, "response_code": "10000",
        "reference": "att_01ka5xxqkfbf5kznwj47tan9zt",
    ]

    static let accepted = "\(CheckoutSample.operation):\(CheckoutSample.action)"

    static let other = "pay_fun26akvvjjerahhctaq2uzhu4"

    /// The search for an attempt whose request made two payments, the second one with a member changed.
    static func twice(_ path: String, _ value: JSON) throws -> WireReply {
        let reply = try Conversation.reply("checkout/inquire-authorize/succeeded-beside-another.1")
        return CheckoutSample.reply(200, try JSON.parse(reply.body).with("data/1/" + path, value))
    }

    @Test("of a payment that was made twice tells the other one that holds the whole amount, or that it does not")
    func surplus() throws {
        let found = try Conversation.reply("checkout/inquire-authorize/succeeded-beside-another.2")
        let call = try Sample.call(.inquireAuthorize)
        let other = SurplusPayment(reference: Self.other)
        for (status, surplus) in [("Authorized", [other]), ("Voided", [])] {
            let replies = [try Self.twice("status", .string(status)), found]
            guard case .succeeded(let success) = try CheckoutSample.outcome(of: call, after: replies) else {
                Issue.record("nothing is held")
                continue
            }
            #expect(success.reference == CheckoutSample.payment && success.surplus == surplus)
        }
    }

    @Test("of a payment that was made twice tells what was captured of the other one")
    func surplusCaptured() throws {
        let found = try Conversation.reply("checkout/inquire-authorize/succeeded-beside-another.2")
        let list = try JSON.parse(try Self.twice("status", "Partially Captured").body)
            .with("data/0/status", "Captured")
            .with("data/1/balances", ["total_authorized": 10_000, "total_captured": 182])
        let replies = [CheckoutSample.reply(200, list), found]
        let call = try Sample.call(.inquireAuthorize)
        guard case .succeeded(let success) = try CheckoutSample.outcome(of: call, after: replies) else {
            Issue.record("nothing is held")
            return
        }
        #expect(success.surplus == [SurplusPayment(reference: Self.other, capturedAmount: 182)])
    }

    @Test("tells of a void what captures had taken before it, ours or not")
    func capturedBeforeVoid() throws {
        let done: [(String, String, Int64, Bool)] = [
            (CheckoutSample.action, "Void", 9000, true), ("act_a", "Capture", 182, true),
            ("act_b", "Capture", 818, true), ("act_c", "Capture", 500, false),
        ]
        let actions: [JSON] = done.map { id, type, amount, isApproved in
            [
                "id": .string(id), "type": .string(type), "amount": .integer(amount), "approved": .bool(isApproved),
                "response_code": .string(isApproved ? "10000" : "20005"),
            ]
        }
        let reply = CheckoutSample.reply(200, .array(actions + [Self.authorization]))
        let outcome = try CheckoutSample.outcome(of: Self.call(.inquireVoid, state: Self.accepted), after: [reply])
        let expected = Success(reference: CheckoutSample.action, amount: 10_000, capturedAmount: 1000)
        #expect(outcome == .succeeded(expected))
    }

    /// The captures in a list, latest first: reference, amount and whether it was done.
    struct Listed: Sendable {
        var captures: [(reference: String?, amount: Int64, isDone: Bool)]
        var operation: SampleOperation
        /// What is captured in all where nothing is left for ours; nil where ours may still come.
        var captured: Int64?

        init(
            _ captures: (String?, Int64, Bool)...,
            of operation: SampleOperation = .inquireCapture,
            captured: Int64? = nil
        ) {
            self.captures = captures.map { (reference: $0, amount: $1, isDone: $2) }
            self.operation = operation
            self.captured = captured
        }
    }

    @Test(
        "is not to come any more where others' captures took all that was approved, and what they took is told",
        arguments: [
            Listed(("att_01ka5xxqkfbf5kznwj47tan9zt", 10_000, true), captured: 10_000),
            Listed((nil, 182, true), ("ORD-5023-4E89", 9818, true), captured: 10_000),
            Listed((nil, 182, false), ("ORD-5023-4E89", 9818, true)),
            Listed((nil, 9999, true)),
            Listed((nil, 9818, true), ("op_01ka5xxqkgf8vtj7p1pv4y53j0", 182, true)),
            Listed((nil, 10_000, true), of: .inquireVoid),
            Listed((nil, 10_000, true), of: .inquireRefund),
            Listed(),
        ]
    )
    func others(listed: Listed) throws {
        let actions: [JSON] = listed.captures.enumerated().map { index, capture in
            .object(omittingAbsent: [
                "id": .string("act_\(index)"), "type": "Capture", "amount": .integer(capture.amount),
                "approved": .bool(capture.isDone), "response_code": .string(capture.isDone ? "10000" : "20005"),
                "reference": capture.reference.map(JSON.string),
            ])
        }
        let reply = CheckoutSample.reply(200, .array(actions + [Self.authorization]))
        let outcome = try CheckoutSample.outcome(of: Self.call(listed.operation, state: nil), after: [reply])
        guard case .rejected(let rejection) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(rejection.reason == (listed.captured == nil ? .notFound : .alreadyCaptured))
        #expect(rejection.captured == listed.captured)
        let accepted = try CheckoutSample.outcome(of: Self.call(listed.operation, state: Self.accepted), after: [reply])
        #expect(accepted == .pending(Progress(reference: CheckoutSample.action)))
    }

    @Test(
        "takes a capture that only metadata name for another one of ours, unless they are the payment's",
        arguments: [("op_01ka5xxqkgf8vtj7p1pv4y53j0", .notFound), ("op_01ka5xxqkgf8vtj7p1pv4y53j1", .alreadyCaptured)]
            as [(String, Rejection.Reason)]
    )
    func namedByMetadata(_ row: (operation: String, reason: Rejection.Reason)) throws {
        let payment: JSON = ["operation": "op_01ka5xxqkgf8vtj7p1pv4y53j1"]
        let capture: JSON = [
            "id": "act_0", "type": "Capture", "amount": 10_000, "approved": true, "response_code": "10000",
            "metadata": ["operation": .string(row.operation)],
        ]
        let reply = CheckoutSample.reply(200, .array([capture, Self.authorization.with("metadata", payment)]))
        let outcome = try CheckoutSample.outcome(of: Self.call(.inquireCapture, state: nil), after: [reply])
        #expect(Expectation(outcome) == .rejected(row.reason))
    }

    @Test("finds a capture that has the payment's reference to be nobody's of us, whatever its metadata name")
    func namedAsThePayment() throws {
        let call = try Self.call(.inquireCapture, state: nil)
        let capture: JSON = [
            "id": "act_0", "type": "Capture", "amount": 10_000, "approved": true, "response_code": "10000",
            "reference": .string(call.attempt.text), "metadata": ["operation": "op_01ka5xxqkgf8vtj7p1pv4y53j0"],
        ]
        let reply = CheckoutSample.reply(200, .array([capture, Self.authorization]))
        #expect(Expectation(try CheckoutSample.outcome(of: call, after: [reply])) == .rejected(.alreadyCaptured))
    }

    @Test(
        "of a payment that was made twice, once approved in part, is of the other, whichever is the latest",
        arguments: [0, 1]
    )
    func surplusInPart(place: Int) throws {
        let found = try Conversation.reply("checkout/inquire-authorize/succeeded-beside-another.2")
        let list = try JSON.parse(try Self.twice("status", "Authorized").body).with("data/\(place)/amount", 6000)
        let names = [CheckoutSample.payment, Self.other]
        let (call, reply) = (try Sample.call(.inquireAuthorize), CheckoutSample.reply(200, list))
        let request = try CheckoutSample.request(call, after: [Exchange(reply: reply)])
        #expect(request.url.hasSuffix(names[1 - place]))
        let payment = try JSON.parse(found.body).with("id", .string(names[1 - place]))
        let outcome = try CheckoutSample.outcome(of: call, after: [reply, CheckoutSample.reply(200, payment)])
        guard case .succeeded(let success) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(success.reference == names[1 - place] && success.amount == 10_000)
        #expect(success.surplus == [SurplusPayment(reference: names[place], approvedAmount: 6000)])
    }

    @Test("of a payment that was made twice asks after the one that took money, and waits while one is not decided")
    func several() throws {
        let call = try Sample.call(.inquireAuthorize)
        let taken = try CheckoutSample.request(call, after: [Exchange(reply: Self.twice("status", "Captured"))])
        #expect(taken.url.hasSuffix(Self.other))
        for (path, value) in [("status", JSON.string("Pending")), ("amount", 10_001)] {
            #expect(Expectation(try CheckoutSample.outcome(of: call, after: [Self.twice(path, value)])) == .unknown)
        }
    }

    @Test("exists, even if it is not listed yet", arguments: operations)
    func notListed(operation: SampleOperation) throws {
        let known = try CheckoutSample.outcome(
            of: Self.call(operation, state: "op_other:act_other \(Self.accepted)"),
            after: [Self.listed()]
        )
        #expect(known == .pending(Progress(reference: CheckoutSample.action)))
        for state in [nil, "", "op_other:act_other", "\(CheckoutSample.operation)", ":::"] {
            let call = try Self.call(operation, state: state)
            let listed = try CheckoutSample.outcome(of: call, after: [Self.listed(Self.authorization)])
            #expect(Expectation(listed) == .rejected(.notFound))
            // Every payment was authorized, so that an empty list is not known to be this payment's.
            #expect(Expectation(try CheckoutSample.outcome(of: call, after: [Self.listed()])) == .unknown)
        }
    }

    @Test("is known by its name alone", arguments: zip(operations, types))
    func byName(operation: SampleOperation, type: String) throws {
        let action: JSON = [
            "id": .string(CheckoutSample.action), "type": .string(type), "amount": 9000, "approved": true,
            "response_code": "10000", "reference": "ORD-5023-4E89",
        ]
        let call = try Self.call(operation, state: Self.accepted)
        #expect(Expectation(try CheckoutSample.outcome(of: call, after: [Self.listed(action)])) == .succeeded)
        let stranger = try Self.call(operation, state: nil)
        let outcome = try CheckoutSample.outcome(of: stranger, after: [Self.listed(action, Self.authorization)])
        #expect(Expectation(outcome) == .rejected(.notFound))
        #expect(Expectation(try CheckoutSample.outcome(of: stranger, after: [Self.listed(action)])) == .unknown)
    }

    @Test("is pending while it is listed without an end", arguments: zip(operations, types))
    func undecided(operation: SampleOperation, type: String) throws {
        let action: JSON = ["id": .string(CheckoutSample.action), "type": .string(type), "amount": 10_000]
        let call = try Self.call(operation, state: Self.accepted)
        let outcome = try CheckoutSample.outcome(of: call, after: [Self.listed(action)])
        #expect(outcome == .pending(Progress(reference: CheckoutSample.action)))
    }

    @Test("is not taken for one of another kind", arguments: operations)
    func otherKind(operation: SampleOperation) throws {
        let action: JSON = [
            "id": "act_x", "type": "Authorization", "amount": 10_000, "approved": true, "response_code": "10000",
            "reference": .string(CheckoutSample.operation),
        ]
        let outcome = try CheckoutSample.outcome(of: Self.call(operation, state: nil), after: [Self.listed(action)])
        #expect(Expectation(outcome) == .rejected(.notFound))
    }

    @Test("keeps at most as many names as a payment has actions")
    func limit() throws {
        var call = try Sample.call(.capture, reference: CheckoutSample.payment)
        call.pspState = (0..<500).map { "op_\($0):act_\($0)" }.joined(separator: " ")
        let body: JSON = [
            "action_id": .string(CheckoutSample.action), "reference": .string(CheckoutSample.operation),
        ]
        guard
            case .pending(let progress) = try CheckoutSample.outcome(of: call, after: [CheckoutSample.reply(202, body)])
        else {
            Issue.record("not pending")
            return
        }
        let names = try #require(progress.state).split(separator: " ")
        #expect(names.count == 160)
        #expect(names.last.map(String.init) == Self.accepted)
    }
}
