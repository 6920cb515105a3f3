import Glibc

/// Values without references, as they stand in memory: for files that only the process that writes them reads.
extension [UInt8] {
    /// Writes a value at the end.
    @inlinable
    package mutating func append<Value: BitwiseCopyable>(bitsOf value: Value) {
        unsafe Swift.withUnsafeBytes(of: value) { unsafe append(contentsOf: $0) }
    }

    /// Writes a stretch of another array at the end.
    @inlinable
    package mutating func append(_ other: borrowing [UInt8], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
        unsafe other.withUnsafeBytes { bytes in
            unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Writes a value in place of what stands there; the place has to be within the array.
    @inlinable
    package mutating func replace<Value: BitwiseCopyable>(at offset: Int, bitsOf value: Value) {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        unsafe withUnsafeMutableBytes { unsafe $0.storeBytes(of: value, toByteOffset: offset, as: Value.self) }
    }

    /// Reads a value that was written there; it has to be within the array.
    @inlinable
    package func bits<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }

    /// Whether two stretches hold the same.
    package func equals(_ range: Range<Int>, _ other: [UInt8], _ otherRange: Range<Int>) -> Bool {
        guard range.count == otherRange.count else { return false }
        guard !range.isEmpty else { return true }
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        precondition(otherRange.lowerBound >= 0 && otherRange.upperBound <= other.count)
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return unsafe memcmp(left + range.lowerBound, right + otherRange.lowerBound, range.count) == 0
            }
        }
    }

    /// A number that depends on nothing but the bytes: FNV-1a over eight bytes at a time, mixed at the end.
    ///
    /// It spreads; whoever chooses the bytes can make two equal, so that equal numbers prove nothing.
    @inlinable
    package func digest(_ range: Range<Int>, seed: UInt64) -> UInt64 {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        var value = seed ^ 0xcbf2_9ce4_8422_2325 ^ UInt64(truncatingIfNeeded: range.count)
        unsafe withUnsafeBytes { bytes in
            var place = range.lowerBound
            while place + 8 <= range.upperBound {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                value = (value ^ word) &* 0x0000_0100_0000_01b3
                value ^= value >> 29
                place += 8
            }
            while place < range.upperBound {
                let byte = unsafe bytes[place]
                value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
                place += 1
            }
        }
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}

/// Records one behind the other, in memory that is used again once they are taken away.
package struct RecordBuffer {
    /// What the records stand in; what is behind ``count`` means nothing.
    package private(set) var bytes: [UInt8] = []
    /// How many bytes the records have.
    package private(set) var count = 0

    /// Makes an empty buffer.
    package init() {}

    /// Where the records stand in ``bytes``.
    package var range: Range<Int> { 0..<count }

    /// Takes the records away; their memory stays.
    package mutating func clear() { count = 0 }

    /// Writes a value at the end.
    package mutating func append<Value: BitwiseCopyable>(bitsOf value: Value) {
        reserve(MemoryLayout<Value>.size)
        bytes.replace(at: count, bitsOf: value)
        count += MemoryLayout<Value>.size
    }

    /// Writes a stretch of other bytes at the end.
    package mutating func append(_ other: borrowing [UInt8], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
        unsafe other.withUnsafeBytes { unsafe append(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Writes a text in UTF-8 at the end.
    package mutating func append(_ text: borrowing String) {
        let span = text.utf8.span
        unsafe span.withUnsafeBytes { unsafe append($0) }
    }

    /// Writes a value in place of what stands there; the place has to be within the records.
    package mutating func replace<Value: BitwiseCopyable>(at offset: Int, bitsOf value: Value) {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        bytes.replace(at: offset, bitsOf: value)
    }

    private mutating func append(_ other: UnsafeRawBufferPointer) {
        let length = other.count
        reserve(length)
        unsafe bytes.withUnsafeMutableBytes { target in
            guard let start = target.baseAddress, let source = other.baseAddress else { return }
            unsafe memcpy(start + count, source, length)
        }
        count += length
    }

    /// Makes room behind the records.
    private mutating func reserve(_ more: Int) {
        guard count + more > bytes.count else { return }
        let size = max(count + more, bytes.count * 2, 256)
        bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
}
