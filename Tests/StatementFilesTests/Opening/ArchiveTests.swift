import StatementFiles
import Testing

@Suite("Archives that are not to be trusted")
struct ArchiveTests {
    private static func problem(_ bytes: [UInt8], _ limits: ReportFileLimits = ReportFileLimits()) -> ReportFileProblem?
    {
        do {
            _ = try ReportReading(bytes, limits: limits)
            return nil
        } catch {
            return error as? ReportFileProblem
        }
    }

    private static func problem(
        file: String,
        _ limits: ReportFileLimits = ReportFileLimits()
    ) throws -> ReportFileProblem? {
        problem(try Fixture.bytes("packed/\(file)"), limits)
    }

    @Test("with encrypted members, names that leave, no files, or archives inside are refused")
    func contents() throws {
        #expect(try Self.problem(file: "encrypted.zip") == .archive(.encrypted(member: "2026/camt.xml")))
        #expect(try Self.problem(file: "leaving.zip") == .archive(.unsafeName))
        #expect(try Self.problem(file: "absolute.zip") == .archive(.unsafeName))
        #expect(try Self.problem(file: "folders.zip") == .archive(.noFiles))
        #expect(try Self.problem(file: "none.zip") == .archive(.noFiles))
        let known = ["camt", "mt940"]
        #expect(
            try Self.problem(file: "nested.zip")
                == .unknownFormat(member: "inner.zip", seen: "a zip archive inside an archive", known: known)
        )
        var limits = ReportFileLimits()
        limits.memberCount = 3
        #expect(try Self.problem(file: "two.zip", limits) == .archive(.tooManyMembers))
    }

    @Test("that expand too far are refused while they do", arguments: ["spaces.gz", "spaces.zip"])
    func bombs(_ file: String) throws {
        var ratio = ReportFileLimits()
        ratio.ratioFreeBytes = 16_384
        ratio.expansionRatio = 50
        let table = BankTable(
            name: "any",
            hasHeader: false,
            amount: .signed(.number(1)),
            columns: BankTableColumns(bookedOn: .number(1))
        )
        let formats = ReportFormats(readsBankStatements: false, tables: [table])
        #expect(throws: ReportFileProblem.archive(.expandsTooFar)) {
            try ReportReading(Fixture.bytes("packed/\(file)"), formats: formats, chosen: "any", limits: ratio)
        }
        var size = ReportFileLimits()
        size.expandedBytes = 65_535
        #expect(throws: ReportFileProblem.archive(.tooLarge)) {
            try ReportReading(Fixture.bytes("packed/\(file)"), formats: formats, chosen: "any", limits: size)
        }
    }

    @Test("that were cut off anywhere are refused", arguments: ["small.xml.gz", "small.zip", "small-streamed.zip"])
    func truncation(_ file: String) throws {
        let bytes = try Fixture.bytes("packed/\(file)")
        for length in 0..<bytes.count {
            #expect(Self.problem(Array(bytes.prefix(length))) != nil, "cut to \(length) bytes")
        }
        #expect(Self.problem(bytes) == nil)
        #expect(Self.problem(bytes + [0]) != nil)
    }

    @Test("in which a byte of the data, a checksum or a length was changed are refused")
    func corruption() throws {
        let gzip = try Fixture.bytes("packed/small.xml.gz")
        // Behind the ten bytes of the header, in which a changed time or system means nothing; the last byte of the data
        // has bits that are not used.
        for index in 10..<gzip.count where index != gzip.count - 9 {
            var changed = gzip
            changed[index] ^= 0x10
            #expect(Self.problem(changed) != nil, "changed at \(index)")
        }
        let zip = try Fixture.bytes("packed/two-stored.zip")
        let text = try #require(zip.firstRange(of: Array("<MsgId>".utf8)))
        var changed = zip
        changed[text.upperBound] ^= 1
        #expect(Self.isCorrupt(changed))
        var hidden = zip
        let end = try #require(zip.firstRange(of: [0x50, 0x4B, 0x05, 0x06]))
        hidden[end.lowerBound + 10] = 3
        hidden[end.lowerBound + 8] = 3
        #expect(Self.problem(hidden) == .archive(.corrupt("its directory does not list the members that are in it")))
    }

    private static func isCorrupt(_ bytes: [UInt8]) -> Bool {
        if case .archive(.corrupt) = problem(bytes) { true } else { false }
    }
}
