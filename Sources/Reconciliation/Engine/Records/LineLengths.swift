/// How long the texts of a line are, in bytes and in their order.
///
/// Our identifiers stand among them in ``RecordWriter/identifierBytes``.
struct LineLengths: BitwiseCopyable {
    var attempt: UInt16 = 0
    var operation: UInt16 = 0
    var object: UInt16 = 0
    var payment: UInt16 = 0
    var entry: UInt16 = 0
    var reference: UInt16 = 0
    /// The attempt that the reference mentions, if it is not one itself.
    var mention: UInt16 = 0
    var merchantAccount: UInt16 = 0
    var batch: UInt16 = 0
    var note: UInt16 = 0
}
