import Domain
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("The schemas of callbacks", .timeLimit(.minutes(10)))
struct CallbackSchemaTests {
    @Test("are listed and served without a key, one for each type there is")
    func served() async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite) { api in
            let index = try await api.anonymous.get("/schemas/callbacks/v1")
            #expect(contract.complaints(about: index, to: "GET /schemas/callbacks/v1") == [])
            let data = try #require(index.json["data"]?.arrayValue)
            let types = Set(data.compactMap { $0["type"]?.stringValue })
            #expect(types == Set(Announcement.Kind.allCases.map(\.rawValue) + ["endpoint.test"]))
            #expect(types.count == data.count)
            for entry in data {
                let reply = try await api.anonymous.get(try #require(entry["schema"]?.stringValue))
                let type = try #require(entry["type"]?.stringValue)
                #expect(contract.complaints(about: reply, to: "GET /schemas/callbacks/v1/{file}") == [], "\(type)")
                #expect(reply.json["$schema"] == "https://json-schema.org/draft/2020-12/schema")
                #expect(reply.json["$id"]?.stringValue == "urn:tributary:callback:v1:\(type)")
                #expect(reply.json["properties"]?["type"] == ["const": .string(type)])
                #expect(reply.json == (try CallbackSchemas.load())[type])
            }
            for path in ["order.accepted", "order.unheard.json", "order.accepted.json.json"] {
                let reply = try await api.anonymous.get("/schemas/callbacks/v1/\(path)")
                #expect(reply.status == 404)
                #expect(contract.complaints(about: reply, to: "GET /schemas/callbacks/v1/{file}") == [])
            }
        }
    }

    @Test("are each complete in itself, define nothing in vain, and leave every object open to new members")
    func complete() throws {
        for entry in try CallbackSchemas.load().entries {
            let references = Self.all("$ref", in: entry.schema).compactMap(\.stringValue)
            let definitions = (entry.schema["$defs"]?.objectValue ?? []).map { "#/$defs/\($0.key)" }
            #expect(Set(references) == Set(definitions), "\(entry.type)")
            #expect(Set(definitions).count == definitions.count)
            #expect(Self.objects(in: entry.schema).count { $0["properties"] != nil } > 1)
            let closed = Self.objects(in: entry.schema).filter { $0["additionalProperties"] == false }
            #expect(closed == [], "\(entry.type)")
            #expect(Self.all("discriminator", in: entry.schema) == [])
            #expect(!entry.summary.isEmpty)
        }
    }

    private static func all(_ key: String, in json: JSON) -> [JSON] {
        switch json {
        case .array(let elements): elements.flatMap { all(key, in: $0) }
        case .object(let members): members.flatMap { ($0.key == key ? [$0.value] : []) + all(key, in: $0.value) }
        default: []
        }
    }

    /// The schemas of objects within a schema.
    private static func objects(in json: JSON) -> [JSON] {
        switch json {
        case .array(let elements): return elements.flatMap { objects(in: $0) }
        case .object(let members):
            let isObject = json["type"] == "object" || json["type"] == ["object", "null"]
            return (isObject ? [json] : []) + members.flatMap { objects(in: $0.value) }
        default: return []
        }
    }

    /// What may go wrong with a payload: a path, and what is there then.
    private static let breaches: [(path: String, value: JSON?)] = [
        ("type", "order.refused"), ("type", nil), ("timestamp", nil), ("timestamp", 1), ("sequence", 0),
        ("sequence", "1"), ("sequence", nil), ("data", nil), ("data", []), ("data/extra", 1), ("extra", 1),
    ]
    private static let orderBreaches: [(path: String, value: JSON?)] = [
        ("data/order", nil), ("data/order/id", "ord_1"), ("data/order/amount", "45000"), ("data/order/amount", 0),
        ("data/order/status", "done"), ("data/order/payments", []), ("data/order/payments/0/extra", 1),
        ("data/order/payments/0/merchant", nil), ("data/order/currency", "usd"), ("data/payment", 1),
    ]
    private static let ownBreaches: [(path: String, value: JSON?)] = [
        ("data/payment", nil), ("data/payment", "pay_00000000000000000000000000"), ("data/payment/status", "done"),
        ("data/payment/captured_amount", -1), ("data/payment/card", "4242"), ("data/dispute", "dsp_1"),
        ("data/audience", "marketplace"), ("data/audience", nil), ("data/payment/amount_decimal", "1,00"),
        ("data/payment/currency", nil), ("data/payment/captured_at", 1), ("data/payment/order", nil),
    ]
    private static let payoutBreaches: [(path: String, value: JSON?)] = [
        ("data/payout/amount", 0), ("data/payout/amount_decimal", nil), ("data/payout/created_at", nil),
        ("data/payout/currency", "usd"), ("data/payout/state", "lost"), ("data/payout/failure", nil),
        ("data/payout/failure", "came back"), ("data/payout/covers", nil), ("data/payout/covers/extra", 1),
        ("data/payout/covers/balance/opening", nil), ("data/payout/covers/balance/fees", 1),
        ("data/payout/covers/lines/data/0/entry", 7), ("data/payout/covers/lines/count", -1),
        ("data/payout/covers/statement", "https://elsewhere.example/"), ("data/order", [:]),
    ]

    @Test("refuse what is not as they say, if new members are taken as unknown", arguments: DatabaseEngine.allCases)
    func refusing(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let outsiders = try await Outsiders(api)
            let stage = try await StatementStage(api)
            let schemas = try CallbackSchemas.load()
            let told = try await outsiders.payloads() + outsiders.payloads(StatementStage.name)
            let order = try #require(told.first { $0["type"] == "order.paid" })
            let own = try #require(told.last { $0["type"] == "payment.refunded" })
            let payout = try #require(told.last { $0["type"] == "payout.paid" })
            #expect(payout["data"]?["payout"]?["id"]?.stringValue == stage.payout.id.text)
            let cases = [(order, Self.orderBreaches), (own, Self.ownBreaches), (payout, Self.payoutBreaches)]
            for (payload, breaches) in cases {
                let schema = try #require(schemas[payload["type"]?.stringValue ?? ""])
                let checker = SchemaChecker(document: schema)
                #expect(checker.complaints(about: payload, schema: schema) == [])
                for (path, value) in Self.breaches + breaches {
                    let broken = payload.with(path, value)
                    #expect(broken != payload, "\(path)")
                    let complaints = checker.complaints(about: broken, schema: schema)
                    #expect(!complaints.isEmpty, "\(path) \(value?.text ?? "left out")")
                }
            }
        }
    }
}
