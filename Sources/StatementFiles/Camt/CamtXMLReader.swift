import CExpat
import Glibc

/// Reads XML 1.0 with namespaces through expat, and hands its elements to a ``CamtDocument``.
///
/// One thread at a time. A document type declaration ends the reading, and with it every entity but XML's own five.
/// Encodings are UTF-8, UTF-16, ISO-8859-1 and US-ASCII. expat keeps a pointer to this object until it is freed, which is
/// done with the object.
@safe final class CamtXMLReader {
    /// What stands between a namespace and a local name; it can be in neither.
    private static let separator: CChar = 0x0A

    /// What is made of the elements.
    private(set) var document = CamtDocument()
    private let raw: XML_Parser
    private let tags = XMLTagTable()
    private var failure: BankProblem?
    private var depth = 0
    /// The line on which the outermost element ends; nil until it does.
    private var lastLine: Int?
    /// How many levels of elements are being passed over.
    private var skipped = 0
    /// How many bytes have come since something was complete.
    private var silentBytes = 0
    /// Whether anything has come at all.
    private var isEmpty = true

    init() {
        guard let raw = unsafe cexpat_create(Self.separator) else { preconditionFailure("expat has no memory") }
        unsafe self.raw = raw
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe cexpat_set_handlers(
            raw,
            context,
            { unsafe CamtXMLReader.of($0).start($1, $2) },
            { context, _ in unsafe CamtXMLReader.of(context).end() },
            { unsafe CamtXMLReader.of($0).text($1, $2) },
            { context, _, _, _, _ in unsafe CamtXMLReader.of(context).refuseDocumentType() }
        )
    }

    deinit { unsafe XML_ParserFree(raw) }

    /// Reads on, and answers what is complete.
    func read(_ chunk: ArraySlice<UInt8>, isFinal: Bool = false) throws(BankProblem) -> [BankItem] {
        if let failure { throw failure }
        isEmpty = isEmpty && chunk.isEmpty
        silentBytes += chunk.count
        let status = unsafe chunk.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                raw,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count),
                isFinal ? 1 : 0
            )
        }
        if failure == nil, status != XML_STATUS_OK { failure = problem(isFinal: isFinal) }
        if failure == nil, silentBytes > XMLLimits.markupBytes {
            failure = .tooLarge(line: line, "a tag or comments of more than \(XMLLimits.markupBytes) bytes")
        }
        if let failure { throw failure }
        return document.takeItems()
    }

    /// Remembers that the reading ended for a reason that only the end of the file shows.
    func fail(_ problem: BankProblem) { failure = problem }

    private var line: Int { unsafe Int(XML_GetCurrentLineNumber(raw)) }

    private func problem(isFinal: Bool) -> BankProblem {
        let code = unsafe XML_GetErrorCode(raw)
        let atEnd = [
            XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION,
        ]
        switch code {
        case _ where isFinal && isEmpty: return .empty
        case _ where lastLine != nil && code != XML_ERROR_UNCLOSED_TOKEN:
            // expat says where and why it stumbles over what follows, which goes by where the pieces end.
            return .malformed(line: lastLine ?? line, Self.sentence(XML_ERROR_JUNK_AFTER_DOC_ELEMENT))
        case _ where isFinal && atEnd.contains(code): return .truncated(line: line)
        case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING: return .encoding(line: line)
        default: return .malformed(line: line, Self.sentence(code))
        }
    }

    private static func sentence(_ code: XML_Error) -> String {
        let text = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
        return "no well-formed XML: \(text ?? "error \(code.rawValue)")"
    }

    @unsafe private static func of(_ context: UnsafeMutableRawPointer) -> CamtXMLReader {
        unsafe Unmanaged<CamtXMLReader>.fromOpaque(context).takeUnretainedValue()
    }

    private func attempt(_ body: () throws(BankProblem) -> Void) {
        silentBytes = 0
        guard failure == nil else { return }
        do throws(BankProblem) {
            try body()
        } catch {
            failure = error
            unsafe XML_StopParser(raw, 0)
        }
    }

    @unsafe private func start(
        _ name: UnsafePointer<CChar>,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) {
        attempt { () throws(BankProblem) in
            depth += 1
            guard depth <= XMLLimits.depth else {
                throw .tooLarge(line: line, "elements nested deeper than \(XMLLimits.depth)")
            }
            guard skipped == 0 else {
                skipped += 1
                return
            }
            let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name))
            let isTaken = try unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes throws(BankProblem) in
                try unsafe startElement(bytes.span)
            }
            guard isTaken else {
                skipped = 1
                return
            }
            unsafe takeCurrency(attributes)
        }
    }

    /// Whether the element is read; if not, nothing in it is.
    private func startElement(_ name: borrowing Span<UInt8>) throws(BankProblem) -> Bool {
        var localStart = name.count
        while localStart > 0, name[localStart - 1] != UInt8(bitPattern: Self.separator) { localStart -= 1 }
        let local = name.extracting(localStart..<name.count)
        guard document.isInside else {
            return try document.search(name.extracting(0..<max(0, localStart - 1)), local, line: line)
        }
        // One namespace holds all that is read; an element of another is passed over.
        guard document.isNamespace(name.extracting(0..<max(0, localStart - 1))) else { return false }
        return try document.start(tags.tag(local), line: line)
    }

    @unsafe private func takeCurrency(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        var index = 0
        while let name = unsafe attributes[index], let value = unsafe attributes[index + 1] {
            if unsafe strcmp(name, "Ccy") == 0 {
                let bytes = unsafe UnsafeBufferPointer(start: value, count: strlen(value))
                unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe document.currency($0.span) }
            }
            index += 2
        }
    }

    private func end() {
        attempt { () throws(BankProblem) in
            depth -= 1
            if depth == 0 { lastLine = line }
            guard skipped == 0 else {
                skipped -= 1
                return
            }
            try document.end(line: line)
        }
    }

    @unsafe private func text(_ start: UnsafePointer<CChar>, _ count: Int32) {
        attempt { () throws(BankProblem) in
            guard skipped == 0 else { return }
            let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(count))
            try unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes throws(BankProblem) in
                try unsafe document.text(bytes.span, line: line)
            }
        }
    }

    private func refuseDocumentType() {
        attempt { () throws(BankProblem) in throw .documentType(line: line) }
    }
}

/// How large the parts of a bank's XML may be; the standard's largest are far below.
enum XMLLimits {
    /// How deep elements may be nested; a camt message in an envelope needs about 20.
    static let depth = 64
    /// The longest text of one element, in bytes; the standard's longest has 500 characters.
    static let textBytes = 65_536
    /// The longest entry, in bytes of text and names, its transactions included: 64 MiB.
    static let entryBytes = 67_108_864
    /// The most bytes of markup in which nothing is complete: a tag, a comment.
    static let markupBytes = 1_048_576
    /// The most elements of an entry, its transactions not counted, or of one transaction.
    static let nodes = 20_000
}
