package import Domain

/// Takes what is found, page by page, in an order that depends on nothing but what was put in.
///
/// A throw ends the reconciliation; so does a cancelled task.
package protocol ReconciliationSink {
    /// Takes matches, at least one and at most ``Reconciler/pageLimit``.
    mutating func take(matches: [Match]) async throws
    /// Takes breaks, at least one and at most ``Reconciler/pageLimit``.
    mutating func take(breaks: [Break]) async throws
}
