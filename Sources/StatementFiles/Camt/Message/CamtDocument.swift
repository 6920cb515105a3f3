/// Follows the elements of a camt message, in whatever envelope it comes, and makes statements of them.
struct CamtDocument {
    private enum Place {
        /// Before, behind and around `Document`.
        case outside
        /// In `Document`.
        case document
        /// In `BkToCstmrStmt` or its like.
        case container
        /// In `Stmt`, `Rpt` or `Ntfctn`.
        case statement
    }

    private var place = Place.outside
    private var message: CamtMessage?
    private var recorder = XMLRecorder()
    private var statements = CamtStatements()

    /// Whether the elements that come are those of a message.
    var isInside: Bool { place != .outside && place != .document }

    /// Whether this is the message's namespace.
    func isNamespace(_ namespace: borrowing Span<UInt8>) -> Bool {
        guard let message, message.namespace.count == namespace.count else { return false }
        for index in namespace.indices where message.namespace[index] != namespace[index] { return false }
        return true
    }

    /// Takes an element outside of a message, or the one directly in `Document`.
    ///
    /// - Returns: whether it is read; an envelope is.
    mutating func search(
        _ namespace: borrowing Span<UInt8>,
        _ name: borrowing Span<UInt8>,
        line: @autoclosure () -> Int
    ) throws(BankProblem) -> Bool {
        let name = Self.copy(name)
        if place == .document {
            guard let message, isNamespace(namespace), message.isContainer(name) else {
                throw .malformed(line: line(), "Document does not hold what its namespace says")
            }
            place = .container
            statements.begin(message)
            return true
        }
        if name == Array("Document".utf8), let message = try CamtMessage(namespace: Self.copy(namespace)) {
            self.message = message
            place = .document
        }
        return true
    }

    /// Takes an element of the message.
    ///
    /// - Returns: whether it is read.
    mutating func start(_ tag: XMLTag?, line: @autoclosure () -> Int) throws(BankProblem) -> Bool {
        guard let tag else { return false }
        if recorder.depth == 0, place == .container {
            if tag == message?.statementTag {
                place = .statement
                statements.beginStatement(line: line())
                return true
            }
            guard tag == .groupHeader else { return false }
        }
        try recorder.start(tag, line: line)
        return true
    }

    /// Takes the currency that an amount's tag names.
    mutating func currency(_ value: borrowing Span<UInt8>) { recorder.attribute(.currencyAttribute, value) }

    /// Takes text.
    mutating func text(_ bytes: borrowing Span<UInt8>, line: @autoclosure () -> Int) throws(BankProblem) {
        try recorder.text(bytes, line: line)
    }

    /// Takes the end of the innermost element that is read.
    mutating func end(line: @autoclosure () -> Int) throws(BankProblem) {
        if let innermost = recorder.innermost {
            _ = recorder.end()
            try endRecorded(innermost.tag, innermost.node)
            return
        }
        switch place {
        case .statement:
            try statements.endStatement()
            place = .container
        case .container:
            try statements.end()
            place = .document
        case .document:
            guard statements.hasEnded else {
                throw .malformed(line: line(), "Document does not hold what its namespace says")
            }
            message = nil
            place = .outside
        case .outside: break
        }
    }

    /// What is complete.
    mutating func takeItems() -> [BankItem] { statements.takeItems() }

    /// Ends the reading.
    func trailer() throws(BankProblem) -> BankTrailer { try statements.trailer() }

    private mutating func endRecorded(_ tag: XMLTag, _ node: Int) throws(BankProblem) {
        if tag == .transactionDetails, recorder.depth > 0 {
            statements.takeTransaction(recorder.record, node)
            recorder.remove(node)
        } else if recorder.depth == 0 {
            if place == .statement {
                try statements.takePart(recorder.record)
            } else {
                statements.takeHeader(recorder.record)
            }
        }
    }

    private static func copy(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        return copy
    }
}
