import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("The vectors of Standard Webhooks")
struct StandardWebhooksVectors {
    /// The file of vectors; `SOURCE.txt` beside it says where they come from.
    private static var file: JSON {
        get throws { try JSON.parse(try SampleFiles.data("vectors/standard-webhooks/vectors.json")) }
    }

    private static func incoming(_ vector: JSON, after seconds: Int64 = 0) throws -> IncomingWebhook {
        let time = try #require(vector["timestamp"]?.integerValue)
        return IncomingWebhook(
            body: Array(try #require(vector["payload"]?.stringValue).utf8),
            headers: [
                Header("webhook-id", try #require(vector["id"]?.stringValue)), Header("webhook-timestamp", "\(time)"),
                Header("webhook-signature", try #require(vector["signature"]?.stringValue)),
            ],
            url: "https://tributary.example",
            receivedAt: WebhookSample.moment(time + seconds)
        )
    }

    private static func verdict(_ incoming: IncomingWebhook, _ vector: JSON) throws -> WebhookRefusal? {
        let secret = Secret(try #require(vector["secret"]?.stringValue))
        let key = try #require(StandardWebhooks.key(secret))
        do throws(WebhookRefusal) {
            _ = try StandardWebhooks.verify(incoming, with: [key])
            return nil
        } catch {
            return error
        }
    }

    @Test("are accepted and refused as published")
    func vectors() throws {
        let vectors = try #require(try Self.file["vectors"]?.arrayValue)
        #expect(vectors.count == 4)
        for vector in vectors {
            let isGood = try #require(vector["expect"]?.stringValue).hasPrefix("ok")
            #expect(try Self.verdict(Self.incoming(vector), vector) == nil ? isGood : !isGood)
            guard isGood else { continue }
            for age in [-300, 300] as [Int64] {
                #expect(try Self.verdict(Self.incoming(vector, after: age), vector) == nil)
            }
            for age in [-301, 301] as [Int64] {
                #expect(try Self.verdict(Self.incoming(vector, after: age), vector) == .outsideTolerance)
            }
        }
    }

    @Test("fail without any of the header fields")
    func missingHeaders() throws {
        let file = try Self.file
        let vector = try #require(file["vectors"]?[0])
        let names = try #require(file["missing_header_must_fail"]?.arrayValue).compactMap(\.stringValue)
        #expect(names.count == 3)
        for name in names {
            var incoming = try Self.incoming(vector)
            incoming.headers.removeAll { $0.name == name }
            #expect(try Self.verdict(incoming, vector) == .unsigned)
        }
    }

    @Test("know no empty secret")
    func emptySecrets() throws {
        let secrets = try #require(try Self.file["empty_secret_must_fail"]?.arrayValue).compactMap(\.stringValue)
        #expect(secrets.count == 2)
        for secret in secrets + ["whsec_é", "whsec_abc", "whsec_ab==cd=="] {
            #expect(StandardWebhooks.key(Secret(secret)) == nil, "\(secret)")
        }
    }

    @Test("are refused while there is no key")
    func noKey() throws {
        let vector = try #require(try Self.file["vectors"]?[0])
        let incoming = try Self.incoming(vector)
        #expect(throws: WebhookRefusal.notConfigured) { try StandardWebhooks.verify(incoming, with: []) }
    }
}
