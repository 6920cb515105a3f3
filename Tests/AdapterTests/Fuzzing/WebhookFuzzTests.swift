import AdapterKit
import Domain
import Foundation
import SeededRandom
import StrictJSON
import Testing
import TributaryTestKit
import WireFormats

@Suite("Every adapter, fed changed webhooks,", .timeLimit(.minutes(60)))
struct WebhookFuzzTests {
    @Test("reads or refuses what its PSP signed", arguments: try AdapterUnderTest.listeners)
    func signed(subject: AdapterUnderTest) throws {
        let (listener, scheme) = (try #require(subject.listener), try #require(subject.webhooks))
        let samples = try WebhookSample.accepted.filter { $0.adapter == subject.name }
        let fuzzing = Fuzzing("\(subject.name) webhooks", corpus: try samples.map(Self.payload))
        let broken = try fuzzing.run { document, _ in
            // Where the webhook's name is signed along, it is the event's, as far as a header field can have it.
            let name = (try? JSON.parse(document))?["id"]?.stringValue
            let isField = name.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? false
            let id = isField ? name ?? "" : "evt_fuzz"
            let incoming = try scheme.signed(document, id: id)
            let reading = listener.webhook(incoming)
            guard reading == listener.webhook(incoming) else { return .broken("is read in two ways") }
            switch reading {
            case .read(let events, reply: _): return Self.verdict(on: events)
            // Where chosen values are signed, what the test signs of nonsense need not be what the adapter reads of it.
            case .refused(.wrongSignature) where !scheme.signsWholeBody: return .refused("wrong_signature")
            case .refused(.wrongSignature), .refused(.unsigned), .refused(.outsideTolerance), .refused(.notConfigured):
                return .broken("is refused for its signature, which is good: \(reading.refusal?.rawValue ?? "")")
            case .refused(let refusal): return .refused(refusal.rawValue)
            }
        }
        #expect(broken == nil)
    }

    @Test(
        "refuses what anybody sends, changed in its body or its header fields",
        arguments: try AdapterUnderTest.listeners
    )
    func unsigned(subject: AdapterUnderTest) throws {
        let (listener, scheme) = (try #require(subject.listener), try #require(subject.webhooks))
        let samples = try WebhookSample.accepted.filter { $0.adapter == subject.name }
        let fuzzing = Fuzzing("\(subject.name) forged webhooks", corpus: samples.map(\.incoming.body))
        let broken = try fuzzing.run { document, random in
            let sample = random.one(of: samples)
            var incoming = sample.incoming
            incoming.body = document
            if random.below(3) == 0, !incoming.headers.isEmpty {
                let place = random.below(incoming.headers.count)
                var mutator = FuzzMutator([Array(incoming.headers[place].value.utf8)], random)
                incoming.headers[place].value = String(decoding: mutator.next(), as: UTF8.self)
            }
            let isForged = scheme.signsWholeBody && !samples.contains { $0.incoming.body == document }
            switch listener.webhook(incoming) {
            case .read(let events, reply: _):
                return isForged ? .broken("a forged body is read: \(events.count) events") : .taken
            case .refused(let refusal): return .refused(refusal.rawValue)
            }
        }
        #expect(broken == nil)
    }

    private static func verdict(on events: [WebhookEvent]) -> Fuzzing.Verdict {
        for notice in events.flatMap(\.notices) {
            switch notice.happening {
            case .outcome(_, .succeeded(let success)) where success.amount < 0:
                return .broken("tells of \(success.amount)")
            case .dispute(let dispute) where dispute.amount < 0: return .broken("disputes \(dispute.amount)")
            default: continue
            }
        }
        return .taken
    }

    /// What is signed: the body, or in Braintree's form the document in it.
    private static func payload(of sample: WebhookSample) throws -> [UInt8] {
        guard sample.adapter == "braintree" else { return sample.incoming.body }
        let form = String(decoding: sample.incoming.body, as: UTF8.self)
        let field = try #require(form.split(separator: "&").first { $0.hasPrefix("bt_payload=") })
        let encoded = try #require(field.dropFirst("bt_payload=".count).description.removingPercentEncoding)
        return try #require(Base64.decode(encoded.filter { $0 != "\n" }))
    }
}
