import AdapterKit
import StatementFiles
import Testing

@Suite("Published MT940 files")
struct MTVectorTests {
    @Test("hold the entries, sums and balances that they say", arguments: MTVector.all)
    func figures(_ vector: MTVector) throws {
        let reading = try BankReading(MTReader(), Fixture.bytes(vector.file))
        #expect(reading.trailer.statements == vector.statements && reading.ends.count == vector.statements)
        #expect(reading.entries.count == vector.entries)
        #expect(reading.trailer.booked.summary == vector.booked && reading.trailer.unbooked == [])
        #expect(reading.checks == vector.checks)
        #expect(reading.trailer.disagreementCount == vector.checks.count { $0.contains("≠") })
        #expect(reading.trailer.rows == vector.entries + reading.trailer.unusableCount)
    }

    @Test("are read alike however their bytes are divided and their lines end", arguments: MTVector.all)
    func division(_ vector: MTVector) throws {
        let file = try Fixture.bytes(vector.file)
        let whole = try BankReading(MTReader(), file)
        #expect(try BankReading(MTReader(), file) { 1 } == whole)
        var random = SystemRandomNumberGenerator()
        #expect(try BankReading(MTReader(), file) { Int.random(in: 1...90, using: &random) } == whole)
        let windows = file.filter { $0 != 0x0D }.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        #expect(try BankReading(MTReader(), windows) { 7 } == whole)
    }

    @Test("in a currency that is no more have its entries reported, not read")
    func formerCurrency() throws {
        let reading = try BankReading(MTReader(), Fixture.bytes("cmxl/mt940.sta"))
        #expect(reading.trailer.unusableCount == 11)
        #expect(Set(reading.trailer.unusable.map(\.problem)) == [.unknownCurrency("DEM")])
        #expect(reading.trailer.unusable.map(\.line) == Array(stride(from: 5, through: 25, by: 2)))
        #expect(reading.ends.first?.balances == [])
    }

    @Test("that are single fields are refused")
    func parts() throws {
        let parts = try FixtureFolder.names("cmxl", suffix: ".sta").subtracting(["cmxl/mt940.sta"])
        #expect(parts.count == 10)
        for part in parts {
            let file = try Fixture.bytes(part)
            #expect(throws: BankProblem.self) { try BankReading(MTReader(), file) }
        }
        let vectors = try FixtureFolder.names("jejik", suffix: ".sta").union(["cmxl/mt940.sta"])
        #expect(vectors == Set(MTVector.all.map(\.file)))
    }
}
