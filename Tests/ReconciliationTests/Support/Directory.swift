import Domain
import Reconciliation

/// Knows payments by their attempts and by the PSP's names.
struct Directory: PaymentLookup {
    var byAttempt: [AttemptID: PaymentMatchCandidate] = [:]
    var byReference: [String: PaymentMatchCandidate] = [:]

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
