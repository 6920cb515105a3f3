import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("Square's published signature vectors")
struct SquareSignatureVectors {
    /// The file of vectors; `SOURCE.txt` beside it says where they come from.
    private static var vectors: [JSON] {
        get throws { try #require(try JSON.parse(try SampleFiles.data("vectors/square/vectors.json")).arrayValue) }
    }

    private static func refusal(key: String, url: String, body: String, signature: String) throws -> WebhookRefusal? {
        let listener = try WebhookConformanceTests.listener("square", secret: key)
        let incoming = IncomingWebhook(
            body: Array(body.utf8),
            headers: [Header("X-Square-HmacSha256-Signature", signature)],
            url: url,
            receivedAt: WebhookSample.moment(Sample.signedAt)
        )
        return listener.webhook(incoming).refusal
    }

    @Test("are accepted and refused as published", arguments: 0..<7)
    func cases(index: Int) throws {
        let vectors = try Self.vectors
        #expect(vectors.count == 7)
        let vector = vectors[index]
        let refusal = try Self.refusal(
            key: #require(vector["key"]?.stringValue),
            url: #require(vector["url"]?.stringValue),
            body: #require(vector["body"]?.stringValue),
            signature: #require(vector["signature"]?.stringValue)
        )
        // One of those that verify is signed well, but is no event.
        let isGood = refusal == nil || refusal == .malformed
        let expected = vector["expect"] == true
        #expect(isGood == expected, "\(vector["name"]?.stringValue ?? "")")
        if !isGood { #expect(refusal == .wrongSignature) }
    }

    @Test("and one of our own are accepted, and refused when anything is different")
    func own() throws {
        let (key, url) = ("sq_signature_key", "https://example.com/hooks/square")
        let body = #"{"merchant_id":"M1","type":"payment.updated","event_id":"e1"}"#
        let code = "MdLv25NmI9F+GrOipuslccHa2f6Ug9dkeURso97KYdc="
        #expect(try Self.refusal(key: key, url: url, body: body, signature: code) == nil)
        for (key, url, body, code) in [
            ("sq_signature_kez", url, body, code), (key, url + "/", body, code), (key, url, body + " ", code),
            (key, url, body, "MdLv25NmI9F+GrOipuslccHa2f6Ug9dkeURso97KYdY="), (key, url, body, "MdLv"),
        ] {
            #expect(try Self.refusal(key: key, url: url, body: body, signature: code) == .wrongSignature)
        }
        for code in ["", "=", "MdLv25NmI9F+GrOipuslccHa2f6Ug9dkeURso97KYdc", "not base 64"] {
            #expect(try Self.refusal(key: key, url: url, body: body, signature: code) == .unsigned)
        }
    }
}
