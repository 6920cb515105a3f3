import Settings
import Testing

@Suite("Fixed commissions")
struct CommissionWarningTests {
    private static func warnings(_ merchants: String...) throws -> [String] {
        let text = """
            marketplace: { id: travel, name: Travel Now }
            psp_accounts:
              - { id: sim, psp: simulator, base_url: "https://psp.example", credentials: { api_key: "env:SIM_KEY" } }
            merchants:
            \(merchants.map { "  - \($0)" }.joined(separator: "\n"))
            """
        return try Declaration.parse(text, file: "m.yaml").commissionWarnings
    }

    private static func merchant(_ name: String, _ currencies: String?, _ commission: String) -> String {
        let route = "{ psp_account: sim" + (currencies.map { ", currencies: [\($0)]" } ?? "") + " }"
        return "{ external_identifier: \(name), name: \(name), routes: [\(route)], commission: { \(commission) } }"
    }

    @Test("are missed in a currency that the merchant is sold in, and not where they are 0 or nowhere")
    func own() throws {
        let missing = try Self.warnings(Self.merchant("airline", "USD, EUR, GBP", "fixed: { USD: 30 }"))
        #expect(
            missing == [
                "merchant airline: commission: there is a fixed part in USD and none in EUR, GBP, which it may be sold in; "
                    + "write 0 if that is meant"
            ]
        )
        #expect(try Self.warnings(Self.merchant("airline", "USD, EUR", "fixed: { USD: 30, EUR: 0 }")) == [])
        #expect(try Self.warnings(Self.merchant("airline", "USD, EUR", "fixed: { USD: 0 }")) == [])
        #expect(try Self.warnings(Self.merchant("airline", "USD, EUR", "basis_points: 1000")) == [])
        #expect(try Self.warnings(Self.merchant("airline", nil, "fixed: { USD: 30 }")) == [])
    }

    @Test("are missed in others' currencies where a route takes every currency")
    func others() throws {
        let hotel = Self.merchant("hotel", "JPY", "minimum: { EUR: 5 }")
        let any = try Self.warnings(Self.merchant("airline", nil, "fixed: { USD: 30 }"), hotel)
        #expect(any.count == 1 && any.first?.contains("none in EUR, JPY,") == true, "\(any)")
        #expect(try Self.warnings(Self.merchant("airline", "USD", "fixed: { USD: 30 }"), hotel) == [])
    }
}
