import StatementFiles
import Testing

@Suite("Published camt files")
struct CamtVectorTests {
    @Test("hold the entries, sums and balances that they say", arguments: CamtVector.all)
    func figures(_ vector: CamtVector) throws {
        let reading = try BankReading(CamtReader(), Fixture.bytes(vector.file))
        #expect(reading.trailer.statements == vector.statements)
        #expect(reading.heads.count == vector.statements && reading.ends.count == vector.statements)
        #expect(reading.trailer.rows == vector.entries && reading.entries.count == vector.entries)
        #expect(reading.trailer.unusable == [])
        #expect(reading.transactions.count == vector.transactions)
        #expect(reading.ends.map(\.balances.count).reduce(0, +) == vector.balances)
        #expect(reading.trailer.booked.summary == vector.booked)
        #expect(reading.trailer.unbooked.summary == vector.unbooked)
        #expect(reading.checks == vector.checks)
        #expect(reading.trailer.disagreementCount == vector.checks.count { $0.contains("≠") })
    }

    @Test("without a statement are refused")
    func noStatement() throws {
        let file = try Fixture.bytes("genkgo/camt053.v2.wrong.xml")
        #expect(throws: BankProblem.noStatement) { try BankReading(CamtReader(), file) }
    }

    @Test("are read alike however their bytes are divided", arguments: CamtVector.all)
    func division(_ vector: CamtVector) throws {
        let file = try Fixture.bytes(vector.file)
        let whole = try BankReading(CamtReader(), file)
        #expect(try BankReading(CamtReader(), file) { 1 } == whole)
        var random = SystemRandomNumberGenerator()
        #expect(try BankReading(CamtReader(), file) { Int.random(in: 1...700, using: &random) } == whole)
    }

    @Test("all of them are in the table")
    func complete() throws {
        let names = try FixtureFolder.names("genkgo", suffix: ".xml")
        #expect(names == Set(CamtVector.all.map(\.file)).union(["genkgo/camt053.v2.wrong.xml"]))
    }
}
