import Domain
import Testing

@Suite("Commission")
struct CommissionRuleTests {
    private func charge(_ rule: CommissionRule, on units: Int64, _ code: String = "USD") throws -> CommissionCharge {
        try rule.charge(on: Money(minorUnits: units, currency: #require(Currency(code: code))))
    }

    @Test("is rounded half up, as published vectors have it") func followsVectors() throws {
        let rows = try Fixture.rows("rounding-half-up.csv")
        #expect(rows.count >= 6)
        for row in rows {
            let numerator = try #require(row["numerator"].flatMap(Int64.init))
            let denominator = try #require(row["denominator"].flatMap(Int64.init))
            let expected = try #require(row["expected"].flatMap(Int64.init))
            #expect(try charge(CommissionRule(basisPoints: 10_000 / denominator), on: numerator).amount == expected)
        }
    }

    @Test(
        "takes basis points of the amount, rounded half up once",
        arguments: [
            (1000, 1000, 100), (1000, 1004, 100), (1000, 1005, 101), (1000, 1014, 101), (1, 4999, 0), (1, 5000, 1),
            (10_000, 777, 777), (0, 777, 0), (290, 9999, 290), (3333, 3, 1), (10_000, .max, .max),
        ] as [(Int64, Int64, Int64)]
    )
    func takesBasisPoints(_ basisPoints: Int64, _ units: Int64, _ expected: Int64) throws {
        #expect(try charge(CommissionRule(basisPoints: basisPoints), on: units).amount == expected)
    }

    @Test("adds the fixed part of the currency, and none in another") func addsFixedParts() throws {
        let rule = CommissionRule(basisPoints: 290, fixed: ["USD": 30, "EUR": 25])
        #expect(try charge(rule, on: 10_000).amount == 320)
        #expect(try charge(rule, on: 10_000, "EUR").amount == 315)
        #expect(try charge(rule, on: 10_000, "GBP").amount == 290)
    }

    @Test("is at least the minimum and at most the maximum of the currency") func staysWithinBounds() throws {
        let rule = CommissionRule(basisPoints: 1000, minimum: ["USD": 50], maximum: ["USD": 500])
        #expect(try charge(rule, on: 499).amount == 50)
        #expect(try charge(rule, on: 510).amount == 51)
        #expect(try charge(rule, on: 4990).amount == 499)
        #expect(try charge(rule, on: 9000).amount == 500)
        #expect(try charge(rule, on: 9000, "EUR").amount == 900)
    }

    @Test("is taxed on the rounded commission, rounded half up once") func isTaxed() throws {
        let rule = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000)
        #expect(try charge(rule, on: 1000) == CommissionCharge(amount: 100, taxAmount: 20))
        #expect(try charge(rule, on: 125) == CommissionCharge(amount: 13, taxAmount: 3))
        #expect(try charge(rule, on: 1000).total == 120)
    }

    @Test("stops at the largest amount instead of overflowing") func clamps() throws {
        let rule = CommissionRule(basisPoints: 10_000, fixed: ["USD": .max], taxBasisPoints: 20_000)
        let charge = try charge(rule, on: .max)
        #expect(charge == CommissionCharge(amount: .max, taxAmount: .max))
        #expect(charge.total == nil)
        #expect(charge.lines(of: .max, merchant: "m", marketplace: "travel") == nil)
    }

    @Test("makes lines that sum to the payment, the merchant's being the rest") func makesLines() throws {
        let lines = try #require(
            CommissionCharge(amount: 100, taxAmount: 20).lines(of: 1000, merchant: "m", marketplace: "travel")
        )
        #expect(
            lines == [
                AllocationLine(kind: .merchant, party: "m", amount: 880),
                AllocationLine(kind: .commission, party: "travel", amount: 100),
                AllocationLine(kind: .commissionTax, party: "travel", amount: 20),
            ]
        )
    }

    @Test("makes no line of nothing but the merchant's") func leavesEmptyLinesOut() throws {
        let none = try #require(CommissionCharge(amount: 0).lines(of: 5, merchant: "m", marketplace: "travel"))
        #expect(none.map(\.kind) == [.merchant])
        let all = try #require(CommissionCharge(amount: 5).lines(of: 5, merchant: "m", marketplace: "travel"))
        #expect(all.map(\.amount) == [0, 5])
    }

    @Test(
        "of more than the payment, or below zero, makes no lines",
        arguments: [(1001, 0), (1000, 1), (901, 100), (-1, 0), (0, -1), (-5, 10), (.max, .max)] as [(Int64, Int64)]
    )
    func refusesImpossibleCharges(_ amount: Int64, _ tax: Int64) {
        let charge = CommissionCharge(amount: amount, taxAmount: tax)
        #expect(charge.lines(of: 1000, merchant: "m", marketplace: "travel") == nil)
    }
}
