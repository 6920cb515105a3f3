import Domain
import Reconciliation
import Settings
import StatementFiles
import Testing

@Suite("Rules of reconciliation in a file")
struct ReconciliationSettingsTests {
    @Test("read a rule with everything it can have")
    func rule() throws {
        let settings = try ReconciliationSettings.parse(
            """
            rules:
              - id: near
                level: line
                key: amount_and_date
                window_days: 2
                tolerance: 5
                scope: { psp: stripe, psp_account: stripe-main, currency: EUR, kind: refund }
            """,
            file: "r.yaml"
        )
        let rule = try #require(settings.rules.rules.first)
        #expect(rule.key == .amountAndDate(windowDays: 2) && rule.toleranceMinorUnits == 5)
        #expect(rule.scope.pspAccount == "stripe-main" && rule.scope.kind == .refund)
        #expect(settings.rules.terms == ReconciliationRules.standard.terms)
    }

    @Test(
        "name every mistake with its place",
        arguments: [
            ("rules: [{ id: a, level: line, key: batch }]", "r.yaml:1:15: rules[0].id", "contradiction"),
            ("rules: [{ id: a, level: line, key: amount_and_date }]", "r.yaml:1:31: rules[0].key", "missing_field"),
            ("rules: [{ id: a, level: line, key: other }]", "r.yaml:1:36: rules[0].key", "not_allowed"),
            (
                "rules: [{ id: a, level: line, key: attempt, colour: red }]", "r.yaml:1:45: rules[0].colour",
                "unknown_field"
            ),
            ("terms: [{ psp: stripe, missing_after_days: 1 }]", "r.yaml:1:8: terms", "contradiction"),
            (
                "bank_tables: [{ name: b, amount: {}, columns: { booked_on: 1 } }]",
                "r.yaml:1:34: bank_tables[0].amount", "contradiction"
            ),
            (
                "bank_tables: [{ name: b, amount: { column: 1 }, columns: {} }]", "r.yaml:1:23: bank_tables[0].name",
                "contradiction"
            ),
        ]
    )
    func mistakes(text: String, place: String, code: String) throws {
        let error = #expect(throws: InvalidConfiguration.self) {
            try ReconciliationSettings.parse(text, file: "r.yaml")
        }
        let found = (error?.problems ?? []).map { ("\($0.place): \($0.path)", $0.code) }
        #expect(found.contains { $0 == place && $1 == code }, "\(found)")
    }
}
