/// Walks through elements in BER (X.690, 8.1), of definite and indefinite length, without copying them.
///
/// Bounded: tags of one byte, lengths of at most three, and at most ``depthLimit`` indefinite lengths inside each other.
struct BERCursor {
    /// How many indefinite lengths may be nested.
    static let depthLimit = 16

    /// One element, as places in the bytes.
    struct Element {
        /// Class, form and number of the tag.
        let tag: UInt8
        /// The content octets, without the end-of-contents octets of an indefinite length.
        let content: Range<Int>
        /// All octets.
        let whole: Range<Int>
    }

    /// Why bytes are not the elements that were expected.
    enum Malformation: Error {
        /// They are not BER, or nested too deeply.
        case encoding
        /// Another element stands there, or none.
        case unexpected
    }

    /// The bytes that are walked through.
    let bytes: [UInt8]
    private var index: Int
    private let end: Int

    /// Starts before the first of the bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    /// Whether no element is left.
    var isAtEnd: Bool { index == end }

    /// The tag of the next element; nil at the end.
    var nextTag: UInt8? { index < end ? bytes[index] : nil }

    /// The next element, whatever it is.
    mutating func next() throws(Malformation) -> Element {
        let element = try element(at: index, depth: 0)
        index = element.whole.upperBound
        return element
    }

    /// The next element, which has to have this tag.
    mutating func next(_ tag: UInt8) throws(Malformation) -> Element {
        guard nextTag == tag else { throw .unexpected }
        return try next()
    }

    /// The elements inside of the next one, which has to have this tag.
    mutating func enter(_ tag: UInt8) throws(Malformation) -> BERCursor {
        BERCursor(bytes, try next(tag).content)
    }

    /// Nothing may be left.
    func finish() throws(Malformation) {
        guard isAtEnd else { throw .unexpected }
    }

    /// A copy of some octets.
    func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    private func element(at start: Int, depth: Int) throws(Malformation) -> Element {
        guard depth < Self.depthLimit, end - start >= 2 else { throw .encoding }
        let tag = bytes[start]
        // Tag 0 ends an indefinite length; 31 begins a tag of several bytes.
        guard tag != 0, tag & 0x1F != 0x1F else { throw .encoding }
        guard bytes[start + 1] == 0x80 else {
            let content = try definite(at: start + 1)
            return Element(tag: tag, content: content, whole: start..<content.upperBound)
        }
        guard tag & 0x20 != 0 else { throw .encoding }
        var next = start + 2
        while true {
            guard end - next >= 2 else { throw .encoding }
            if bytes[next] == 0, bytes[next + 1] == 0 {
                return Element(tag: tag, content: start + 2..<next, whole: start..<next + 2)
            }
            next = try element(at: next, depth: depth + 1).whole.upperBound
        }
    }

    /// The content octets behind a definite length.
    private func definite(at start: Int) throws(Malformation) -> Range<Int> {
        let first = Int(bytes[start])
        let octets = first < 0x80 ? 0 : first - 0x80
        let content = start + 1 + octets
        guard octets <= 3, content <= end else { throw .encoding }
        let count = octets == 0 ? first : bytes[start + 1..<content].reduce(0) { $0 << 8 | Int($1) }
        guard count <= end - content else { throw .encoding }
        return content..<content + count
    }
}

/// Telling DER from other BER (X.690, 10.1).
enum DEREncoding {
    /// How many elements may be nested.
    private static let depthLimit = 16

    /// Whether the bytes are one element whose lengths, and those of all elements in it, are definite and shortest.
    static func isMinimal(_ bytes: [UInt8]) -> Bool {
        end(of: bytes, at: 0, before: bytes.count, depth: 0) == bytes.count
    }

    /// Where the element at `start` ends; nil if a length is not in DER.
    private static func end(of bytes: [UInt8], at start: Int, before limit: Int, depth: Int) -> Int? {
        guard depth < depthLimit, limit - start >= 2 else { return nil }
        let first = Int(bytes[start + 1])
        let octets = first < 0x80 ? 0 : first - 0x80
        let content = start + 2 + octets
        guard first != 0x80, octets <= 3, content <= limit else { return nil }
        let count = octets == 0 ? first : bytes[start + 2..<content].reduce(0) { $0 << 8 | Int($1) }
        let isShortest = octets == 0 || (count >= 0x80 && bytes[start + 2] != 0)
        guard isShortest, count <= limit - content else { return nil }
        let end = content + count
        guard bytes[start] & 0x20 != 0 else { return end }
        var next = content
        while next < end {
            guard let after = self.end(of: bytes, at: next, before: end, depth: depth + 1) else { return nil }
            next = after
        }
        return end
    }
}
