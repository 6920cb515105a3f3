/// Reads MT940 and MT942 (SWIFT), with or without the blocks around them, one message after the other.
///
/// A message ends with `-}` or `-`; the last one, where a bank leaves that out, with the file behind its closing balance.
/// Some banks frame messages by the control bytes SOH (or STX) and ETX: a message does not go on behind its frame.
package struct MTReader: BankReader {
    private var splitter = MTLineSplitter()
    private var statements = MTStatements()
    private var field: MTField?
    /// Whether the message stands in SWIFT's blocks, and so has to end with `-}`.
    private var isInBlock = false
    /// Whether a frame is open, and so has to end with ETX.
    private var isInFrame = false
    private var failure: BankProblem?

    /// Makes a reader at the beginning of a file.
    package init() {}

    /// Reads on.
    package mutating func read(_ chunk: ArraySlice<UInt8>) throws(BankProblem) -> [BankItem] {
        if let failure { throw failure }
        do throws(BankProblem) {
            let (lines, problem) = splitter.split(chunk)
            // What is wrong in an earlier line is told before, in whatever pieces the file comes.
            for line in lines { try take(line) }
            if let problem { throw problem }
            return statements.takeItems()
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends the reading.
    ///
    /// Without a mark at its end, a message is whole if its closing balance is, line end included; an MT942, which has no
    /// closing balance, needs the mark.
    package mutating func finish() throws(BankProblem) -> (items: [BankItem], trailer: BankTrailer) {
        if let failure { throw failure }
        do throws(BankProblem) {
            let last = try splitter.finish()
            if let last { try take(last) }
            let isCut = isInBlock || last != nil && field?.tag.hasPrefix("62") == true
            try takeField()
            if let line = statements.openLine {
                guard !isCut, !isInFrame, statements.hasClosing else { throw BankProblem.truncated(line: line) }
                try statements.endMessage(line: line)
            } else if isInBlock {
                throw BankProblem.truncated(line: 1)
            }
            let trailer = try statements.trailer()
            return (statements.takeItems(), trailer)
        } catch {
            failure = error
            throw error
        }
    }

    /// Whether a file that begins with these bytes has a message: `:20:`, `:25:` and `:28C:` at the start of lines.
    static func recognises(_ head: [UInt8]) -> Bool {
        let lines = head.split { $0 == 0x0A || $0 == 0x0D }
        let tags = [":20:", ":25", ":28"].map { Array($0.utf8) }
        return tags.allSatisfy { tag in
            lines.contains { line in
                line.drop(while: isFraming).starts(with: tag) || line.firstRange(of: Array("{4:".utf8) + tag) != nil
            }
        }
    }

    /// Takes a line that control bytes around messages may begin and end; any others stand in a field's text.
    private mutating func take(_ line: MTLine) throws(BankProblem) {
        var bytes = line.bytes
        while let byte = bytes.first, Self.isFraming(byte) {
            try takeFraming(byte, line: line.number)
            bytes = bytes.dropFirst()
        }
        let isMark = bytes.first == UInt8(ascii: "-")
        let last = bytes.lastIndex { !Self.isFraming($0) }
        let end = isMark ? bytes.firstIndex(where: Self.isFraming) : last.map { $0 + 1 }
        let content = bytes[..<(end ?? bytes.endIndex)]
        if !content.isEmpty || line.bytes.isEmpty {
            try takeContent(MTLine(number: line.number, bytes: content))
        }
        let rest = bytes[content.endIndex...]
        if !rest.isEmpty { try take(MTLine(number: line.number, bytes: rest)) }
    }

    /// Begins a frame, or ends it and with it the message in it, which SWIFT's blocks end before.
    private mutating func takeFraming(_ byte: UInt8, line: Int) throws(BankProblem) {
        isInFrame = Self.isFrameBegin(byte)
        guard !isInFrame else { return }
        try takeField()
        guard let begun = statements.openLine else { return }
        guard !isInBlock else { throw .truncated(line: begun) }
        try statements.endMessage(line: line)
    }

    private static func isFraming(_ byte: UInt8) -> Bool { isFrameBegin(byte) || byte == 0x03 || byte == 0x04 }
    private static func isFrameBegin(_ byte: UInt8) -> Bool { byte == 0x01 || byte == 0x02 }

    private mutating func takeContent(_ line: MTLine) throws(BankProblem) {
        if let next = MTField.starting(line.bytes, line: line.number) {
            try takeField()
            field = next
        } else if line.bytes.first == UInt8(ascii: "{"), !statements.isOpen || line.bytes.starts(with: "{1:".utf8) {
            try takeBlocks(line)
        } else if isEnd(line.bytes) {
            try takeField()
            if statements.isOpen { try statements.endMessage(line: line.number) }
            isInBlock = false
            try takeBlocks(MTLine(number: line.number, bytes: line.bytes.dropFirst()))
        } else if field != nil, statements.isOpen || field?.tag == "20" {
            guard (field?.lines.count ?? 0) < MTField.lineLimit else {
                throw .tooLarge(line: line.number, "a field of more than \(MTField.lineLimit) lines")
            }
            field?.lines.append(Array(line.bytes))
        }
    }

    /// `-` and `-}` end a message; behind the closing balance, so does every line that begins with `-`.
    private func isEnd(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "-") else { return false }
        let rest = bytes.dropFirst()
        if isInBlock { return rest.first == UInt8(ascii: "}") }
        return rest.allSatisfy { $0 == 0x20 } || rest.first == UInt8(ascii: "}") || statements.hasClosing
            || field?.tag.hasPrefix("62") == true
    }

    private mutating func takeBlocks(_ line: MTLine) throws(BankProblem) {
        guard line.bytes.contains(UInt8(ascii: "{")) else { return }
        try takeField()
        guard !isInBlock, !statements.isOpen else {
            throw .malformed(line: line.number, "a message begins before the one before it ends")
        }
        let blocks = try MTBlocks.read(line.bytes, line: line.number)
        isInBlock = blocks.isText
        if !blocks.rest.isEmpty { try take(MTLine(number: line.number, bytes: blocks.rest)) }
    }

    private mutating func takeField() throws(BankProblem) {
        guard let field else { return }
        self.field = nil
        try statements.take(field, isInBlock: isInBlock)
    }
}

/// A line without its end.
struct MTLine {
    /// Which it is, the file's first being 1.
    let number: Int
    let bytes: ArraySlice<UInt8>
}

/// Divides a stream into lines that end in CRLF or LF.
struct MTLineSplitter {
    /// The longest line, in bytes: SWIFT's have 65 characters, and banks that do not wrap need some hundred.
    static let lineLimitBytes = 4_096

    private var rest: [UInt8] = []
    /// How many lines there were.
    private var number = 0

    /// The lines that are complete, and what is wrong with the one behind them.
    mutating func split(_ chunk: ArraySlice<UInt8>) -> (lines: [MTLine], problem: BankProblem?) {
        let content = rest.isEmpty ? chunk : rest + chunk
        var lines: [MTLine] = []
        var start = content.startIndex
        while let end = content[start...].firstIndex(of: 0x0A) {
            number += 1
            do throws(BankProblem) { lines.append(try line(content[start..<end])) } catch { return (lines, error) }
            start = end + 1
        }
        rest = Array(content[start...])
        return (lines, rest.count <= Self.lineLimitBytes ? nil : tooLong(number + 1))
    }

    /// The line that the end of the file ends; nil if the file ends in a line end.
    mutating func finish() throws(BankProblem) -> MTLine? {
        guard !rest.isEmpty else { return nil }
        number += 1
        defer { rest = [] }
        return try line(rest[...])
    }

    private func line(_ bytes: ArraySlice<UInt8>) throws(BankProblem) -> MTLine {
        guard bytes.count <= Self.lineLimitBytes else { throw tooLong(number) }
        guard !bytes.contains(0) else { throw .malformed(line: number, "a zero byte") }
        return MTLine(number: number, bytes: bytes.last == 0x0D ? bytes.dropLast() : bytes)
    }

    private func tooLong(_ line: Int) -> BankProblem {
        .tooLarge(line: line, "a line of more than \(Self.lineLimitBytes) bytes")
    }
}

/// The blocks around a message as SWIFT sends it: `{1:…}{2:O940…}{4:` before the fields.
enum MTBlocks {
    /// Reads a line with blocks.
    ///
    /// - Returns: whether the fields begin, and what of the line is theirs.
    /// - Throws: ``BankProblem/malformed(line:_:)`` for another message than MT940, MT942 and MT950.
    static func read(
        _ bytes: ArraySlice<UInt8>,
        line: Int
    ) throws(BankProblem) -> (isText: Bool, rest: ArraySlice<UInt8>) {
        if let header = bytes.firstRange(of: Array("{2:".utf8)) {
            let type = bytes[header.upperBound...].dropFirst().prefix(3)
            guard ["940", "942", "950"].contains(where: { type.elementsEqual($0.utf8) }) else {
                throw .malformed(line: line, "a SWIFT message that is no MT940 or MT942")
            }
        }
        guard let text = bytes.firstRange(of: Array("{4:".utf8)) else { return (false, []) }
        return (true, bytes[text.upperBound...])
    }
}
