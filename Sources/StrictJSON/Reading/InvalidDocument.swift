/// A document that is JSON but not what was asked for; everything that is wrong with it at once.
package struct InvalidDocument: Error, Hashable, Sendable {
    /// What is wrong, in the order in which it was found; never empty.
    package let violations: [Violation]

    /// Makes the error.
    package init(violations: [Violation]) { self.violations = violations }
}
