/// Divides a stream into lines that end in CRLF or LF.
struct MTLineSplitter {
    /// The longest line, in bytes: SWIFT's have 65 characters, and banks that do not wrap need some hundred.
    static let lineLimitBytes = 4_096

    private var rest: [UInt8] = []
    /// How many lines there were.
    private var number = 0

    /// The lines that are complete.
    mutating func split(_ chunk: ArraySlice<UInt8>) throws(BankProblem) -> [MTLine] {
        let content = rest.isEmpty ? chunk : rest + chunk
        var lines: [MTLine] = []
        var start = content.startIndex
        while let end = content[start...].firstIndex(of: 0x0A) {
            number += 1
            lines.append(try line(content[start..<end]))
            start = end + 1
        }
        rest = Array(content[start...])
        guard rest.count <= Self.lineLimitBytes else { throw tooLong(number + 1) }
        return lines
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
