/// Comparing what nobody may guess.
public enum ConstantTime {
    /// Whether the bytes are the same, in a time that tells only whether there are as many.
    public static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { difference, pair in difference | (pair.0 ^ pair.1) } == 0
    }
}
