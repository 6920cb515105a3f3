import Domain

/// An element with all that is in it, flat: each node's descendants follow it.
struct XMLRecord {
    struct Node {
        let tag: XMLTag
        let line: Int
        /// The index behind the last descendant.
        var end: Int
        /// Where its text begins and ends; empty unless it is a leaf.
        var text: Range<Int>
    }

    var nodes: [Node] = []
    var text: [UInt8] = []

    /// The first child of a kind.
    func child(_ node: Int?, _ tag: XMLTag) -> Int? {
        guard let node else { return nil }
        let end = nodes[node].end
        var index = node + 1
        while index < end {
            if nodes[index].tag == tag { return index }
            index = nodes[index].end
        }
        return nil
    }

    /// The first child of a kind of the first child of a kind.
    func child(_ node: Int?, _ first: XMLTag, _ second: XMLTag) -> Int? { child(child(node, first), second) }

    /// Every child of a kind.
    func children(_ node: Int?, _ tag: XMLTag) -> [Int] {
        guard let node else { return [] }
        var found: [Int] = []
        var index = node + 1
        while index < nodes[node].end {
            if nodes[index].tag == tag { found.append(index) }
            index = nodes[index].end
        }
        return found
    }

    /// A node's text without the white space around it; nil if there is none.
    func bytes(_ node: Int?) -> ArraySlice<UInt8>? {
        guard let node else { return nil }
        let bytes = trimmed(nodes[node].text)
        return bytes.isEmpty ? nil : bytes
    }

    /// A range of the text without the white space around it.
    func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Self.isSpace(text[start]) { start += 1 }
        while start < end, Self.isSpace(text[end - 1]) { end -= 1 }
        return text[start..<end]
    }

    /// A node's text without the white space around it; nil if there is none.
    func string(_ node: Int?) -> String? { bytes(node).map { String(decoding: $0, as: UTF8.self).withBoundedRuns } }

    /// A child's text.
    func string(_ node: Int?, _ tag: XMLTag) -> String? { string(child(node, tag)) }

    /// A grandchild's text.
    func string(_ node: Int?, _ first: XMLTag, _ second: XMLTag) -> String? { string(child(node, first, second)) }

    /// Cuts off a node with all that is in it.
    mutating func remove(from node: Int) {
        guard let first = nodes.indices.contains(node) ? nodes[node] : nil else { return }
        text.removeSubrange(first.text.lowerBound...)
        nodes.removeSubrange(node...)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
