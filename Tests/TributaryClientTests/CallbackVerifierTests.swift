import Crypto
import Foundation
import Testing
import TributaryClient

@Suite("A verifier of callbacks")
struct CallbackVerifierTests {
    private static let now: Int64 = 1_800_000_000
    private static let body = Array(#"{"type":"order.paid","data":{}}"#.utf8)
    private static let old = Array("the secret before, 32 bytes ....".utf8)
    private static let new = Array("the secret from now on, 32 bytes".utf8)

    private static func text(_ secret: [UInt8]) -> String { "whsec_" + Data(secret).base64EncodedString() }

    private static func signature(_ secret: [UInt8], at time: Int64, of body: [UInt8] = body) -> String {
        let key = SymmetricKey(data: secret)
        let code = HMAC<SHA256>.authenticationCode(for: Array("msg_1.\(time).".utf8) + body, using: key)
        return "v1," + Data(code).base64EncodedString()
    }

    private static func headers(_ signature: String, at time: Int64 = now) -> [(name: String, value: String)] {
        [("Webhook-Id", "msg_1"), ("webhook-timestamp", "\(time)"), ("webhook-signature", signature)]
    }

    @Test("takes what one of its secrets has signed, one signature of several", arguments: [old, new])
    func genuine(_ secret: [UInt8]) throws {
        let verifier = try CallbackVerifier(secrets: [Self.text(Self.old), Self.text(Self.new)])
        let signatures = "v1a,zzz v1,AAAA " + Self.signature(secret, at: Self.now)
        let callback = try verifier.verify(body: Self.body, headers: Self.headers(signatures), now: Self.now)
        #expect(callback.id == "msg_1")
        #expect(callback.type == "order.paid")
        #expect(callback.sentAt == Self.now)
        #expect(callback.body == Self.body)
    }

    @Test("refuses another body, another secret and another time under the same signature")
    func forged() throws {
        let verifier = try CallbackVerifier(secrets: [Self.text(Self.new)])
        let signature = Self.signature(Self.new, at: Self.now)
        #expect(throws: CallbackVerifier.Refusal.wrongSignature) {
            try verifier.verify(body: Self.body + [0x20], headers: Self.headers(signature), now: Self.now)
        }
        #expect(throws: CallbackVerifier.Refusal.wrongSignature) {
            let stranger = Self.signature(Self.old, at: Self.now)
            return try verifier.verify(body: Self.body, headers: Self.headers(stranger), now: Self.now)
        }
        #expect(throws: CallbackVerifier.Refusal.wrongSignature) {
            try verifier.verify(body: Self.body, headers: Self.headers(signature, at: Self.now + 1), now: Self.now)
        }
    }

    @Test("refuses what is older or newer than five minutes", arguments: [-301, 301])
    func age(_ distance: Int64) throws {
        let verifier = try CallbackVerifier(secrets: [Self.text(Self.new)])
        let headers = Self.headers(Self.signature(Self.new, at: Self.now))
        #expect(throws: CallbackVerifier.Refusal.outsideTolerance) {
            try verifier.verify(body: Self.body, headers: headers, now: Self.now + distance)
        }
        _ = try verifier.verify(body: Self.body, headers: headers, now: Self.now + distance.signum() * 300)
    }

    @Test("takes a tolerance below zero for none", arguments: [0, -1, .min])
    func noTolerance(_ seconds: Int64) throws {
        let verifier = try CallbackVerifier(secrets: [Self.text(Self.new)], toleranceSeconds: seconds)
        let headers = Self.headers(Self.signature(Self.new, at: Self.now))
        _ = try verifier.verify(body: Self.body, headers: headers, now: Self.now)
        #expect(throws: CallbackVerifier.Refusal.outsideTolerance) {
            try verifier.verify(body: Self.body, headers: headers, now: Self.now + 1)
        }
    }

    @Test("refuses headers that are missing, there twice or no time", arguments: 0..<3)
    func headers(_ index: Int) throws {
        let verifier = try CallbackVerifier(secrets: [Self.text(Self.new)])
        var headers = Self.headers(Self.signature(Self.new, at: Self.now))
        let name = headers[index].name.lowercased()
        headers.append(headers[index])
        #expect(throws: CallbackVerifier.Refusal.malformedHeader(name)) {
            try verifier.verify(body: Self.body, headers: headers, now: Self.now)
        }
        headers.removeAll { $0.name.lowercased() == name }
        #expect(throws: CallbackVerifier.Refusal.malformedHeader(name)) {
            try verifier.verify(body: Self.body, headers: headers, now: Self.now)
        }
        #expect(throws: CallbackVerifier.Refusal.malformedHeader("webhook-timestamp")) {
            let headers = [("webhook-id", "msg_1"), ("webhook-timestamp", "+1"), ("webhook-signature", "v1,AAAA")]
            return try verifier.verify(body: Self.body, headers: headers, now: Self.now)
        }
    }

    @Test("needs a secret that is one", arguments: [[], ["whsec_"], ["not base 64!"], ["c2hvcnQ="]])
    func secrets(_ secrets: [String]) {
        #expect(throws: CallbackVerifier.Refusal.malformedSecret) { try CallbackVerifier(secrets: secrets) }
    }
}
