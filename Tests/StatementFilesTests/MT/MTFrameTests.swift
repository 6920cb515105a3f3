import StatementFiles
import Testing

@Suite("MT messages framed by SOH and ETX")
struct MTFrameTests {
    private static let statement = MTMessageText.statement(":61:261120C5,00NTRFA", closing: "C261120EUR105,00")
    private static let messages = ["MT940": statement, "MT942": MTMessageText.report]

    /// How banks put a frame around messages, without the line end behind the last one.
    static let frames: [String: @Sendable (String) -> String] = [
        "before the first tag": { "\u{1}" + $0.dropLast() + "\u{3}" },
        "with a line end behind it": { "\u{1}" + $0.dropLast() + "\u{3}\r\n" },
        "on lines of their own": { "\u{1}\n" + $0 + "\u{3}\n" },
        "SOH and STX": { "\u{1}\u{2}" + $0.dropLast() + "\u{3}\u{4}\n" },
        "with blocks": { text in
            "\u{1}" + MTMessageText.inBlocks(text).replacing("{5:{CHK:123456789ABC}}\n", with: "") + "\u{3}"
        },
        "with blocks and a trailer": { "\u{1}" + MTMessageText.inBlocks($0).dropLast() + "\u{3}" },
    ]

    private static func problem(_ bytes: some Sequence<UInt8>) -> BankProblem? {
        do throws(BankProblem) {
            _ = try BankReading(MTReader(), Array(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test("have the first thing that is wrong told, in whatever pieces the file comes")
    func firstProblem() {
        let file = Array(":64:D140901EUR3,66\n:64:D140901EUR3,66\n:64:\u{0}\n".utf8)
        let problems = Set(
            [1, 7, Int.max].map { piece -> String in
                do throws(BankProblem) {
                    _ = try BankReading(MTReader(), file) { piece }
                    return ""
                } catch {
                    return "\(error)"
                }
            }
        )
        #expect(problems.count == 1 && problems.first?.hasPrefix("Line 1:") == true, "\(problems)")
    }

    @Test("are read as without the frame", arguments: messages.keys.sorted(), frames.keys.sorted())
    func framed(message: String, frame: String) throws {
        let plain = try #require(Self.messages[message])
        let wrap = try #require(Self.frames[frame])
        let whole = try BankReading(mt: plain)
        for text in [wrap(plain), wrap(plain).replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")] {
            let reading = try BankReading(mt: text)
            #expect(reading.entries.map(\.summary) == whole.entries.map(\.summary))
            #expect(reading.entries.map(\.fingerprint) == whole.entries.map(\.fingerprint))
            #expect(reading.checks == whole.checks && reading.trailer.statements == 1)
        }
        // One frame a message, on lines of their own and on one; and one frame around all.
        let joined = wrap(plain)
        for text in [joined + "\r\n" + joined, joined + joined] {
            #expect(try BankReading(mt: text).trailer.statements == 2)
        }
        #expect(try BankReading(mt: "\u{1}" + plain + plain.dropLast() + "\u{3}").trailer.statements == 2)
    }

    @Test("that were cut off are refused, wherever", arguments: messages.keys.sorted(), frames.keys.sorted())
    func cut(message: String, frame: String) throws {
        let enframe = try #require(Self.frames[frame])
        let text = try #require(Self.messages[message])
        let bytes = Array(enframe(text).utf8)
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "-")))
        let isInBlock = bytes.dropFirst(end + 1).first == UInt8(ascii: "}")
        for length in 0..<(isInBlock ? end + 2 : end + 1) {
            #expect(Self.problem(bytes.prefix(length)) != nil, "cut to \(length) bytes")
        }
        #expect(Self.problem(bytes) == nil)
    }

    @Test("end with their frame, where a bank leaves out the mark, unless blocks are open")
    func withoutMark() throws {
        for text in Self.messages.values {
            #expect(try BankReading(mt: "\u{1}" + text.replacing("\n-\n", with: "\u{3}\n")).trailer.statements == 1)
        }
        let open =
            "\u{1}" + MTMessageText.inBlocks(Self.statement).replacing("\n-}{5:{CHK:123456789ABC}}\n", with: "\u{3}")
        #expect(Self.problem(open.utf8) == .truncated(line: 2))
        let early = "\u{1}" + Self.statement.replacing(":62F:", with: "\u{3}\n:62F:")
        #expect(Self.problem(early.utf8) == .malformed(line: 6, "the message ends, and there is no :62F: or :62M:"))
    }

    @Test("and control bytes inside a text are left there")
    func text() throws {
        let text = MTMessageText.statement(":61:261120C5,00NTRFA\n:86:one\u{2}two", closing: "C261120EUR105,00")
        #expect(try BankReading(mt: text).transactions.map(\.remittance) == [["one\u{2}two"]])
    }
}
