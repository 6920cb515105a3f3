import Domain
import Reconciliation

/// Knows payments by their attempts and by the PSP's names.
struct Directory: PaymentLookup {
    var byAttempt: [AttemptID: PaymentMatchCandidate] = [:]
    var byReference: [String: PaymentMatchCandidate] = [:]

    /// What files that count already have of batches.
    var batches: [EarlierBatch] = []

    /// The payouts that files that count tell already.
    var toldPayouts: Set<PayoutEntry> = []

    func told(_ payouts: Set<PayoutEntry>) async throws -> Set<PayoutEntry> { payouts.intersection(toldPayouts) }

    func earlier(_ names: [EarlierBatch.Name]) async throws -> [EarlierBatch] {
        batches.filter { names.contains($0.name) }
    }

    func payments(for queries: [PaymentQuery]) async throws -> [PaymentMatchCandidate?] {
        queries.map { query in
            if let known = query.attempt.flatMap({ byAttempt[$0] }) { return known }
            for reference in [query.paymentReference, query.objectReference].compactMap(\.self) {
                if let known = byReference[reference] { return known }
            }
            return nil
        }
    }
}
