import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("Checkout.com's signature vectors")
struct CheckoutSignatureVectors {
    /// A vector; `SOURCE.txt` beside the file says where they come from.
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let secret: String
        let body: String
        let signature: String
        let expectation: String
        var testDescription: String { name }

        init(_ json: JSON) throws {
            name = try #require(json["name"]?.stringValue)
            secret = try #require(json["secret"]?.stringValue)
            body = try #require(json["body"]?.stringValue)
            signature = try #require(json["signature"]?.stringValue)
            expectation = try #require(json["expect"]?.stringValue)
        }

        static var all: [Vector] {
            get throws {
                let file = try JSON.parse(try SampleFiles.data("vectors/checkout/vectors.json"))
                return try #require(file.arrayValue).map(Vector.init)
            }
        }

        func reading(_ headers: [Header]) throws -> WebhookReading {
            try WebhookConformanceTests.listener("checkout", secret: secret)
                .webhook(
                    IncomingWebhook(
                        body: Array(body.utf8),
                        headers: headers,
                        url: "https://tributary.example",
                        receivedAt: WebhookSample.moment(Sample.signedAt)
                    )
                )
        }
    }

    @Test("are accepted and refused as they say", arguments: try Vector.all)
    func cases(vector: Vector) throws {
        let reading = try vector.reading([Header("Cko-Signature", vector.signature)])
        #expect(reading.refusal?.rawValue ?? "ok" == vector.expectation)
        if vector.expectation == "ok" { #expect(reading.events?.first?.id.hasPrefix("evt_") == true) }
    }

    @Test("are of every kind")
    func kinds() throws {
        #expect(Set(try Vector.all.map(\.expectation)) == ["ok", "wrong_signature", "unsigned"])
        #expect(try Vector.all.count == 17)
    }

    @Test("need one signature, in its own header")
    func header() throws {
        let vector = try #require(try Vector.all.first)
        let good = Header("Cko-Signature", vector.signature)
        #expect(try vector.reading([]).refusal == .unsigned)
        #expect(try vector.reading([good, good]).refusal == .unsigned)
        #expect(try vector.reading([Header("X-Signature", vector.signature)]).refusal == .unsigned)
        #expect(try vector.reading([Header("cko-signature", vector.signature)]).refusal == nil)
    }
}
