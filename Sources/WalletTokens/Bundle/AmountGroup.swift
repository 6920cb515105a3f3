/// The contexts and the responses of one amount, as many of the one as of the other.
struct AmountGroup {
    /// The contexts, each with its index in the order.
    let contexts: [(index: Int, context: BundleContext)]
    /// The responses by index, with the merchant identifier that their hash is confirmed to be, if it is.
    let responses: [(index: Int, confirmed: String?)]

    /// The refusal where confirmed hashes and amounts do not agree.
    static let contradiction = TokenRefusal(
        .orderMismatch,
        BundleMatcher.contradictionCode,
        "a hash that was confirmed to be one merchant's came with an amount that is not that merchant's in this order; "
            + "look at `tributary apple-pay hashes list` before the hash is used again"
    )

    private static let ambiguity = TokenRefusal(
        .orderMismatch,
        BundleMatcher.ambiguityCode,
        "contexts of the same amount settle to different accounts, and no confirmed hash says which response is whose"
    )

    /// Checks that each merchant has at least as many contexts as responses that are confirmed to be its.
    ///
    /// - Throws: ``contradiction``.
    func checkConfirmed() throws(TokenRefusal) {
        for (merchant, indices) in confirmedResponses where members(of: merchant).count < indices.count {
            throw Self.contradiction
        }
    }

    /// A choice for each context, by the context's index.
    ///
    /// Each merchant with confirmed responses gets them first; the rest goes to whatever contexts are left. Among
    /// contexts that settle alike, which one gets which is arbitrary.
    ///
    /// - Throws: `TokenRefusal` with ``BundleMatcher/ambiguityCode``.
    func choices() throws(TokenRefusal) -> [Int: BundleMatch.Choice] {
        guard contexts.count > 1 else {
            return Dictionary(pairs: contexts, responses.map(\.index)) { _ in .uniqueAmount }
        }
        var choices: [Int: BundleMatch.Choice] = [:]
        var shared: Set<Int> = []
        for (merchant, indices) in confirmedResponses {
            let members = members(of: merchant)
            if members.count > 1 {
                try checkSettlement(of: members)
                shared.formUnion(members.map(\.index))
            }
            let reason: BundleMatch.Reason = members.count > 1 ? .sameSettlement : .confirmedHash
            choices.merge(Dictionary(pairs: members, indices) { _ in reason }) { first, _ in first }
        }
        let left = contexts.filter { choices[$0.index] == nil }
        try checkSettlement(of: left)
        let open = responses.filter { $0.confirmed == nil }.map(\.index)
        let rest = Dictionary(pairs: left, open) { index in
            left.count > 1 || shared.contains(index) ? .sameSettlement : .remainingAmount
        }
        return choices.merging(rest) { first, _ in first }
    }

    /// The responses of each merchant whose hashes are confirmed, by index.
    private var confirmedResponses: [String: [Int]] {
        var confirmed: [String: [Int]] = [:]
        for response in responses {
            if let merchant = response.confirmed { confirmed[merchant, default: []].append(response.index) }
        }
        return confirmed
    }

    private func members(of merchant: String) -> [(index: Int, context: BundleContext)] {
        contexts.filter { $0.context.merchantIdentifier == merchant }
    }

    private func checkSettlement(of contexts: [(index: Int, context: BundleContext)]) throws(TokenRefusal) {
        guard Set(contexts.map(\.context.settlement)).count <= 1 else { throw Self.ambiguity }
    }
}

extension [Int: BundleMatch.Choice] {
    /// Pairs contexts and responses in their order; contexts without a response are left out.
    fileprivate init(
        pairs contexts: [(index: Int, context: BundleContext)],
        _ responses: [Int],
        _ reason: (_ context: Int) -> BundleMatch.Reason
    ) {
        self.init(
            uniqueKeysWithValues: zip(contexts, responses).map { context, response in
                (context.index, BundleMatch.Choice(response: response, reason: reason(context.index)))
            }
        )
    }
}
