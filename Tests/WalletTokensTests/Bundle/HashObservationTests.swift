import Testing

@testable import WalletTokens

@Suite("Hashes to record")
struct HashObservationTests {
    private static let contexts = [
        Bundles.context(0, 300, merchant: "m.airline"), Bundles.context(1, 200, merchant: "m.hotel", account: 1),
        Bundles.context(2, 200, merchant: "m.car"), Bundles.context(3, 100),
    ]
    private static let responses = Bundles.responses([300, 200, 200, 100])

    private static func row(_ index: Int, _ merchant: String, _ state: MerchantHash.State = .recorded) -> MerchantHash {
        MerchantHash(hash: Bundles.hash(index), merchantIdentifier: merchant, state: state)
    }

    private static func observation(_ index: Int, _ candidates: [String], _ amount: Int64) -> HashObservation {
        HashObservation(hash: Bundles.hash(index), candidates: candidates, amount: amount)
    }

    @Test("are those that the map does not have, with every merchant of the amount")
    func fresh() {
        #expect(
            BundleMatcher.observations(Self.responses, Self.contexts, []) == [
                Self.observation(0, ["m.airline"], 300), Self.observation(1, ["m.hotel", "m.car"], 200),
                Self.observation(2, ["m.hotel", "m.car"], 200), Self.observation(3, [], 100),
            ]
        )
    }

    @Test(
        "are not those that the map has, unless it has them for somebody else",
        arguments: MerchantHash.State.allCases
    )
    func known(state: MerchantHash.State) {
        let rows = [
            Self.row(0, "m.airline", state), Self.row(1, "m.car", state), Self.row(2, "m.train", state),
            Self.row(3, "m.train", state),
        ]
        let other = state == .confirmed ? [] : [Self.observation(2, ["m.hotel", "m.car"], 200)]
        #expect(BundleMatcher.observations(Self.responses, Self.contexts, rows) == other)
    }

    @Test("come with a match, and can be had where there is none")
    func withMatch() throws {
        let rows = [Self.row(1, "m.hotel", .confirmed)]
        let match = try BundleMatcher.match(Self.responses, to: Self.contexts, knowing: rows)
        #expect(match.observations.map(\.hash) == [0, 2, 3].map(Bundles.hash))
        let foreign = Bundles.responses([301, 200])
        #expect(BundleMatcher.observations(foreign, Self.contexts, []).map(\.hash) == [Bundles.hash(1)])
    }
}
