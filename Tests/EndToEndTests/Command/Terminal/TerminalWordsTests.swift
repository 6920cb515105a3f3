import Domain
import Testing

@testable import TributaryCommand

@Suite("Words on a terminal")
struct TerminalWordsTests {
    @Test(
        "say how long ago a moment was, or how soon it is, and the day of what is far away",
        arguments: [
            (0, "now"), (0.9, "now"), (1, "1 s ago"), (119, "119 s ago"), (120, "2 min ago"), (7199, "119 min ago"),
            (7200, "2 h ago"), (172_799, "47 h ago"), (172_800, "2 d ago"), (5_184_000, "60 d ago"),
            (5_184_001, "2026-01-01"), (-30, "in 30 s"), (-600, "in 10 min"), (-5_184_001, "2026-01-01"),
        ] as [(Double, String)]
    )
    func moments(seconds: Double, words: String) throws {
        let moment = try #require(RFC3339.timestamp("2026-01-01T12:00:00Z", .strict))
        let now = moment.adding(milliseconds: Int64(seconds * 1000))
        #expect(RelativeTime.text(of: moment, at: now) == words)
    }

    @Test(
        "name what was probably meant, and nothing where nothing is near",
        arguments: [
            ("ordrs", "orders"), ("order", "orders"), ("odrers", "orders"), ("serv", "serve"), ("SERVE", "serve"),
            ("hotel7", "hotel-7"), ("taxi", nil), ("", nil), (String(repeating: "orders", count: 20), nil),
        ] as [(String, String?)]
    )
    func nearest(word: String, meant: String?) {
        #expect(EditDistance.nearest(word, in: ["serve", "orders", "hotel-7", "airline-1"]) == meant)
    }

    @Test(
        "are as many letters apart as have to be added, taken away, replaced or swapped",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abcd", 1),
            ("kitten", "sitting", 3), ("ab", "ba", 1), ("a", "b", 1),
        ]
    )
    func distance(one: String, other: String, letters: Int) {
        #expect(EditDistance.between(one, other) == letters)
        #expect(EditDistance.between(other, one) == letters)
    }

    @Test("of help are wrapped once, also those that were broken by hand, and options behind their names")
    func help() {
        let long = "Reads the settings with every option and variable over them, the keys they refer to, and"
        let text = """
            OVERVIEW: Say it.

            \(long)
            more of it.

            Example:
              tributary check-config marketplace.yaml

              --database <url>        The database: sqlite:PATH or postgres://… (also TRIBUTARY_DATABASE_URL).
            """
        #expect(
            TextWrap.help(text, width: 60) == """
                OVERVIEW: Say it.

                Reads the settings with every option and variable over them,
                the keys they refer to, and more of it.

                Example:
                  tributary check-config marketplace.yaml

                  --database <url>        The database: sqlite:PATH or
                                          postgres://… (also
                                          TRIBUTARY_DATABASE_URL).
                """
        )
    }

    @Test(
        "have the columns that COLUMNS says, else those of the terminal, and no fewer than 20",
        arguments: [
            ("100", 80, 100), (nil, 80, 80), ("", 80, 80), ("none", 80, 80), ("0", 80, 80), ("5", 80, 20),
            (nil, 0, nil),
            (nil, 7, 20),
        ] as [(String?, Int, Int?)]
    )
    func columns(said: String?, found: Int, columns: Int?) {
        #expect(Terminal.columns(said: said, found: found) == columns)
    }

    @Test(
        "are coloured unless the environment says no",
        arguments: [
            ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
            (["TERM": "xterm"], true),
        ] as [([String: String], Bool)]
    )
    func colors(environment: [String: String], takes: Bool) {
        #expect(Terminal.takesColors(environment) == takes)
    }

    @Test(
        "say of long work how much is done a second, and how long the rest takes",
        arguments: [
            (10, 100, 500, ""), (0, 100, 5000, ""), (10, 100, 1000, ", 10/s, 9 s left"),
            (600, 60_000, 60_000, ", 10/s, 99 min left"), (100, 100, 2000, ", 50/s"),
        ]
    )
    func pace(done: Int, whole: Int, milliseconds: Int, words: String) {
        #expect(ProgressBar.pace(done, of: whole, in: .milliseconds(milliseconds)) == words)
    }

    @Test(
        "of an amount have exactly the digits of its currency",
        arguments: [
            ("12.00", "USD", 1200), ("0.05", "USD", 5), ("1200", "JPY", 1200), ("1.234", "KWD", 1234),
            ("12", "USD", nil),
            ("12.0", "USD", nil), ("12.000", "USD", nil), ("12.00", "JPY", nil), ("012.00", "USD", nil),
            ("92233720368547758.08", "USD", nil),
        ] as [(String, String, Int64?)]
    )
    func amounts(text: String, code: String, units: Int64?) throws {
        let (amount, currency) = (try #require(TypedAmount(argument: text)), try #require(Currency(code: code)))
        #expect((try? amount.money(in: currency, "--amount"))?.minorUnits == units)
    }

    @Test(
        "of an amount are digits with a point between them",
        arguments: ["", "-1", "1,5", ".5", "5.", "1e3", "１２", "1 2"]
    )
    func noAmounts(text: String) { #expect(TypedAmount(argument: text) == nil) }
}
