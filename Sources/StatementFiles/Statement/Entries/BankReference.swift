/// A reference of a type of the bank's own.
package struct BankReference: Hashable, Sendable {
    /// The bank's word for what it refers to.
    package let type: String
    /// The reference.
    package let value: String

    /// Makes a reference.
    package init(type: String, value: String) {
        self.type = type
        self.value = value
    }
}
