import Domain

/// Reads camt.052, camt.053 and camt.054 (ISO 20022), versions 1 to 13, alone or in an envelope.
package final class CamtReader: BankReader {
    private let xml = CamtXMLReader()

    /// Makes a reader at the beginning of a file.
    package init() {}

    /// Reads on.
    package func read(_ chunk: ArraySlice<UInt8>) throws(BankProblem) -> [BankItem] { try xml.read(chunk) }

    /// Ends the reading.
    package func finish() throws(BankProblem) -> (items: [BankItem], trailer: BankTrailer) {
        let items = try xml.read([], isFinal: true)
        do throws(BankProblem) {
            return (items, try xml.document.trailer())
        } catch {
            xml.fail(error)
            throw error
        }
    }

    /// Whether a file that begins with these bytes is ISO 20022's, of whatever message.
    ///
    /// UTF-16 is looked at without its zero bytes.
    static func recognises(_ head: [UInt8]) -> Bool {
        let text = head.filter { $0 != 0 }
        guard TextStart.isXML(text) else { return false }
        return text.firstRange(of: Array((CamtMessage.namespacePrefix + "camt.").utf8)) != nil
    }
}

/// One of the messages that are read: camt.052, camt.053 or camt.054 in a version.
struct CamtMessage: Hashable, Sendable {
    /// What every namespace of ISO 20022 begins with.
    static let namespacePrefix = "urn:iso:std:iso:20022:tech:xsd:"
    /// The versions that are read: 1 to 13.
    private static let versions = 1...13

    /// The message's name: `camt.053.001.08`.
    let name: String
    /// What the bank reports.
    let kind: BankReportKind
    /// The namespace of all its elements.
    let namespace: [UInt8]

    /// Reads a namespace; nil if it is none of ISO 20022.
    ///
    /// - Throws: ``BankProblem/message(_:)`` for a message that is not read.
    init?(namespace: [UInt8]) throws(BankProblem) {
        let prefix = Array(Self.namespacePrefix.utf8)
        guard namespace.starts(with: prefix) else { return nil }
        let name = String(decoding: namespace.dropFirst(prefix.count).prefix(40), as: UTF8.self)
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "camt", parts[2] == "001", parts[3].utf8.count == 2,
            let version = Int(parts[3]), Self.versions.contains(version), let kind = Self.kinds[parts[1]]
        else { throw .message(name) }
        self.name = name
        self.kind = kind
        self.namespace = namespace
    }

    /// Whether the element below `Document` is the one of this message; version 1 has its number behind it.
    func isContainer(_ name: [UInt8]) -> Bool {
        let expected =
            switch kind {
            case .report: "BkToCstmrAcctRpt"
            case .statement: "BkToCstmrStmt"
            case .notification: "BkToCstmrDbtCdtNtfctn"
            }
        return name == Array(expected.utf8) || name == Array("\(expected)V01".utf8)
    }

    /// The element that each statement of this message is.
    var statementTag: XMLTag {
        switch kind {
        case .report: .report
        case .statement: .statement
        case .notification: .notification
        }
    }

    private static let kinds: [Substring: BankReportKind] = [
        "052": .report, "053": .statement, "054": .notification,
    ]
}

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

/// A message's header: GrpHdr.
struct CamtHeader {
    private var identifier: String?
    private var createdOn: SettlementDate?
    private var page: Int?
    private var isLastPage: Bool?

    /// A message without one.
    init() {}

    init(_ record: XMLRecord) {
        identifier = record.string(0, .message)
        createdOn = record.string(0, .created).map { SettlementDate($0) }
        let pages = record.child(0, .messagePages)
        page = record.string(pages, .page).flatMap { Int($0) }
        isLastPage = record.string(pages, .isLastPage).map { $0 == "true" || $0 == "1" }
    }

    /// The head of a statement of this message, before it is read.
    func head(number: Int, line: Int, kind: BankReportKind) -> BankStatementHead {
        var head = BankStatementHead(number: number, line: line, kind: kind)
        head.message = identifier
        head.messageCreatedOn = createdOn
        head.page = page
        head.isLastPage = isLastPage
        return head
    }
}
