import AdapterKit
import Domain
import StrictJSON
import Testing
import WireFormats
import WorldpayAdapter

@Suite("Signature vectors for Worldpay")
struct WorldpaySignatureVectors {
    /// The file of vectors; `SOURCE.txt` beside it says where they come from.
    static var vectors: JSON { get throws { try JSON.parse(try SampleFiles.data("vectors/worldpay/vectors.json")) } }

    static func headers(_ name: String) throws -> [String] {
        try #require(try vectors[name]?.arrayValue).compactMap(\.stringValue)
    }

    static func refusal(_ header: String, secret: String? = nil) throws -> WebhookRefusal? {
        let vectors = try Self.vectors
        let own = try #require(vectors["secret"]?.stringValue)
        let body = try #require(vectors["body"]?.stringValue)
        let incoming = IncomingWebhook(
            body: Array(body.utf8),
            headers: [Header("Event-Signature", header)],
            url: "https://tributary.example",
            receivedAt: WebhookSample.moment(Sample.signedAt)
        )
        return try WebhookConformanceTests.listener("worldpay", secret: secret ?? own).webhook(incoming).refusal
    }

    /// The body of the vectors is signed well but is no event: it has no classification.
    @Test("are accepted, whichever of the two keys a secret may stand for", arguments: try headers("accepted"))
    func accepted(header: String) throws {
        #expect(try Self.refusal(header) == .malformed)
        #expect(try Self.refusal(header, secret: String(repeating: "0f", count: 32)) == .wrongSignature)
    }

    @Test("with another code are refused", arguments: try headers("wrong"))
    func wrong(header: String) throws { #expect(try Self.refusal(header) == .wrongSignature) }

    @Test("in another form are refused", arguments: try headers("unsigned"))
    func unsigned(header: String) throws { #expect(try Self.refusal(header) == .unsigned) }

    @Test("count under a secret that is no hexadecimal digits as its text")
    func textSecret() throws {
        let vectors = try Self.vectors
        let body = try #require(vectors["body"]?.stringValue)
        let key = try #require(SigningKey(bytes: Array("not hexadecimal".utf8)))
        let header = "7/SHA256/" + Hexadecimal.encode(key.code(of: Array(body.utf8)))
        #expect(try Self.refusal(header, secret: "not hexadecimal") == .malformed)
        #expect(try Self.refusal(header) == .wrongSignature)
    }
}
