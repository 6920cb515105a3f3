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

/// Builds an ``XMLRecord`` from the elements as they come.
///
/// Text beside elements is dropped; an element with children has none.
struct XMLRecorder {
    private(set) var record = XMLRecord()
    private var open: [Int] = []
    /// How far ``XMLRecord/text`` belongs to elements that are complete.
    private var kept = 0
    /// All bytes of text since the record began, those that were cut off included.
    private var totalBytes = 0

    /// How deep the innermost open element is; 0 if none is open.
    var depth: Int { open.count }

    /// The innermost open element's tag, and its index in the record.
    var innermost: (tag: XMLTag, node: Int)? { open.last.map { (record.nodes[$0].tag, $0) } }

    mutating func start(_ tag: XMLTag, line: () -> Int) throws(BankProblem) {
        if open.isEmpty { clear() }
        guard record.nodes.count < XMLLimits.nodes else {
            throw .tooLarge(line: line(), "an entry of more than \(XMLLimits.nodes) elements")
        }
        dropLoose()
        let isPlace = open.isEmpty || tag == .transactionDetails
        let node = record.nodes.count
        record.nodes.append(
            XMLRecord.Node(tag: tag, line: isPlace ? line() : 0, end: node + 1, text: kept..<kept)
        )
        open.append(node)
    }

    /// Adds an attribute of the innermost element, as its first child.
    mutating func attribute(_ tag: XMLTag, _ value: borrowing Span<UInt8>) {
        guard !open.isEmpty, value.count <= XMLLimits.textBytes else { return }
        let start = record.text.count
        for index in value.indices { record.text.append(value[index]) }
        kept = record.text.count
        let node = record.nodes.count
        record.nodes.append(XMLRecord.Node(tag: tag, line: 0, end: node + 1, text: start..<kept))
    }

    mutating func text(_ bytes: borrowing Span<UInt8>, line: () -> Int) throws(BankProblem) {
        guard !open.isEmpty else { return }
        totalBytes += bytes.count
        guard record.text.count - kept + bytes.count <= XMLLimits.textBytes else {
            throw .tooLarge(line: line(), "an element with more than \(XMLLimits.textBytes) bytes of text")
        }
        guard totalBytes <= XMLLimits.entryBytes else {
            throw .tooLarge(line: line(), "an entry of more than \(XMLLimits.entryBytes) bytes")
        }
        for index in bytes.indices { record.text.append(bytes[index]) }
    }

    /// Ends the innermost element, and answers its index in the record.
    mutating func end() -> Int? {
        guard let node = open.popLast() else { return nil }
        // A slice of the nodes that lived on would have them copied by the change below.
        let isLeaf = (node + 1..<record.nodes.count).allSatisfy { record.nodes[$0].tag == .currencyAttribute }
        if isLeaf {
            record.nodes[node].text = kept..<record.text.count
            kept = record.text.count
        } else {
            dropLoose()
        }
        record.nodes[node].end = record.nodes.count
        return node
    }

    /// Cuts off a complete element, which was read.
    mutating func remove(_ node: Int) {
        record.remove(from: node)
        kept = record.text.count
    }

    private mutating func clear() {
        record.nodes.removeAll(keepingCapacity: true)
        record.text.removeAll(keepingCapacity: true)
        kept = 0
        totalBytes = 0
    }

    private mutating func dropLoose() {
        if record.text.count > kept { record.text.removeSubrange(kept...) }
    }
}
