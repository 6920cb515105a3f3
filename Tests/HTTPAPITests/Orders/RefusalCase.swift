import StrictJSON
import TributaryTestKit

/// A body of `POST /v1/orders` that is refused, and how.
struct RefusalCase: Sendable, CustomStringConvertible {
    /// What is wrong.
    let name: String
    /// The body.
    let body: [UInt8]
    /// The status.
    let status: Int
    /// The violations, each as `pointer code`.
    let errors: [String]

    var description: String { name }

    /// A trip that differs in some places.
    init(_ name: String, _ changes: [(String, JSON?)], _ errors: String...) {
        self.name = name
        body = changes.reduce(OrderBody.trip) { $0.with($1.0, $1.1) }.bytes
        status = 422
        self.errors = errors
    }

    /// Text that is no JSON as the API wants it.
    init(_ name: String, text: String, status: Int = 400, _ errors: String...) {
        self.name = name
        body = Array(text.utf8)
        self.status = status
        self.errors = errors
    }

    static let all = money + merchants + credentials + policies + fields + documents

    private static let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)

    private static let money = [
        RefusalCase("over-total", [("amount", 44_999)], "/contexts contexts_exceed_amount"),
        RefusalCase("an unassigned residual", [("amount", 45_001)], "/residual residual_unassigned"),
        RefusalCase("a zero context", [("contexts/0/amount", 0)], "/contexts/0/amount out_of_range"),
        RefusalCase("a negative context", [("contexts/1/amount", -1)], "/contexts/1/amount out_of_range"),
        RefusalCase("a zero total", [("amount", 0)], "/amount out_of_range"),
        RefusalCase("a negative total", [("amount", -45_000)], "/amount out_of_range"),
        RefusalCase("a fraction", [("contexts/0/amount", .number("300.5"))], "/contexts/0/amount not_an_integer"),
        RefusalCase("a fraction of zeros", [("amount", .number("45000.0"))], "/amount not_an_integer"),
        RefusalCase("an exponent", [("amount", .number("45e3"))], "/amount not_an_integer"),
        RefusalCase("an amount as text", [("amount", "45000")], "/amount wrong_type"),
        RefusalCase(
            "an amount beyond 64 bits",
            [("amount", .number("9223372036854775808"))],
            "/amount not_an_integer"
        ),
        RefusalCase(
            "contexts whose sum overflows",
            [("amount", .integer(.max)), ("contexts/0/amount", .integer(.max)), ("contexts/1/amount", 1)],
            "/contexts amount_overflow"
        ),
        RefusalCase("mixed currencies", [("contexts/1/currency", "EUR")], "/contexts/1/currency currency_mismatch"),
        RefusalCase("an unknown currency", [("currency", "XTS")], "/currency not_allowed"),
        RefusalCase("a currency in small letters", [("currency", "usd")], "/currency not_allowed"),
        RefusalCase(
            "more commission than payment",
            [("contexts/0/commission", ["amount": 30_000, "tax_amount": 1])],
            "/contexts/0/commission commission_exceeds_payment"
        ),
    ]

    private static let merchants = [
        RefusalCase(
            "a duplicate external identifier",
            [("contexts/1", OrderBody.context("airline", 15_000, token: "tok_2", at: "sim-a"))],
            "/contexts/1/external_identifier duplicate_external_identifier"
        ),
        RefusalCase(
            "an unknown merchant",
            [("contexts/1/external_identifier", "ferry")],
            "/contexts/1/external_identifier unknown_merchant"
        ),
        RefusalCase(
            "a mismatching name",
            [("contexts/0/merchant_name", "Airlines")],
            "/contexts/0/merchant_name merchant_mismatch"
        ),
        RefusalCase(
            "mismatching Apple identifier and domain",
            [("contexts/0/merchant_identifier", "merchant.x"), ("contexts/0/merchant_domain", "x.example")],
            "/contexts/0/merchant_identifier merchant_mismatch",
            "/contexts/0/merchant_domain merchant_mismatch"
        ),
        RefusalCase("no contexts", [("contexts", [])], "/contexts empty"),
        RefusalCase("contexts that are no array", [("contexts", ["a": 1])], "/contexts wrong_type"),
    ]

    private static let card: JSON = [
        "type": "network_token", "number": "4242424242424242", "expiry_month": 12, "expiry_year": 2030,
        "cryptogram": "AAAA",
    ]

    private static let credentials = [
        RefusalCase(
            "a token of another account",
            [("contexts/1/payment/psp_account", "sim-a")],
            "/contexts/1/external_identifier no_route"
        ),
        RefusalCase("nothing that pays", [("contexts/1/payment", nil)], "/contexts/1/payment credential_missing"),
        RefusalCase(
            "nothing that pays, a token of another account and too much commission at once",
            [
                ("contexts/0/payment", nil), ("contexts/1/payment/psp_account", "sim-a"),
                ("contexts/1/commission", ["amount": 15_000, "tax_amount": 1]),
            ],
            "/contexts/0/payment credential_missing",
            "/contexts/1/commission commission_exceeds_payment",
            "/contexts/1/external_identifier no_route"
        ),
        RefusalCase(
            "one credential over two contexts",
            [("contexts/0/payment", nil), ("contexts/1/payment", nil), ("payment", card)],
            "/payment credential_covers_one_context"
        ),
        RefusalCase(
            "a credential on the order and on its context",
            [("contexts/1", nil), ("amount", 30_000), ("payment", card)],
            "/contexts/0/payment credential_given_twice"
        ),
        RefusalCase(
            "an unknown kind of credential",
            [("contexts/0/payment/type", "cash")],
            "/contexts/0/payment/type not_allowed"
        ),
        RefusalCase(
            "an empty customer",
            [("contexts/0/payment/customer", "")],
            "/contexts/0/payment/customer empty"
        ),
        RefusalCase(
            "a network that is none",
            [("contexts/0/payment", card.with("network", "Suica"))],
            "/contexts/0/payment/network not_allowed"
        ),
        RefusalCase(
            "a number that is none",
            [("contexts/0/payment", card.with("number", "4242 4242"))],
            "/contexts/0/payment/number not_allowed"
        ),
    ]

    private static let policies = [
        RefusalCase(
            "a policy that requires a stranger",
            [("policy", ["type": "required", "external_identifiers": ["airline", "taxi"]])],
            "/policy/external_identifiers policy_unsatisfiable"
        ),
        RefusalCase(
            "a policy that requires nobody",
            [("policy", ["type": "required", "external_identifiers": []])],
            "/policy/external_identifiers empty"
        ),
        RefusalCase(
            "a policy that requires a merchant twice",
            [("policy", ["type": "required", "external_identifiers": ["airline", "airline"]])],
            "/policy/external_identifiers duplicate_external_identifier"
        ),
        RefusalCase(
            "a minimum above the sum",
            [("policy", ["type": "minimum", "amount": 45_001])],
            "/policy/amount policy_unsatisfiable"
        ),
        RefusalCase(
            "a minimum of nothing",
            [("policy", ["type": "minimum", "amount": 0])],
            "/policy/amount out_of_range"
        ),
        RefusalCase(
            "a field of another policy",
            [("policy", ["type": "best_effort", "amount": 1])],
            "/policy/amount unknown_field"
        ),
        RefusalCase("an unknown policy", [("policy/type", "any")], "/policy/type not_allowed"),
        RefusalCase("no policy", [("policy", nil)], "/policy missing_field"),
    ]

    private static let fields = [
        RefusalCase("an unknown field", [("colour", "red")], "/colour unknown_field"),
        RefusalCase(
            "unknown fields further in",
            [("contexts/0/colour", "red"), ("contexts/1/payment/pan", "4242")],
            "/contexts/0/colour unknown_field",
            "/contexts/1/payment/pan unknown_field"
        ),
        RefusalCase(
            "several things at once",
            [("amount", nil), ("reference", ""), ("contexts/0/amount", 0), ("deadline_ms", 600_001)],
            "/amount missing_field",
            "/reference empty",
            "/deadline_ms out_of_range",
            "/contexts/0/amount out_of_range"
        ),
        RefusalCase(
            "several things against what is stored",
            [("amount", 1), ("contexts/0/external_identifier", "ferry"), ("contexts/1/merchant_name", "Inn")],
            "/contexts contexts_exceed_amount",
            "/contexts/0/external_identifier unknown_merchant",
            "/contexts/1/merchant_name merchant_mismatch"
        ),
        RefusalCase(
            "a return to http beyond loopback",
            [("return_url", "http://localhost.example/")],
            "/return_url not_allowed"
        ),
        RefusalCase("a return to plain http", [("return_url", "http://shop.example")], "/return_url not_allowed"),
        RefusalCase("a decision in the past", [("decide_by", "2020-01-01T00:00:00Z")], "/decide_by out_of_range"),
        RefusalCase("a decision too far ahead", [("decide_by_ms", 86_400_001)], "/decide_by_ms out_of_range"),
        RefusalCase(
            "two latest decisions",
            [("decide_by", "2027-01-15T09:00:00Z"), ("decide_by_ms", 1000)],
            "/decide_by_ms contradiction"
        ),
    ]

    private static let documents = [
        RefusalCase("a body that is no object", text: "[]", status: 422, " wrong_type"),
        RefusalCase("no body", text: "", " empty"),
        RefusalCase("half a body", text: #"{"currency": "USD","#, " unexpected_end"),
        RefusalCase("a duplicate key", text: #"{"amount": 1, "amount": 2}"#, "/amount duplicate_key"),
        RefusalCase("a duplicate key in disguise", text: #"{"amount": 1, "\u0061mount": 2}"#, "/amount duplicate_key"),
        RefusalCase(
            "deep JSON",
            text: #"{"metadata": \#(deep)}"#,
            "/metadata\(String(repeating: "/0", count: 31)) too_deep"
        ),
        RefusalCase("a trailing comma", text: #"{"amount": 1,}"#, " trailing_comma"),
        RefusalCase("NUL", text: #"{"reference": "a\u0000"}"#, "/reference nul"),
    ]
}
