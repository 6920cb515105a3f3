import Settings
import Testing

@Suite("The budget of descriptors")
struct DescriptorBudgetTests {
    private static let wishes = DescriptorBudget.Wishes(incoming: 4160, psp: 512, callbacks: 1024, database: 8)

    @Test("gives everybody what was wished for where there is enough")
    func enough() {
        let budget = DescriptorBudget(65_536, for: Self.wishes, processors: 4)
        #expect((budget.incoming, budget.psp, budget.callbacks, budget.isShort) == (4160, 512, 1024, false))
    }

    @Test(
        "never gives more than there are, and something to everybody",
        arguments: [128, 200, 256, 1024, 4096],
        [1, 2, 8]
    )
    func short(_ limit: Int, _ processors: Int) {
        let budget = DescriptorBudget(limit, for: Self.wishes, processors: processors)
        let own = 48 + 6 * processors + 8
        #expect(budget.isShort)
        #expect(budget.incoming + budget.psp + budget.callbacks <= max(16, limit - own))
        #expect(min(budget.incoming, budget.psp, budget.callbacks) >= 3)
    }

    @Test("takes from no one what somebody else does not want")
    func uneven() {
        var wishes = Self.wishes
        wishes.psp = 20
        wishes.callbacks = 10
        let budget = DescriptorBudget(200, for: wishes, processors: 2)
        #expect((budget.psp, budget.callbacks, budget.incoming) == (20, 10, 102))
    }
}
