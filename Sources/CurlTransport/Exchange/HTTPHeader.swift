/// A header field.
package struct HTTPHeader: Hashable, Sendable {
    /// The field's name, compared without regard to case.
    package let name: String
    /// The field's value.
    package let value: String

    /// Makes a field; whether it may be sent is checked when it is.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
