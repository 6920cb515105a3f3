import Glibc

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
