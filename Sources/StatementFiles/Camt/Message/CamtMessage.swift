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
