import StatementFiles
import Testing

@Suite("Camt files that are not to be trusted")
struct CamtRefusalTests {
    private static func problem(_ text: String, piece: Int = 4_096) -> BankProblem? {
        problem(Array(text.utf8), piece: piece)
    }

    private static func problem(_ bytes: [UInt8], piece: Int = 4_096) -> BankProblem? {
        do throws(BankProblem) {
            _ = try BankReading(CamtReader(), bytes) { piece }
            return nil
        } catch {
            return error
        }
    }

    @Test("with entities that multiply, or that name a file, are refused at the declaration")
    func entities() {
        let laughs = """
            <!DOCTYPE Document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
            """
        let external = #"<!DOCTYPE Document [<!ENTITY f SYSTEM "file:///etc/passwd">]>"#
        let remote = #"<!DOCTYPE Document SYSTEM "http://example.com/a.dtd">"#
        for prolog in [laughs, external, remote] {
            let text = CamtText.message(
                CamtText.entry("1.00", more: "<AddtlNtryInf>&c;&f;</AddtlNtryInf>"),
                prolog: prolog
            )
            #expect(Self.problem(text) == .documentType(line: 1))
        }
        let undeclared = CamtText.message(CamtText.entry("1.00", more: "<AddtlNtryInf>&f;</AddtlNtryInf>"))
        #expect(Self.problem(undeclared) == .malformed(line: 4, "no well-formed XML: undefined entity"))
    }

    @Test("nested too deep, or with a text, a tag or an entry too long, are refused")
    func sizes() {
        let deep = String(repeating: "<X>", count: 100_000)
        #expect(Self.problem(CamtText.message(deep)) == .tooLarge(line: 4, "elements nested deeper than 64"))
        let text = "<AddtlNtryInf>" + String(repeating: "x", count: 65_537) + "</AddtlNtryInf>"
        let long = BankProblem.tooLarge(line: 4, "an element with more than 65536 bytes of text")
        #expect(Self.problem(CamtText.message(CamtText.entry("1.00", more: text))) == long)
        let comment = "<!--" + String(repeating: " ", count: 1_100_000) + "-->"
        let tag = "<Ntry a='" + String(repeating: "x", count: 1_100_000) + "'>"
        let markup = BankProblem.tooLarge(line: 4, "a tag or comments of more than 1048576 bytes")
        #expect(Self.problem(CamtText.message(comment)) == markup)
        #expect(Self.problem(CamtText.message(tag)) == markup)
        let many = String(repeating: "<Chrgs/>", count: 20_001)
        let nodes = BankProblem.tooLarge(line: 4, "an entry of more than 20000 elements")
        #expect(Self.problem(CamtText.message(CamtText.entry("1.00", more: many))) == nodes)
    }

    @Test("with a hundred megabytes of text are refused after the first 64 KiB of it")
    func flood() throws {
        let reader = CamtReader()
        let start = CamtText.message(CamtText.entry("1.00", more: "<AddtlNtryInf>"))
        let bytes = Array(start.utf8)
        let upTo = try #require(bytes.firstRange(of: Array("<AddtlNtryInf>".utf8))).upperBound
        _ = try reader.read(bytes[..<upTo])
        let megabyte = [UInt8](repeating: 0x78, count: 1_048_576)
        #expect(throws: BankProblem.tooLarge(line: 4, "an element with more than 65536 bytes of text")) {
            for _ in 0..<100 { _ = try reader.read(megabyte[...]) }
        }
        #expect(throws: BankProblem.tooLarge(line: 4, "an element with more than 65536 bytes of text")) {
            try reader.finish()
        }
    }

    @Test("of another message or version are refused by name")
    func messages() {
        for name in ["camt.053.001.14", "camt.053.001.00", "camt.060.001.05", "pain.001.001.03", "camt.053.002.02"] {
            let text = CamtText.message("", namespace: "urn:iso:std:iso:20022:tech:xsd:\(name)")
            #expect(Self.problem(text) == .message(name))
        }
        let wrong = CamtText.message("", namespace: "urn:iso:std:iso:20022:tech:xsd:camt.054.001.08")
        #expect(Self.problem(wrong) == .malformed(line: 2, "Document does not hold what its namespace says"))
        let other = CamtText.message("", namespace: "http://example.com")
        #expect(Self.problem(other) == .malformed(line: 1, "there is no Document of ISO 20022 in it"))
        #expect(Self.problem("") == .empty)
    }

    @Test("in an encoding that expat does not know, or that they do not declare, are refused")
    func encodings() {
        let windows = CamtText.message("").replacing(
            "<?xml version=\"1.0\"?>",
            with: "<?xml version=\"1.0\" encoding=\"windows-1252\"?>"
        )
        #expect(Self.problem(windows) == .encoding(line: 1))
        let broken = Array(CamtText.message("<AddtlStmtInf>é</AddtlStmtInf>").utf8).filter { $0 != 0xC3 }
        #expect(Self.problem(broken) == .malformed(line: 4, "no well-formed XML: not well-formed (invalid token)"))
        let zero = CamtText.message("<AddtlStmtInf>\0</AddtlStmtInf>")
        #expect(Self.problem(zero) == .malformed(line: 4, "no well-formed XML: not well-formed (invalid token)"))
    }

    @Test(
        "behind whose last element anything stands are refused for that, in whatever pieces they come",
        arguments: [":name\"x", "\"text\n\" x", "text", "<More/>", "&amp;", "é", "\u{1}", "]]>"]
    )
    func rest(rest: String) {
        let text = CamtText.message("") + "\n\(rest)\n"
        let problem = BankProblem.malformed(line: 4, "no well-formed XML: junk after document element")
        for piece in 1...text.utf8.count { #expect(Self.problem(text, piece: piece) == problem, "pieces of \(piece)") }
    }

    @Test("that were cut off anywhere are refused")
    func truncation() throws {
        var file = try Fixture.bytes("genkgo/camt054.v8-with-UETR.xml")
        while let last = file.last, last == 0x0A || last == 0x20 { file.removeLast() }
        for length in 0..<file.count {
            let problem = Self.problem(Array(file.prefix(length)))
            let isExpected =
                switch problem {
                case .empty: length == 0
                case .truncated: true
                default: false
                }
            #expect(isExpected, "cut to \(length) bytes: \(String(describing: problem))")
        }
    }

    @Test("whose balance cannot be read are refused, for it would have said whether entries are missing")
    func balance() {
        let text = CamtText.message(CamtText.balance("CLBD", "1.0.0"))
        #expect(Self.problem(text) == .malformed(line: 4, "a balance cannot be read: Bal/Amt is no amount: malformed."))
    }
}
