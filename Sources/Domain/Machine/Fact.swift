/// One thing that was heard of an operation; facts are only ever added.
package struct Fact: Hashable, Sendable {
    /// The operation.
    package let operation: OperationID
    /// What kind of thing was heard: an operation state's name.
    package let kind: String
    /// The PSP's name for the object, empty if it named none.
    package let reference: String
    /// Who said so.
    package let origin: Operation.Origin
    /// The amount in minor units, for a success.
    package let amount: Int64?
    /// The PSP's code, or the reason of doubt.
    package let code: String?
    /// When it was heard.
    package let at: Timestamp
}
