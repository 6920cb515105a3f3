/// The blocks around a message as SWIFT sends it: `{1:…}{2:O940…}{4:` before the fields.
enum MTBlocks {
    /// Reads a line with blocks.
    ///
    /// - Returns: whether the fields begin, and what of the line is theirs.
    /// - Throws: ``BankProblem/malformed(line:_:)`` for another message than MT940, MT942 and MT950.
    static func read(
        _ bytes: ArraySlice<UInt8>,
        line: Int
    ) throws(BankProblem) -> (isText: Bool, rest: ArraySlice<UInt8>) {
        if let header = bytes.firstRange(of: Array("{2:".utf8)) {
            let type = bytes[header.upperBound...].dropFirst().prefix(3)
            guard ["940", "942", "950"].contains(where: { type.elementsEqual($0.utf8) }) else {
                throw .malformed(line: line, "a SWIFT message that is no MT940 or MT942")
            }
        }
        guard let text = bytes.firstRange(of: Array("{4:".utf8)) else { return (false, []) }
        return (true, bytes[text.upperBound...])
    }
}
