import OpenSSLCMS

/// An element of BER as a tree, which can be written again in the same or another form.
struct Element: Hashable {
    /// Class, form and number.
    var tag: UInt8
    /// The content octets of a primitive element.
    var content: [UInt8] = []
    /// The elements in a constructed one.
    var children: [Element] = []
    /// Whether its length is written as indefinite.
    var isIndefinite = false

    private var isConstructed: Bool { tag & 0x20 != 0 }

    /// Reads one element that takes up all bytes; nil for anything else.
    init?(_ bytes: [UInt8]) {
        var index = 0
        guard let element = Self.read(bytes, &index, bytes.count, depth: 0), index == bytes.count else { return nil }
        self = element
    }

    private init(tag: UInt8) { self.tag = tag }

    /// The octets.
    var bytes: [UInt8] {
        let inner = isConstructed ? children.flatMap(\.bytes) : content
        return isIndefinite && isConstructed ? [tag, 0x80] + inner + [0, 0] : DER.element(tag, inner)
    }

    /// The same elements with definite lengths, the certificates of a signature in the order of their octets, and
    /// without NULL as an algorithm's parameters, which may be there or not.
    var canonical: Element {
        var element = self
        element.isIndefinite = false
        element.children = children.map(\.canonical)
        if tag == 0x30, children.count == 2, children[0].tag == 6, children[1].tag == 5, children[1].content.isEmpty {
            element.children.removeLast()
        }
        let isCertificates = tag == 0xA0 && children.count == 2 && children.allSatisfy { $0.bytes.count > 300 }
        if isCertificates {
            element.children.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        }
        return element
    }

    /// How many elements there are, this one included.
    var count: Int { children.reduce(1) { $0 + $1.count } }

    /// Changes the element with this number, counted from the outside.
    mutating func change(_ number: Int, _ body: (inout Element) -> Void) {
        var rest = number
        change(&rest, body)
    }

    private mutating func change(_ rest: inout Int, _ body: (inout Element) -> Void) {
        guard rest > 0 else {
            if rest == 0 { body(&self) }
            rest = -1
            return
        }
        rest -= 1
        for index in children.indices where rest >= 0 { children[index].change(&rest, body) }
    }

    private static func read(_ bytes: [UInt8], _ index: inout Int, _ end: Int, depth: Int) -> Element? {
        guard depth < 32, end - index >= 2 else { return nil }
        var element = Element(tag: bytes[index])
        let first = Int(bytes[index + 1])
        index += 2
        if first == 0x80 {
            element.isIndefinite = true
            while index + 1 < end, bytes[index] != 0 || bytes[index + 1] != 0 {
                guard let child = read(bytes, &index, end, depth: depth + 1) else { return nil }
                element.children.append(child)
            }
            guard index + 2 <= end else { return nil }
            index += 2
            return element
        }
        let octets = first < 0x80 ? 0 : first - 0x80
        guard octets <= 3, octets <= end - index else { return nil }
        let length = octets == 0 ? first : bytes[index..<index + octets].reduce(0) { $0 << 8 | Int($1) }
        index += octets
        guard length <= end - index else { return nil }
        let close = index + length
        if element.isConstructed {
            while index < close {
                guard let child = read(bytes, &index, close, depth: depth + 1) else { return nil }
                element.children.append(child)
            }
        } else {
            element.content = Array(bytes[index..<close])
            index = close
        }
        return element
    }
}
