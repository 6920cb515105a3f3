import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing

@Suite("Adyen's published signature vectors")
struct AdyenSignatureVectors {
    /// The file of vectors; `SOURCE.txt` beside it says where they come from.
    private static var vectors: JSON {
        get throws { try JSON.parse(try SampleFiles.data("vectors/adyen/vectors.json")) }
    }

    private static func reading(_ vector: JSON, secret: String? = nil) throws -> WebhookReading {
        var settings = AdyenSample.settings
        let own = try #require(vector["secret"]?.stringValue)
        settings.credentials["webhook_secret"] = Secret(secret ?? own)
        settings.credentials["merchant_account"] = Secret("TestMerchant")
        return try AdyenSample.reading([try #require(vector["item"])], settings: settings)
    }

    @Test("cover the text that is published, and are accepted or refused as they should be")
    func cases() throws {
        let vectors = try #require(try Self.vectors["vectors"]?.arrayValue)
        #expect(vectors.count == 8)
        for vector in vectors {
            let item = try #require(vector["item"])
            if let text = vector["signed_input"]?.stringValue { #expect(AdyenSample.payload(item) == text) }
            let reading = try Self.reading(vector)
            switch vector["expect"]?.stringValue {
            case "ok": #expect(reading.events?.count == 1, "\(vector.text)")
            case "wrong_signature": #expect(reading.refusal == .wrongSignature, "\(vector.text)")
            default: #expect(reading.refusal == .unsigned, "\(vector.text)")
            }
        }
    }

    @Test("are accepted with the key in either case and among others")
    func keys() throws {
        let vector = try #require(try Self.vectors["vectors"]?[0])
        let secret = try #require(vector["secret"]?.stringValue)
        for secrets in [secret.lowercased(), "\(AdyenSample.otherSecret),\(secret)"] {
            #expect(try Self.reading(vector, secret: secrets).events?.count == 1)
        }
        #expect(try Self.reading(vector, secret: AdyenSample.otherSecret).refusal == .wrongSignature)
    }
}
