@testable import WalletTokens

/// What a match has to be, found by trying every assignment.
struct BundleOracle {
    /// The answer.
    enum Verdict: Equatable {
        /// Nothing agrees with the confirmed hashes.
        case contradiction
        /// It matters which response a context gets, and nothing says which.
        case ambiguity
        /// Any of the assignments will do.
        case resolved
    }

    /// Every assignment that agrees with amounts and confirmed hashes: a response for each context.
    let assignments: [[Int]]
    /// The answer.
    let verdict: Verdict

    private static let permutations = Dictionary(
        uniqueKeysWithValues: (1...4).map { ($0, permutations(of: Array(0..<$0))) }
    )

    private let contexts: [BundleContext]
    private let confirmed: [String?]

    /// Tries all assignments of responses, each with the merchant that its hash is confirmed to be, if it is.
    init(_ contexts: [BundleContext], _ amounts: [Int64], _ confirmed: [String?]) {
        self.contexts = contexts
        self.confirmed = confirmed
        assignments = (Self.permutations[contexts.count] ?? []).filter { assignment in
            zip(contexts, assignment).allSatisfy { context, response in
                context.amount == amounts[response]
                    && (confirmed[response] == nil || confirmed[response] == context.merchantIdentifier)
            }
        }
        let assignments = assignments
        let isHarmless = contexts.indices.allSatisfy { response in
            Set(assignments.compactMap { $0.firstIndex(of: response) }.map { contexts[$0].settlement }).count <= 1
        }
        verdict = assignments.isEmpty ? .contradiction : isHarmless ? .resolved : .ambiguity
    }

    /// The reason with which a context got its response.
    func reason(for context: Int) -> BundleMatch.Reason {
        let amount = contexts[context].amount
        guard contexts.filter({ $0.amount == amount }).count > 1 else { return .uniqueAmount }
        let possible = Set(assignments.map { $0[context] })
        guard possible.count == 1, let response = possible.first else { return .sameSettlement }
        return confirmed[response] == nil ? .remainingAmount : .confirmedHash
    }

    private static func permutations(of items: [Int]) -> [[Int]] {
        guard let first = items.first else { return [[]] }
        return permutations(of: Array(items.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }
}
