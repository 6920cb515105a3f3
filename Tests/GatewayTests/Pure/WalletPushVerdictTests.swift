import AdapterKit
import Domain
import Storage
import StrictJSON
import Testing

@testable import Gateway

@Suite("What an answer of APNs means")
struct WalletPushVerdictTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func verdict(
        _ status: Int,
        _ body: JSON = .object([]),
        retryAfter: String? = nil,
        after failures: Int64 = 0
    ) -> WalletPushVerdict {
        let headers = retryAfter.map { [Header("Retry-After", $0)] } ?? []
        let reply = WireReply(status: status, headers: headers, body: body.bytes)
        return WalletPushVerdict(.reply(reply), after: failures, at: now)
    }

    /// How long after now it is tried again, in milliseconds; nil if it is not.
    private static func pause(_ verdict: WalletPushVerdict) -> Int64? {
        guard case .again(let next, _, _) = verdict.outcome else { return nil }
        return next.milliseconds(since: now)
    }

    @Test("settles what was owed with 200 alone")
    func delivered() {
        #expect(Self.verdict(200).outcome == .delivered(status: 200))
        for status in [201, 204, 301, 404, 405, 413] { #expect(Self.pause(Self.verdict(status)) == 300_000) }
    }

    @Test("ends registrations whose token is no more, by Apple's own time")
    func gone() {
        let since = Timestamp(microseconds: 1_772_366_400_000_000)
        let told: JSON = ["reason": "Unregistered", "timestamp": 1_772_366_400_000]
        #expect(Self.verdict(410, told).outcome == .gone(since: since))
        #expect(Self.verdict(410).outcome == .gone(since: nil))
        #expect(Self.verdict(400, ["reason": "BadDeviceToken"]).outcome == .gone(since: nil))
    }

    @Test("puts off what Apple is too busy for, ever longer and an hour at most")
    func busy() {
        let pauses = (0...13).map { Self.pause(Self.verdict($0 % 2 == 0 ? 429 : 503, after: Int64($0))) }
        #expect(pauses.prefix(4) == [1000, 2000, 4000, 8000])
        #expect(pauses.suffix(2) == [3_600_000, 3_600_000])
        #expect(Self.pause(Self.verdict(429, retryAfter: "120")) == 120_000)
        #expect(Self.pause(Self.verdict(503, retryAfter: "9999999999")) == 3_600_000)
        #expect(Self.pause(Self.verdict(503, after: .max)) == 3_600_000)
        let silence = WalletPushVerdict(.failure(reason: "timeout", mayHaveArrived: true), after: 1, at: Self.now)
        #expect(Self.pause(silence) == 2000)
        #expect(silence.problem == nil)
    }

    @Test("tells somebody of what only a person can mend, in Apple's words without control characters")
    func problems() {
        for reason in ["BadCertificate", "BadCertificateEnvironment"] {
            let verdict = Self.verdict(403, ["reason": .string(reason)])
            #expect(verdict.problem == "wallet_orders: APNs answers 403 \(reason)")
            #expect(Self.pause(verdict) == 300_000)
        }
        let strange = Self.verdict(400, ["reason": "a\u{1B}[31mb"])
        #expect(strange.problem == "wallet_orders: APNs answers 400 a[31mb")
    }
}

@Suite("What a device was told")
struct ModificationTagTests {
    private static func order(_ id: String, _ version: Int64, at second: Int64) -> (String, Int64, Timestamp) {
        (id, version, Timestamp(seconds: second))
    }

    @Test("comes back as it was, and nothing else does")
    func text() throws {
        let tag = ModificationTag([Self.order("a", 1, at: 1_800_000_000), Self.order("b", 7, at: 1_800_000_005)])
        #expect(ModificationTag(tag.text) == tag)
        for text in ["", "garbage!", "-1", "--", "zz-", "zz-!!", String(repeating: "1", count: 2001)] {
            #expect(ModificationTag(text) == nil, "\(text)")
        }
    }

    @Test("leaves out nothing of a transaction that committed late with an earlier time")
    func late() {
        let told = ModificationTag([Self.order("a", 1, at: 1000), Self.order("b", 3, at: 1300)])
        #expect(told.covers(Self.order("a", 1, at: 1000)))
        #expect(told.covers(Self.order("b", 3, at: 1300)))
        #expect(!told.covers(Self.order("a", 2, at: 1299)))
        #expect(!told.covers(Self.order("c", 1, at: 1200)))
        #expect(told.covers(Self.order("old", 1, at: 600)))
    }

    @Test("stays short however many orders changed at once, and tells the rest once more")
    func many() {
        let orders = (0..<500).map { Self.order("order-\($0)", 1, at: 1_800_000_000 + Int64($0) / 10) }
        let tag = ModificationTag(orders)
        #expect(tag.text.utf8.count < 1000)
        #expect(orders.count { tag.covers($0) } == 64)
    }
}
