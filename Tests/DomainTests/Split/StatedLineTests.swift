import Domain
import SeededRandom
import Testing

@Suite("Tips and shipping as lines")
struct StatedLineTests {
    private static let rule = CommissionRule(basisPoints: 1000)

    private func charge(_ rule: CommissionRule, _ stated: [StatedLine]) throws -> Int64 {
        let amount = try Money(minorUnits: 10_000, currency: #require(Currency(code: "USD")))
        return rule.charge(on: amount, stated: stated).amount
    }

    private func lines(_ charge: CommissionCharge, _ stated: [StatedLine]) -> [String]? {
        charge.lines(of: 10_000, stated: stated, merchant: "m", marketplace: "travel")?
            .map { "\($0.kind.rawValue) \($0.party) \($0.amount)" }
    }

    @Test(
        "are charged commission as the rule says, by default shipping and no tip",
        arguments: [
            ([.goods, .shipping], 900), ([.goods], 700), ([.goods, .shipping, .tip], 1000), ([.shipping], 200),
            ([.tip], 100), ([.goods, .tip], 800),
        ] as [(Set<CommissionRule.Part>, Int64)]
    )
    func base(_ parts: Set<CommissionRule.Part>, _ expected: Int64) throws {
        let stated = [
            StatedLine(.tip, amount: 1000), StatedLine(.shipping, amount: 500, keptBy: .marketplace),
            StatedLine(.shipping, amount: 1500),
        ]
        #expect(CommissionRule().appliesTo == [.goods, .shipping])
        #expect(try charge(CommissionRule(basisPoints: 1000, appliesTo: parts), stated) == expected)
        #expect(try charge(Self.rule, []) == 1000)
    }

    @Test("without anything that the rule is charged on are charged nothing, fixed part and minimum included")
    func nothingToCharge() throws {
        let rule = CommissionRule(basisPoints: 1000, fixed: ["USD": 30], minimum: ["USD": 50])
        #expect(try charge(rule, [StatedLine(.tip, amount: 10_000)]) == 0)
        #expect(try charge(rule, [StatedLine(.tip, amount: 9_999)]) == 50)
    }

    @Test("stand beside the merchant's line, which is the rest, under the name of who keeps them")
    func complement() throws {
        let stated = [StatedLine(.tip, amount: 1000), StatedLine(.shipping, amount: 500, keptBy: .marketplace)]
        #expect(
            lines(CommissionCharge(amount: 900, taxAmount: 180), stated) == [
                "merchant m 7420", "commission travel 900", "commission_tax travel 180", "tip m 1000",
                "shipping travel 500",
            ]
        )
    }

    @Test("bear what the goods cannot: the merchant's shipping first, then its tip, and never the marketplace's")
    func bearing() {
        let stated = [
            StatedLine(.tip, amount: 2000), StatedLine(.shipping, amount: 3000),
            StatedLine(.shipping, amount: 4000, keptBy: .marketplace),
        ]
        func lines(_ commission: Int64) -> [String]? { self.lines(CommissionCharge(amount: commission), stated) }
        let kept = "shipping travel 4000"
        #expect(lines(1000) == ["merchant m 0", "commission travel 1000", "tip m 2000", "shipping m 3000", kept])
        #expect(lines(1500) == ["merchant m 0", "commission travel 1500", "tip m 2000", "shipping m 2500", kept])
        #expect(lines(5500) == ["merchant m 0", "commission travel 5500", "tip m 500", kept])
        #expect(lines(6000) == ["merchant m 0", "commission travel 6000", kept])
        #expect(lines(6001) == nil)
    }

    @Test(
        "make no lines where they come to more than the payment, or one is nothing",
        arguments: [[10_001], [6000, 4001], [.max, .max], [0], [-1]] as [[Int64]]
    )
    func impossible(_ amounts: [Int64]) throws {
        let kinds: [StatedLine.Kind] = [.tip, .shipping]
        let stated = zip(kinds, amounts).map { StatedLine($0, amount: $1) }
        #expect(lines(CommissionCharge(amount: 0), stated) == nil)
        #expect(try charge(Self.rule, stated) <= 1000)
    }

    @Test("belong to the merchant unless the marketplace keeps them")
    func owner() {
        func isMerchants(_ kind: AllocationLine.Kind, _ keeper: AllocationLine.Keeper) -> Bool {
            AllocationLine(kind: kind, party: "p", amount: 1, keptBy: keeper).isMerchants
        }
        for kind in [AllocationLine.Kind.tip, .shipping] {
            #expect(isMerchants(kind, .merchant) && !isMerchants(kind, .marketplace))
        }
        for keeper in AllocationLine.Keeper.allCases {
            #expect(isMerchants(.merchant, keeper))
            for kind in [AllocationLine.Kind.commission, .commissionTax, .tax] { #expect(!isMerchants(kind, keeper)) }
        }
    }

    /// Random lines: sums at every step, and that parts end where the whole does.
    @Test("are drawn down and given back by random parts to where one whole capture and refund would end")
    func drawdown() throws {
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let amount = random.number(in: 1...5000)
            let stated = Checkout.randomLines(of: amount, &random)
            let charge = CommissionCharge(amount: amount / 3, returnedOnRefund: random.chance(50) ? .none : .proRata)
            var parts = try #require(charge.lines(of: amount, stated: stated, merchant: "m", marketplace: "t"))
            var whole = parts
            let captured = random.number(in: 1...amount)
            _ = whole.capture(upTo: captured)
            _ = whole.refund(upTo: captured)
            var done: Int64 = 0
            while done < captured {
                done = random.number(in: (done + 1)...captured)
                _ = parts.capture(upTo: done)
                #expect(parts.reduce(0) { $0 + $1.captured } == done)
            }
            done = 0
            while done < captured {
                done = random.number(in: (done + 1)...captured)
                _ = parts.refund(upTo: done)
                #expect(parts.reduce(0) { $0 + $1.refunded } == done)
            }
            #expect(parts == whole, "seed \(seed)")
            #expect(parts.allSatisfy { $0.isMerchants || $0.refunded <= $0.captured }, "seed \(seed)")
        }
    }
}
