import Testing

/// A published MT940 file with what is in it, counted and added up by a script of its own (regular expressions and
/// Decimal).
///
/// Some publishers shortened their files, which then do not add up.
struct MTVector: Sendable, CustomTestStringConvertible {
    let file: String
    let statements: Int
    let entries: Int
    var booked = ""
    var checks: [String] = []

    var testDescription: String { file }

    static let all: [MTVector] = [
        MTVector(
            file: "jejik/abnamro.sta",
            statements: 2,
            entries: 10,
            booked: "EUR 0.00 -345.93",
            checks: [
                "closing_balance 876.84 EUR ≠ 2914.84 EUR", "closing_balance 1849.75 EUR ≠ 2852.35 EUR",
            ]
        ),
        MTVector(
            file: "jejik/generic.sta",
            statements: 2,
            entries: 2,
            booked: "EUR 0.00 -20.00",
            checks: ["closing_balance 90.00 EUR = 90.00 EUR", "closing_balance 80.00 EUR = 80.00 EUR"]
        ),
        MTVector(
            file: "jejik/ing.sta",
            statements: 1,
            entries: 7,
            booked: "EUR 4.68 -50.27",
            checks: ["closing_balance 3.47 EUR ≠ -45.59 EUR"]
        ),
        MTVector(
            file: "jejik/knab.sta",
            statements: 2,
            entries: 3,
            booked: "EUR 1000.00 -7260.00",
            checks: ["closing_balance 500.00 EUR = 500.00 EUR", "closing_balance 798.98 EUR ≠ -3701.02 EUR"]
        ),
        MTVector(
            file: "jejik/postfinance.sta",
            statements: 2,
            entries: 4,
            booked: "CHF 239.30 -79.90",
            checks: [
                "closing_balance 229.20 CHF = 229.20 CHF", "page_balance 229.20 CHF = 229.20 CHF",
                "closing_balance 159.60 CHF ≠ 159.40 CHF",
            ]
        ),
        MTVector(
            file: "jejik/rabobank-iban.sta",
            statements: 2,
            entries: 4,
            booked: "EUR 0.00 -70.00",
            checks: ["closing_balance 965.00 EUR = 965.00 EUR", "closing_balance 930.00 EUR = 930.00 EUR"]
        ),
        MTVector(
            file: "jejik/rabobank.sta",
            statements: 4,
            entries: 5,
            booked: "EUR 0.00 -1589.09",
            checks: [
                "closing_balance 395.82 EUR ≠ -740.11 EUR", "closing_balance 1000.89 EUR = 1000.89 EUR",
                "closing_balance 1250.87 EUR ≠ 1014.31 EUR", "closing_balance 4101.82 EUR = 4101.82 EUR",
            ]
        ),
        MTVector(
            file: "jejik/sns.sta",
            statements: 2,
            entries: 2,
            booked: "EUR 0.00 -25.00",
            checks: ["closing_balance 1209.56 EUR = 1209.56 EUR", "closing_balance 1209.56 EUR = 1209.56 EUR"]
        ),
        MTVector(
            file: "jejik/triodos.sta",
            statements: 1,
            entries: 2,
            booked: "EUR 0.00 -715.70",
            checks: ["closing_balance 4370.79 EUR ≠ 4259.39 EUR"]
        ),
        // Eleven entries are in German marks, which are no longer a currency.
        MTVector(
            file: "cmxl/mt940.sta",
            statements: 3,
            entries: 5,
            booked: "EUR 3000.00 -800.00, PLN 20040.00 -10000.00",
            checks: ["closing_balance 4387.95 EUR = 4387.95 EUR", "closing_balance 50040.00 PLN = 50040.00 PLN"]
        ),
    ]
}
