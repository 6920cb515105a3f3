/// Collects what is wrong with one document, in the order in which it is found.
package final class Violations {
    /// What was found so far.
    package private(set) var all: [Violation] = []

    /// Makes an empty collection.
    package init() {}

    /// Whether nothing was found.
    package var isEmpty: Bool { all.isEmpty }

    /// Adds a violation.
    package func add(_ violation: Violation) { all.append(violation) }

    /// Adds a violation of the rule `code` at `pointer`.
    package func add(at pointer: JSONPointer, _ code: String, _ detail: String) {
        all.append(Violation(at: pointer, code, detail))
    }
}
