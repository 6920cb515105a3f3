import PSPSimulator
import Testing

@Suite("Token grammar")
struct TokenScriptTests {
    @Test("knows every trigger for each of its operations", arguments: TriggerTable.triggers.map(\.name))
    func everyTrigger(name: String) throws {
        let triggers = TriggerTable.triggers.filter { $0.name == name }
        #expect(triggers.count == 1)
        for operation in try #require(triggers.first).operations {
            let token = operation == .authorize ? "tok_\(name)" : "tok_approve+\(operation.rawValue)_\(name)"
            let script = try TokenScript(token)
            switch try #require(TriggerTable.trigger(name, for: operation)).instruction() {
            case .effect(let effect): #expect(script.effect(of: operation) == effect)
            case .delivery(let delivery): #expect(script.delivery(of: operation) == delivery)
            case .announcement(let announcement): #expect(script.announcement(of: operation) == announcement)
            }
        }
    }

    @Test("gives each operation its own effect and delivery")
    func composition() throws {
        let script = try TokenScript(
            "tok_partial+authorize_slow_30+capture_pending_500+capture_timeout_after+void_500_before+inquire_hidden_7"
        )
        #expect(script.effect(of: .authorize) == .approvePartly)
        #expect(script.delivery(of: .authorize) == .slow(milliseconds: 30))
        #expect(script.effect(of: .capture) == .finish(afterMilliseconds: 500))
        #expect(script.delivery(of: .capture) == .stallAfter)
        #expect(script.effect(of: .void) == .approve)
        #expect(script.delivery(of: .void) == .errorBefore)
        #expect(script.delivery(of: .refund) == .prompt)
        #expect(script.effect(of: .inquire) == .hide(forMilliseconds: 7))
    }

    @Test(
        "refuses what it does not know",
        arguments: [
            ("pm_card_visa", TokenScriptError.notAToken),
            ("", .notAToken),
            ("tok_" + String(repeating: "x", count: 197), .notAToken),
            ("tok_", .unknownTrigger(position: 0)),
            ("tok_nonsense", .unknownTrigger(position: 0)),
            ("tok_slow_", .unknownTrigger(position: 0)),
            ("tok_slow_12345678901", .unknownTrigger(position: 0)),
            ("tok_slow_-1", .unknownTrigger(position: 0)),
            ("tok_approve_5", .unknownTrigger(position: 0)),
            ("tok_unsettled", .unknownTrigger(position: 0)),
            ("tok_approve+", .unknownTrigger(position: 1)),
            ("tok_approve+capture", .unknownTrigger(position: 1)),
            ("tok_approve+void_decline_generic", .unknownTrigger(position: 1)),
            ("tok_approve+settle_now", .unknownTrigger(position: 1)),
            ("tok_approve+capture_slow+capture_never", .contradiction(position: 2)),
            ("tok_approve+authorize_partial", .contradiction(position: 1)),
        ]
    )
    func refusals(token: String, refusal: TokenScriptError) {
        #expect(throws: refusal) { try TokenScript(token) }
    }

    @Test("every code of the amount table stands for a token", arguments: AmountTable.rows.map(\.code))
    func amounts(code: Int64) throws {
        let row = try #require(AmountTable.rows.first { $0.code == code })
        let method = PaymentMethod.token("tok_amount")
        #expect(try method.script(amount: 45_000 + code) == TokenScript(row.token))
        #expect(try method.script(amount: code) == TokenScript(row.token))
    }

    @Test("an amount triggers nothing unless the token asks for it", arguments: AmountTable.rows.map(\.code))
    func ordinaryAmounts(code: Int64) throws {
        #expect(try PaymentMethod.token("tok_approve").script(amount: code) == .approval)
    }

    @Test("a network token triggers by its last digits if its number begins with the prefix")
    func numbers() throws {
        let trigger = try #require(NetworkTokenDigest(number: "9999990000000001", expiryMonth: 1, expiryYear: 2030))
        #expect(try PaymentMethod.networkToken(trigger).script(amount: 1000) == TokenScript(AmountTable.rows[0].token))
        let ordinary = try #require(NetworkTokenDigest(number: "4111111111111001", expiryMonth: 1, expiryYear: 2030))
        #expect(try PaymentMethod.networkToken(ordinary).script(amount: 1001) == .approval)
    }
}
