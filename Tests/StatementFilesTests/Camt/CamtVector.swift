import Testing

/// A published camt file with what is in it, counted and added up by a script of its own (ElementTree and Decimal).
struct CamtVector: Sendable, CustomTestStringConvertible {
    let file: String
    let statements: Int
    let entries: Int
    let transactions: Int
    let balances: Int
    var booked = ""
    var unbooked = ""
    var checks: [String] = []

    var testDescription: String { file }

    static let all: [CamtVector] = [
        CamtVector("camt052.v1", 1, 1, 0, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt052.v2.other-account", 1, 1, 1, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt052.v2.with-account-name", 1, 1, 1, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt052.v2", 1, 1, 1, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt052.v4", 1, 1, 1, 1, unbooked: "SEK 0.00 -200000.00"),
        CamtVector("camt052.v6.Amt-zero", 1, 1, 1, 1, unbooked: "SEK 0.00 -200000.00"),
        CamtVector("camt052.v6", 1, 1, 1, 1, unbooked: "SEK 0.00 -200000.00"),
        CamtVector("camt052.v8", 1, 1, 0, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector(
            "camt053.v2.all-balance-types",
            1,
            1,
            1,
            10,
            booked: "EUR 8.85 0.00",
            checks: ["closing_balance 4.04 EUR ≠ 9.86 EUR"]
        ),
        CamtVector(
            "camt053.v2.five.decimals",
            1,
            1,
            1,
            2,
            booked: "EUR 8.85 0.00",
            checks: ["closing_balance 27.05 EUR ≠ 27.00 EUR"]
        ),
        CamtVector("camt053.v2.minimal.ultimate", 1, 1, 1, 4, booked: "EUR 8.85 0.00"),
        CamtVector("camt053.v2.minimal", 1, 1, 1, 4, booked: "EUR 8.85 0.00"),
        CamtVector(
            "camt053.v2.multi.statement",
            2,
            2,
            2,
            4,
            booked: "EUR 8.85 -7.00",
            checks: ["closing_balance 27.00 EUR = 27.00 EUR", "closing_balance 20.00 EUR = 20.00 EUR"]
        ),
        CamtVector("camt053.v2.with-account-name", 1, 1, 1, 1, booked: "EUR 8.85 0.00"),
        CamtVector("camt053.v2.with-party-ids", 1, 1, 1, 4, booked: "EUR 8.85 0.00"),
        CamtVector("camt053.v3", 1, 1, 1, 4, booked: "EUR 8.85 0.00"),
        CamtVector("camt053.v4", 1, 1, 1, 4, booked: "EUR 8.85 0.00"),
        CamtVector("camt053.v8", 1, 1, 1, 4, booked: "EUR 8.85 0.00"),
        CamtVector("camt054.v2.with-account-name", 1, 1, 1, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt054.v2", 1, 1, 3, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt054.v4", 1, 1, 3, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt054.v8-with-UETR", 1, 1, 1, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt054.v8-with-financial-institution", 1, 1, 1, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt054.v8", 1, 1, 3, 0, booked: "SEK 0.00 -200000.00"),
        CamtVector("camt53.only-Dt-with-DtTm", 1, 0, 0, 1),
    ]

    private init(
        _ file: String,
        _ statements: Int,
        _ entries: Int,
        _ transactions: Int,
        _ balances: Int,
        booked: String = "",
        unbooked: String = "",
        checks: [String] = []
    ) {
        self.file = "genkgo/\(file).xml"
        self.statements = statements
        self.entries = entries
        self.transactions = transactions
        self.balances = balances
        self.booked = booked
        self.unbooked = unbooked
        self.checks = checks
    }
}
