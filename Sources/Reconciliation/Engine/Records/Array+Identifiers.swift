import SpillFiles

extension [UInt8] {
    /// The bits of an identifier that a ``RecordWriter`` wrote.
    func identifier(at range: Range<Int>) -> UInt128 { UInt128(bigEndian: bits(UInt128.self, at: range.lowerBound)) }
}
