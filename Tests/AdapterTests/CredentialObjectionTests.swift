import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What a PSP says against our credentials")
struct CredentialObjectionTests {
    private static func braintree(_ class: String) -> WireReply {
        let json: JSON = [
            "data": .null, "errors": [["message": "no", "extensions": ["errorClass": .string(`class`)]]],
        ]
        return reply(200, json.text)
    }

    private static func authorizeNet(_ code: String) -> WireReply {
        reply(
            200,
            #"{"messages":{"resultCode":"Error","message":[{"code":"\#(code)","text":"User authentication failed."}]}}"#
        )
    }

    private static func reply(_ status: Int, _ body: String) -> WireReply {
        WireReply(
            status: status,
            headers: [Header("Content-Type", "application/json")],
            body: Array(body.utf8)
        )
    }

    private static let cases: [(adapter: String, reply: WireReply, objection: CredentialObjection?)] =
        ["adyen", "checkout", "simulator", "square", "stripe", "worldpay"].flatMap { name in
            [(name, reply(401, ""), .unauthenticated), (name, reply(200, "{}"), nil), (name, reply(500, ""), nil)]
        } + [
            ("stripe", reply(403, "{}"), .forbidden), ("adyen", reply(403, "{}"), .forbidden),
            // Checkout.com answers so to an action that the payment's state does not allow.
            ("checkout", reply(403, ""), nil),
            ("braintree", braintree("AUTHENTICATION"), .unauthenticated),
            ("braintree", braintree("AUTHORIZATION"), .forbidden), ("braintree", braintree("VALIDATION"), nil),
            ("braintree", reply(200, "{\"data\":{}}"), nil),
            ("authorize-net", authorizeNet("E00007"), .unauthenticated),
            ("authorize-net", authorizeNet("E00011"), .forbidden), ("authorize-net", authorizeNet("E00040"), nil),
            ("authorize-net", reply(200, #"{"messages":{"resultCode":"Ok"}}"#), nil),
        ]

    @Test("is read off its replies, whatever their status", arguments: cases.indices)
    func objection(index: Int) throws {
        let row = Self.cases[index]
        let adapter = try AdapterUnderTest.named(row.adapter).adapter
        #expect(adapter.objection(in: row.reply) == row.objection, "\(row.adapter) \(row.reply)")
    }
}
