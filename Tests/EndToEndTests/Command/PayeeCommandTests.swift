import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Commands about a route on which the PSP pays somebody else than the books say", .timeLimit(.minutes(10)))
struct PayeeCommandTests {
    /// A route of a hotel at a PSP, and what is said against it; nil if nothing is.
    struct Case: Sendable, CustomTestStringConvertible {
        let psp: String
        let route: String
        let says: String?

        var testDescription: String { "\(psp): \(route)" }
    }

    private static let ways = "set settles_to: merchant, or drop merchant_account"

    static let cases = [
        Case(psp: "stripe", route: "merchant_account: acct_1", says: ways),
        Case(psp: "stripe", route: "merchant_account: acct_1, settles_to: marketplace", says: ways),
        Case(psp: "stripe", route: "merchant_account: acct_1, settles_to: merchant", says: nil),
        Case(psp: "stripe", route: "currencies: [USD]", says: nil),
        Case(psp: "braintree", route: "merchant_account: sub_7", says: ways),
        Case(psp: "checkout", route: "merchant_account: ent_1", says: nil),
        Case(psp: "adyen", route: "merchant_account: BA1", says: nil),
        Case(
            psp: "authorize-net",
            route: "merchant_account: shop, settles_to: merchant, commission_by: invoice",
            says: "drop settles_to: merchant"
        ),
        Case(
            psp: "worldpay",
            route: "merchant_account: shop, settles_to: merchant",
            says: "set commission_by: invoice, or drop settles_to: merchant"
        ),
        Case(psp: "worldpay", route: "merchant_account: shop", says: nil),
    ]

    private static func declaration(_ row: Case) -> String {
        """
        marketplace: { id: travel, name: Travel Now }
        psp_accounts:
          - id: main
            psp: \(row.psp)
            base_url: "https://psp.example"
            credentials:
              secret_key: "env:NONE"
              api_key: "env:NONE"
              merchant_account: "env:NONE"
              api_login_id: "env:NONE"
              transaction_key: "env:NONE"
              public_key: "env:NONE"
              private_key: "env:NONE"
        merchants:
          - external_identifier: hotel-7
            name: Grand Hotel
            routes: [{ psp_account: main, \(row.route) }]
            commission: { basis_points: 1000 }
        """
    }

    @Test("refuse it in a declaration with the two ways out, and change nothing", arguments: cases)
    func declared(row: Case) async throws {
        try await Workplace.withDatabase { place in
            try place.write(Self.declaration(row), to: "travel.yaml")
            let checked = try await place.run("check-config", "travel.yaml")
            let applied = try await place.run("apply", "travel.yaml")
            guard let says = row.says else {
                #expect(!checked.out.contains("the route to main"), "\(checked.out)")
                #expect(!applied.err.contains("the route to main"), "\(applied.err)")
                return
            }
            #expect(checked.status == 1)
            let prefix = "merchant hotel-7: the route to main: "
            #expect(checked.out.contains(prefix) && checked.out.contains(says), "\(checked.out)")
            #expect(applied.status == 2)
            #expect(applied.err.contains(prefix) && applied.err.contains(says), "\(applied.err)")
            #expect(try await place.run("merchants", "list").status == 2, "there is no marketplace yet")
        }
    }

    @Test("refuse a route that settles to a merchant without saying where, as the declaration is read")
    func settlesNowhere() async throws {
        try await Workplace.withDatabase { place in
            let row = Case(psp: "stripe", route: "settles_to: merchant", says: nil)
            try place.write(Self.declaration(row), to: "travel.yaml")
            for command in ["check-config", "apply"] {
                let refused = try await place.run(command, "travel.yaml")
                #expect(refused.status == 2)
                let says = "set merchant_account, or drop settles_to: merchant"
                #expect(
                    refused.err.contains(".routes[0].merchant_account: ") && refused.err.contains(says),
                    "\(refused.err)"
                )
            }
            #expect(try await place.run("merchants", "list").status == 2, "there is no marketplace yet")
        }
    }

    @Test(
        "name it where it is stored from before: doctor exits 1 with the two ways out",
        arguments: DatabaseEngine.allCases
    )
    func stored(_ engine: DatabaseEngine) async throws {
        try await Workplace.withDatabase(engine) { place in
            var place = place
            place.environment["STRIPE_SECRET_KEY"] = "sk_test_1"
            try place.write(
                """
                marketplace: { id: travel, name: Travel Now }
                psp_accounts:
                  - { id: main, psp: stripe, base_url: "https://psp.example", credentials: { secret_key: "env:STRIPE_SECRET_KEY" } }
                merchants:
                  - external_identifier: hotel-7
                    name: Grand Hotel
                    routes: [{ psp_account: main, merchant_account: acct_1, settles_to: merchant }]
                """,
                to: "travel.yaml"
            )
            _ = try await place.json("apply", "travel.yaml")
            #expect(try await place.run("doctor").status == 0)
            let location: DatabaseLocation =
                place.environment["TRIBUTARY_DATABASE_URL"].map { .postgres(url: $0) }
                ?? .sqlite(path: place.path("tributary.sqlite"))
            try await location.withOpen { database in
                let moment = Timestamp(microseconds: try await database.now())
                try await database.write { session in
                    var hotel = try #require(try MerchantTable.find(["hotel-7"], of: "travel", in: session).first)
                    hotel.routes[0].settlesTo = .marketplace
                    try MerchantTable.save(hotel, at: moment, in: session)
                }
            }
            let found = try await place.run("doctor", "--format", "json")
            #expect(found.status == 1)
            // On PostgreSQL the tests' own role owns the tables, of which there is a warning besides.
            let rows = try #require(try JSON.parse(text: found.out).arrayValue).filter { $0["subject"] != "database" }
            #expect(rows.count == 1 && rows[0]["severity"] == "error")
            let sentence = try #require(rows[0]["finding"]?.stringValue)
            #expect(
                sentence.hasPrefix("merchant hotel-7: the route to main: stripe pays the merchant_account directly")
            )
            #expect(sentence.hasSuffix(Self.ways))
        }
    }
}
