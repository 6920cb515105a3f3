import Domain
import WireFormats

/// Assigns the authentication responses of a multi-merchant Apple Pay token to the contexts of an order.
///
/// A wrong assignment would send one merchant's cryptogram to another's PSP, so whatever leaves a choice that matters
/// is refused: amounts must agree as multisets; an amount that occurs once decides; where an amount occurs several
/// times, only hashes that an operator confirmed decide, or that all of its contexts settle to the same account.
package enum BundleMatcher {
    /// The code of the refusal for a choice that matters and that nothing decides.
    package static let ambiguityCode = "ambiguous_authentication_responses"
    /// The code of the refusal for a confirmed hash that the amounts contradict; it needs a person's attention,
    /// because either the row is wrong or Apple's hash is not stable.
    package static let contradictionCode = "confirmed_hash_contradicted"

    /// Assigns a response to each context.
    ///
    /// - Parameters:
    ///   - responses: the token's responses.
    ///   - contexts: the order's contexts.
    ///   - rows: what is known of the responses' hashes; other rows are ignored.
    /// - Returns: a choice for each context, and what to record.
    /// - Throws: `TokenRefusal` of the stage `payload` for malformed responses, of the stage `order_mismatch` for
    ///   responses that are not the order's, with ``contradictionCode`` or with ``ambiguityCode``.
    package static func match(
        _ responses: [BundleResponse],
        to contexts: [BundleContext],
        knowing rows: [MerchantHash]
    ) throws(TokenRefusal) -> BundleMatch {
        try checkForm(of: responses)
        try checkConservation(responses, contexts)
        let groups = try groups(responses, contexts, confirmed: confirmed(rows, among: responses))
        for group in groups { try group.checkConfirmed() }
        var choices: [Int: BundleMatch.Choice] = [:]
        for group in groups { choices.merge(try group.choices()) { first, _ in first } }
        return BundleMatch(
            choices: contexts.indices.compactMap { choices[$0] },
            observations: observations(responses, contexts, rows)
        )
    }

    /// The hashes that the map does not have yet, with the merchant identifiers that the amounts allow.
    ///
    /// Answers also for responses that ``match(_:to:knowing:)`` refuses as ambiguous, so that they can be recorded; a
    /// hash whose amount no context has is not answered.
    package static func observations(
        _ responses: [BundleResponse],
        _ contexts: [BundleContext],
        _ rows: [MerchantHash]
    ) -> [HashObservation] {
        responses.compactMap { response in
            let allowed = contexts.filter { $0.amount == response.amount }
            var candidates: [String] = []
            for case let identifier? in allowed.map(\.merchantIdentifier) where !candidates.contains(identifier) {
                candidates.append(identifier)
            }
            let known = rows.filter { $0.hash == response.merchantHash }
            let isNews =
                known.isEmpty
                || !candidates.isEmpty
                    && !known.contains {
                        $0.state == .confirmed || candidates.contains($0.merchantIdentifier)
                    }
            guard isNews, !allowed.isEmpty else { return nil }
            return HashObservation(hash: response.merchantHash, candidates: candidates, amount: response.amount)
        }
    }

    private static func checkForm(of responses: [BundleResponse]) throws(TokenRefusal) {
        func refuse(_ code: String, _ detail: String) throws(TokenRefusal) {
            throw TokenRefusal(.payload, code, detail)
        }
        if responses.isEmpty {
            try refuse("no_authentication_responses", "the token is none of a multi-merchant request")
        }
        if responses.contains(where: { $0.merchantHash.isEmpty }) {
            try refuse("missing_merchant_hash", "an authentication response has no merchant identifier")
        }
        if Set(responses.map(\.merchantHash)).count < responses.count {
            try refuse("repeated_merchant_hash", "two authentication responses have the same merchant identifier")
        }
        let cryptograms = responses.compactMap { Base64.decode(nonempty: $0.cryptogram.reveal()) }
        if cryptograms.count < responses.count {
            try refuse("malformed_cryptogram", "an authentication response has no cryptogram in Base64")
        }
        if Set(cryptograms).count < responses.count {
            try refuse("repeated_cryptogram", "two authentication responses have the same cryptogram")
        }
        if responses.contains(where: { $0.amount < 0 }) {
            try refuse("negative_amount", "an authentication response has a negative amount")
        }
    }

    private static func checkConservation(
        _ responses: [BundleResponse],
        _ contexts: [BundleContext]
    ) throws(TokenRefusal) {
        guard responses.count == contexts.count else {
            throw TokenRefusal(
                .orderMismatch,
                "authentication_response_count_mismatch",
                "the token has \(responses.count) authentication responses, the order \(contexts.count) contexts"
            )
        }
        guard responses.map(\.amount).sorted() == contexts.map(\.amount).sorted() else {
            throw TokenRefusal(
                .orderMismatch,
                "authentication_amounts_mismatch",
                "the amounts that the buyer authorized are not those of the order's contexts"
            )
        }
    }

    /// The merchant identifier of each response whose hash is confirmed, by the response's index.
    private static func confirmed(
        _ rows: [MerchantHash],
        among responses: [BundleResponse]
    ) throws(TokenRefusal) -> [Int: String] {
        var confirmed: [Int: String] = [:]
        for (index, response) in responses.enumerated() {
            let names = Set(
                rows.filter { $0.hash == response.merchantHash && $0.state == .confirmed }.map(\.merchantIdentifier)
            )
            guard names.count <= 1 else { throw AmountGroup.contradiction }
            confirmed[index] = names.first
        }
        return confirmed
    }

    /// Contexts and responses by amount; the amounts agree by now.
    private static func groups(
        _ responses: [BundleResponse],
        _ contexts: [BundleContext],
        confirmed: [Int: String]
    ) -> [AmountGroup] {
        let byAmount = Dictionary(grouping: responses.indices) { responses[$0].amount }
        return Dictionary(grouping: contexts.indices) { contexts[$0].amount }.sorted { $0.key < $1.key }.map {
            amount,
            indices in
            AmountGroup(
                contexts: indices.map { (index: $0, context: contexts[$0]) },
                responses: (byAmount[amount] ?? []).map { (index: $0, confirmed: confirmed[$0]) }
            )
        }
    }
}
