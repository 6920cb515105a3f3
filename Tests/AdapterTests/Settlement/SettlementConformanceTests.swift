import AdapterKit
import Domain
import Testing

@Suite("Every settlement report")
struct SettlementConformanceTests {
    @Test("is read whole, row by row", arguments: SettlementFormat.all)
    func whole(format: SettlementFormat) throws {
        let reading = try format.reading()
        #expect(reading.lines.count == format.rows)
        #expect(reading.trailer.rows == format.rows)
        #expect(reading.unusable.isEmpty)
        #expect(reading.trailer.unusableCount == 0)
        #expect(!reading.trailer.lacksFinalLineEnd)
        #expect(reading.lines.map(\.row) == Array(format.isTable ? 2...(format.rows + 1) : 1...format.rows))
    }

    @Test("gives the same lines however it is divided", arguments: SettlementFormat.all)
    func pieces(format: SettlementFormat) throws {
        let bytes = try format.bytes
        let whole = try format.reading()
        for piece in Array(1...100) + [127, 128, 1000, bytes.count - 1] {
            #expect(try SettlementReading(format.report, bytes, piece: piece) == whole, "pieces of \(piece)")
        }
    }

    @Test("adds up to its control totals", arguments: SettlementFormat.all)
    func sums(format: SettlementFormat) throws {
        let reading = try format.reading()
        for sum in reading.trailer.sums {
            func total(_ amount: (SettlementLine) -> SettlementAmount?) throws -> SettlementAmount {
                try reading.lines.compactMap(amount).filter { $0.currency == sum.currency }
                    .reduce(.zero(sum.currency)) { try $0.adding($1) }
            }
            #expect(try total(\.gross) == sum.gross)
            #expect(try total(\.fee) == sum.fee)
            #expect(try total(\.net) == sum.net)
            #expect(try total { $0.net.flatMap { $0.units > 0 ? $0 : nil } } == sum.credits)
            #expect(try total { $0.net.flatMap { $0.units < 0 ? $0 : nil } } == sum.debits)
            #expect(try sum.credits.adding(sum.debits) == sum.net)
        }
        let currencies = Set(reading.lines.flatMap { [$0.gross, $0.fee, $0.net] }.compactMap { $0?.currency })
        #expect(Set(reading.trailer.sums.map(\.currency)) == currencies)
        #expect(reading.trailer.sums.map(\.currency.code) == reading.trailer.sums.map(\.currency.code).sorted())
    }

    @Test("adds up line by line where its amounts are of one currency", arguments: SettlementFormat.all)
    func discrepancies(format: SettlementFormat) throws {
        for line in try format.reading().lines {
            if let left = line.discrepancy { #expect(left == .zero(left.currency), "\(line.summary)") }
        }
    }

    @Test("is told from every other by its beginning", arguments: SettlementFormat.all)
    func recognition(format: SettlementFormat) throws {
        let bytes = try format.bytes
        for other in SettlementFormat.all {
            let isRecognised = other.report.recognises(Array(bytes.prefix(16_384)))
            #expect(isRecognised == (other.file == format.file))
        }
        let name = format.report.format
        #expect(format.file.hasPrefix(name))
        for bytes in [[], Array("{}".utf8), Array("a,b\n".utf8), [0xFF, 0, 0x22]] {
            let isRecognised = format.report.recognises(bytes)
            #expect(!isRecognised)
        }
    }

    @Test("is never read to the end where it was cut off", arguments: SettlementFormat.all)
    func truncation(format: SettlementFormat) throws {
        let bytes = try format.bytes
        let whole = try format.reading()
        for length in Array(stride(from: 1, to: bytes.count, by: 13)) + Array((bytes.count - 200)..<(bytes.count - 1)) {
            guard let cut = try? SettlementReading(format.report, Array(bytes.prefix(length))) else { continue }
            let certain = cut.trailer.lacksFinalLineEnd ? Array(cut.lines.dropLast()) : cut.lines
            #expect(certain == Array(whole.lines.prefix(certain.count)), "cut at \(length)")
            let ends = [0x0A, 0x0D, UInt8(ascii: "}")].contains(bytes[length - 1])
            #expect(ends || cut.trailer.lacksFinalLineEnd, "cut at \(length)")
        }
    }

    @Test("survives what no PSP sends", arguments: SettlementFormat.all)
    func garbage(format: SettlementFormat) throws {
        let bytes = try format.bytes
        let whole = try format.reading()
        for (index, byte) in [UInt8(ascii: "\""), 0, 0xFF, 0x0D, UInt8(ascii: "{"), UInt8(ascii: ",")].enumerated() {
            for place in stride(from: index, to: bytes.count, by: 61) {
                var changed = bytes
                changed[place] = byte
                guard let reading = try? SettlementReading(format.report, changed) else { continue }
                #expect(reading.trailer.rows == reading.lines.count + reading.trailer.unusableCount)
                #expect(reading.trailer.rows <= whole.trailer.rows + 1)
            }
        }
    }

    @Test("refuses an empty file, and says the same ever after", arguments: SettlementFormat.all)
    func empty(format: SettlementFormat) throws {
        var report = format.report.init()
        #expect(try report.read([]).isEmpty)
        #expect(throws: SettlementProblem.empty) { try report.finish() }
        #expect(throws: SettlementProblem.empty) { try report.read(try format.bytes[...]) }
        #expect(throws: SettlementProblem.empty) { try report.finish() }
    }
}
