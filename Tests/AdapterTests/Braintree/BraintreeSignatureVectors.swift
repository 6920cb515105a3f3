import AdapterKit
import BraintreeAdapter
import Domain
import StrictJSON
import Testing

@Suite("Braintree's signatures")
struct BraintreeSignatureVectors {
    /// The file of vectors; `SOURCE.txt` beside it says where they come from.
    private static var vectors: JSON {
        get throws { try JSON.parse(try SampleFiles.data("vectors/braintree/vectors.json")) }
    }

    @Test("are accepted and refused as the vectors say")
    func cases() throws {
        let vectors = try Self.vectors
        let secret = try #require(vectors["webhook_secret"]?.stringValue)
        let cases = try #require(vectors["cases"]?.arrayValue)
        #expect(cases.count == 15)
        for one in cases {
            let name = try #require(one["name"]?.stringValue)
            let form = BraintreeForm.form(
                signature: try #require(one["bt_signature"]?.stringValue),
                payload: try #require(one["bt_payload"]?.stringValue)
            )
            let reading = try BraintreeForm.reading(form, secret: one["webhook_secret"]?.stringValue ?? secret)
            switch one["expect"]?.stringValue {
            case "ok": #expect(reading.events?.map(\.type) == ["transaction_settled"], "\(name)")
            case let word?: #expect(reading.refusal?.rawValue == word, "\(name)")
            case nil: Issue.record("\(name) expects nothing")
            }
        }
    }

    @Test("of a payload of which any bit was changed are refused")
    func changedPayload() throws {
        let vectors = try Self.vectors
        let one = try #require(vectors["cases"]?[0])
        let secret = try #require(vectors["webhook_secret"]?.stringValue)
        let signature = try #require(one["bt_signature"]?.stringValue)
        let payload = Array(try #require(one["bt_payload"]?.stringValue).utf8)
        for index in payload.indices {
            for bit in 0..<7 {
                var changed = payload
                changed[index] ^= 1 << bit
                let text = String(decoding: changed, as: UTF8.self)
                let reading = try BraintreeForm.reading(
                    BraintreeForm.form(signature: signature, payload: text),
                    secret: secret
                )
                #expect(reading.refusal == .wrongSignature, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test(
        "in what is no form of Braintree's are none",
        arguments: [
            "", "&", "bt_signature", "bt_signature=a%7C00", "bt_payload=x",
            "bt_signature=a%7C00&bt_payload=x&bt_payload=x",
            "bt_signature=a%7C00&bt_payload=%", "bt_signature=a%7C00&bt_payload=%4",
            "bt_signature=a%7C00&bt_payload=%zz",
            "bt_signature=a%7C00&bt_payload=%FF", "bt_signature=&bt_payload=x", "bt_signature=a%7C&bt_payload=x",
            "bt_signature=a%7C0&bt_payload=x", "bt_signature=00&bt_payload=x", "bt_signature=a%7Cb%7C00&bt_payload=x",
        ]
    )
    func forms(body: String) throws {
        #expect(try BraintreeForm.reading(Array(body.utf8)).refusal == .unsigned)
    }

    @Test("are of keys that no description shows")
    func secrecy() throws {
        let key = try #require(SHA1SigningKey(hashOf: Secret(Sample.webhookSecret)))
        SecrecyTests.expectNoSecret(in: key, "a key")
        #expect(key.description == "•••")
    }
}
