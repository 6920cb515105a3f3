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
