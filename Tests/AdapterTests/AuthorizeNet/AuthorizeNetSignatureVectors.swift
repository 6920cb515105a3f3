import AdapterKit
import AuthorizeNetAdapter
import Domain
import StrictJSON
import Testing

@Suite("The vectors of Authorize.Net's signature")
struct AuthorizeNetSignatureVectors {
    @Test("are accepted and refused as they say")
    func vectors() throws {
        let file = try JSON.parse(try SampleFiles.data("vectors/authorize-net/vectors.json"))
        let vectors = try #require(file["vectors"]?.arrayValue)
        #expect(vectors.count == 15)
        for vector in vectors {
            let what = try #require(vector["what"]?.stringValue)
            let listener = try WebhookConformanceTests.listener(
                "authorize-net",
                secret: try #require(vector["secret"]?.stringValue)
            )
            let incoming = IncomingWebhook(
                body: Array(try #require(vector["body"]?.stringValue).utf8),
                headers: [Header("x-anet-signature", try #require(vector["header"]?.stringValue))],
                url: "https://tributary.example",
                receivedAt: WebhookSample.moment(Sample.signedAt)
            )
            let reading = listener.webhook(incoming)
            if vector["expect"]?.stringValue == "ok" {
                #expect(reading.events?.first?.id == "n1", "\(what)")
            } else {
                #expect(reading.refusal?.rawValue == vector["expect"]?.stringValue, "\(what)")
            }
        }
    }
}
