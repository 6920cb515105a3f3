import Domain
import SeededRandom
import Testing

@Suite("A settled batch")
struct SettledBatchTests {
    @Test("is posted so that clearing moves by what the file says, to the unit") func entries() throws {
        let currency = try #require(Currency(code: "EUR"))
        var ids = IdentifierSource(random: SeededRandom(seed: 3))
        let merchants: [MerchantID] = (0..<3).map { _ in ids.make(at: Checkout.placedAt) }
        let file: ImportID = ids.make(at: Checkout.placedAt)
        var batch = SettledBatch(batch: "B1", currency: currency)
        batch.fees.add(12_345, decimals: 5)
        for merchant in merchants { batch.merchantFees[merchant, default: ExactSum()].add(3_333, decimals: 5) }
        batch.payouts.add(-9_900, decimals: 2)
        batch.reserves.add(-100, decimals: 2)
        batch.adjustments.add(7, decimals: 2)
        batch.conversions.add(-500, decimals: 2)
        let entries = try batch.entries(of: file, pspAccount: "a", at: Checkout.placedAt, ids: &ids)
        #expect(
            entries.map(\.kind) == [
                .pspFees, .pspFees, .pspFees, .pspFees, .pspPayout, .pspReserve, .pspAdjustment, .conversion,
            ]
        )
        #expect(entries.map(\.merchant) == merchants.sorted().map(Optional.some) + [nil, nil, nil, nil, nil])
        let causes = entries.map(\.cause)
        #expect(causes[0] == .settlement(file, "\(merchants.sorted()[0]) B1"))
        #expect(causes[3] == .settlement(file, "B1"))
        let clearing = Account.clearing(pspAccount: "a")
        let moved = entries.flatMap(\.postings).map { $0.debit == clearing ? $0.amount : -$0.amount }
        // The fees are 0.22344 in all, which is 22; each merchant's 0.03333 is 3.
        #expect(moved == [-3, -3, -3, -13, -9_900, -100, 7, -500])
    }

    @Test("that holds nothing posts nothing; one that does not fit is refused") func limits() throws {
        let currency = try #require(Currency(code: "EUR"))
        var ids = IdentifierSource(random: SeededRandom(seed: 4))
        let file: ImportID = ids.make(at: Checkout.placedAt)
        var batch = SettledBatch(batch: "B1", currency: currency)
        #expect(try batch.entries(of: file, pspAccount: "a", at: Checkout.placedAt, ids: &ids) == [])
        batch.payouts.add(.max, decimals: 2)
        batch.payouts.add(.max, decimals: 2)
        let full = batch
        #expect(throws: SettlementOverflow(batch: "B1", currency: currency)) {
            try full.entries(of: file, pspAccount: "a", at: Checkout.placedAt, ids: &ids)
        }
    }
}
