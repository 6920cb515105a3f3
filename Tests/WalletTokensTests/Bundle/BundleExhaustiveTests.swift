import Testing

@testable import WalletTokens

@Suite("Every small bundle")
struct BundleExhaustiveTests {
    /// What a context may be like.
    struct Kind {
        var amount: Int64
        var merchant: String?
        var account: Int
    }

    @Test("of up to three contexts is matched, refused or stopped as trying every assignment says", arguments: 1...3)
    func upToThree(count: Int) throws {
        try check(kinds([1, 2], ["x", "y", nil]), count: count)
    }

    @Test("of four contexts is matched, refused or stopped as trying every assignment says")
    func four() throws {
        try check(kinds([1], ["x", "y", nil]), count: 4)
        try check(kinds([1, 2], ["x", "y"]).filter { $0.amount == 1 || $0.account == 0 }, count: 4)
    }

    @Test("whose amounts are not the order's is refused", arguments: 1...3)
    func conservation(count: Int) {
        for amounts in combinations(of: [1, 2, 3] as [Int64], count: count) {
            let contexts = amounts.enumerated().map { Bundles.context($0.offset, $0.element) }
            for others in combinations(of: [1, 2, 3] as [Int64], count: count) where others != amounts {
                let answer = refusal { () throws(TokenRefusal) in
                    try BundleMatcher.match(Bundles.responses(others.reversed()), to: contexts, knowing: [])
                }
                #expect(answer == "order_mismatch/authentication_amounts_mismatch")
            }
        }
    }

    /// Every multiset of contexts, with every hash confirmed for either merchant or for none.
    private func check(_ kinds: [Kind], count: Int) throws {
        var verdicts: Set<String> = []
        for chosen in combinations(of: kinds, count: count) {
            let contexts = chosen.enumerated().map { index, kind in
                Bundles.context(index, kind.amount, merchant: kind.merchant, account: kind.account)
            }
            let amounts = Array(chosen.map(\.amount).reversed())
            let responses = Bundles.responses(amounts)
            for confirmed in sequences(of: [nil, "x", "y"], count: count) {
                let rows = confirmed.enumerated().compactMap { index, merchant in
                    merchant.map {
                        MerchantHash(hash: Bundles.hash(index), merchantIdentifier: $0, state: .confirmed)
                    }
                }
                let oracle = BundleOracle(contexts, amounts, confirmed)
                verdicts.insert("\(oracle.verdict)")
                try compare(responses, contexts, rows, with: oracle)
            }
        }
        #expect(verdicts.contains("resolved") && verdicts.contains("contradiction"))
        #expect(verdicts.contains("ambiguity") == (count > 1))
    }

    private func compare(
        _ responses: [BundleResponse],
        _ contexts: [BundleContext],
        _ rows: [MerchantHash],
        with oracle: BundleOracle
    ) throws {
        let match: BundleMatch
        do throws(TokenRefusal) {
            match = try BundleMatcher.match(responses, to: contexts, knowing: rows)
        } catch {
            let codes = [BundleMatcher.contradictionCode: BundleOracle.Verdict.contradiction]
            let said = codes[error.code] ?? (error.code == BundleMatcher.ambiguityCode ? .ambiguity : nil)
            if said != oracle.verdict { Issue.record("\(error), not \(oracle.verdict): \(contexts) \(rows)") }
            return
        }
        let assignment = match.choices.map(\.response)
        let reasons = contexts.indices.map(oracle.reason)
        let isRight =
            oracle.verdict == .resolved && oracle.assignments.contains(assignment)
            && match.choices.map(\.reason) == reasons
        if !isRight { Issue.record("\(match), not \(oracle.verdict) \(reasons): \(contexts) \(rows)") }
    }

    private func kinds(_ amounts: [Int64], _ merchants: [String?]) -> [Kind] {
        amounts.flatMap { amount in
            merchants.flatMap { merchant in
                [0, 1].map { Kind(amount: amount, merchant: merchant, account: $0) }
            }
        }
    }

    /// Every multiset of `count` items, in the order of the items.
    private func combinations<Item>(of items: [Item], count: Int) -> [[Item]] {
        guard count > 0 else { return [[]] }
        return items.indices.flatMap { index in
            combinations(of: Array(items[index...]), count: count - 1).map { [items[index]] + $0 }
        }
    }

    /// Every sequence of `count` items.
    private func sequences<Item>(of items: [Item], count: Int) -> [[Item]] {
        guard count > 0 else { return [[]] }
        return sequences(of: items, count: count - 1).flatMap { rest in items.map { rest + [$0] } }
    }
}
