import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("Every adapter that hears webhooks, in front of forgeries,")
struct WebhookForgeryTests {
    @Test("refuses a body of which any bit was changed", arguments: try WebhookSample.accepted)
    func changedBody(sample: WebhookSample) throws {
        guard try sample.scheme.signsWholeBody else { return }
        let listener = try sample.listener
        var incoming = sample.incoming
        let size = incoming.body.count
        for index in stride(from: 0, to: size, by: max(1, size / 40)) {
            incoming.body[index] ^= 1 << (index % 8)
            #expect(listener.webhook(incoming).refusal == .wrongSignature)
            incoming.body = sample.incoming.body
        }
        incoming.body.append(0x0A)
        #expect(listener.webhook(incoming).refusal == .wrongSignature)
        incoming.body = Array(sample.incoming.body.dropLast(size / 2))
        #expect(listener.webhook(incoming).refusal == .wrongSignature)
    }

    @Test("refuses a webhook without any one of the scheme's header fields", arguments: try WebhookSample.accepted)
    func missingHeader(sample: WebhookSample) throws {
        guard try sample.scheme.needsEveryHeader else { return }
        let listener = try sample.listener
        for field in sample.incoming.headers where field.name != "Content-Type" {
            var incoming = sample.incoming
            incoming.headers.removeAll { $0 == field }
            #expect(listener.webhook(incoming).refusal == .unsigned)
            incoming.headers += [field, field]
            #expect(listener.webhook(incoming).refusal == .unsigned)
        }
    }

    @Test("finds header fields in any spelling", arguments: try WebhookSample.accepted)
    func spelling(sample: WebhookSample) throws {
        var incoming = sample.incoming
        incoming.headers = incoming.headers.map { Header($0.name.uppercased(), $0.value) }
        #expect(try sample.listener.webhook(incoming) == (try sample.listener.webhook(sample.incoming)))
    }

    @Test(
        "accepts a signature for five minutes around its time",
        arguments: try AdapterUnderTest.listeners.filter { $0.webhooks?.isTimed == true }.map(\.name),
        [(-301, false), (-300, true), (0, true), (300, true), (301, false), (86_400, false)] as [(Int64, Bool)]
    )
    func tolerance(adapter: String, row: (age: Int64, isAccepted: Bool)) throws {
        let samples = try WebhookSample.accepted
        let sample = try #require(samples.first { $0.adapter == adapter })
        var incoming = sample.incoming
        incoming.receivedAt = WebhookSample.moment(Sample.signedAt + row.age)
        #expect(try sample.listener.webhook(incoming).refusal == (row.isAccepted ? nil : .outsideTolerance))
    }

    @Test("refuses everything while the account has no secret", arguments: try WebhookSample.accepted)
    func withoutSecret(sample: WebhookSample) throws {
        for secret in [nil, "", " ", ","] {
            let listener = try WebhookConformanceTests.listener(sample.adapter, secret: secret)
            #expect(listener.webhook(sample.incoming).refusal == .notConfigured)
        }
    }

    @Test(
        "refuses what is no event, however well it is signed",
        arguments: try AdapterUnderTest.listeners
    )
    func malformed(subject: AdapterUnderTest) throws {
        let listener = try #require(subject.listener)
        let scheme = try #require(subject.webhooks)
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        let bodies = RobustnessTests.smallBodies.map(\.1) + [deep]
        for body in bodies {
            let reading = listener.webhook(try scheme.signed(body))
            #expect(reading.refusal == .malformed)
        }
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        let large = Array(#"{"id":"evt_forged","type":"x","x":""#.utf8) + text + Array(#""}"#.utf8)
        #expect(listener.webhook(try scheme.signed(large)).refusal == .tooLarge)
        let html = try scheme.signed(Array(RobustnessTests.html.utf8))
        #expect(listener.webhook(html).refusal == .malformed)
    }

    @Test("claims no more of an event that lacks something", arguments: try WebhookSample.accepted)
    func lacking(sample: WebhookSample) throws {
        guard try sample.scheme.signsWholeBody else { return }
        let listener = try sample.listener
        let whole = try #require(listener.webhook(sample.incoming).events?.first)
        let json = try JSON.parse(sample.incoming.body)
        for lesser in Self.withoutEachMember(json, depth: 3) {
            let incoming = try sample.scheme.signed(lesser.bytes, id: whole.id)
            guard let event = listener.webhook(incoming).events?.first else { continue }
            for notice in event.notices {
                let namesItself = try !sample.scheme.alwaysNamesPayment && notice.subject.object != nil
                #expect(notice.subject.payment != nil || notice.subject.attempt != nil || namesItself)
                guard let told = whole.notices.first.flatMap(Self.amount) else { continue }
                #expect(Self.amount(notice) == nil || Self.amount(notice) == told, "\(notice)")
            }
        }
    }

    /// The amount that a notice claims.
    private static func amount(_ notice: Notice) -> Int64? {
        switch notice.happening {
        case .outcome(_, .succeeded(let success)): success.amount
        case .dispute(let dispute): dispute.amount
        default: nil
        }
    }

    /// The document without each of its members down to a depth, one at a time.
    private static func withoutEachMember(_ json: JSON, depth: Int) -> [JSON] {
        guard depth > 0, case .object(let members) = json else { return [] }
        return members.indices.flatMap { index in
            var rest = members
            let removed = rest.remove(at: index)
            let deeper = withoutEachMember(removed.value, depth: depth - 1).map { lesser in
                var changed = members
                changed[index] = JSON.Member(removed.key, lesser)
                return JSON.object(changed)
            }
            return [.object(rest)] + deeper
        }
    }
}
