import Domain
import StrictJSON
import Testing
import TributaryTestKit

/// Each type of break, alone in files that agree with the books otherwise.
@Suite("A break in files handed to the program", .timeLimit(.minutes(10)))
struct PlantedBreakTests {
    @Test("is one of every type there is")
    func complete() {
        #expect(Set(PlantedBreak.all.map(\.type)) == Set(BreakType.allCases))
        #expect(PlantedBreak.all.count == BreakType.allCases.count)
    }

    @Test(
        "is found for what it is, alone, and listed",
        arguments: PlantedBreak.all,
        DatabaseEngine.allCases
    )
    func found(_ planted: PlantedBreak, _ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            var files = MonthFiles(planted.psp, place.books)
            try planted.plant(&files)
            let names = [try place.write(files.report), try place.write(files.statement)]
            let (finished, json) = try await place.reconciled(names)
            let isUnreadable = planted.type == .unparseableRow
            #expect(finished.status == (isUnreadable ? 3 : 1), "\(finished.err)")
            try #require(ReconcilingPlace.types(json) == [planted.type.rawValue], "\(finished.out)")
            #expect(json["summary"]?["breaks"]?[planted.type.rawValue] == 1)
            #expect(json["summary"]?["unusable_rows"] == (isUnreadable ? 1 : 0))
            let found = try #require(json["breaks"]?[0])
            try Self.expect(found, planted, place.books)
            let listed = try await place.breaks()
            #expect(listed.map { $0["id"] } == [found["id"]])
            #expect(listed.first?["state"] == "open")
            try await place.expectSound()
        }
    }

    private static func expect(_ found: JSON, _ planted: PlantedBreak, _ books: SettledBooks) throws {
        let order = try planted.order.map { name in try #require(books.orders[name]) }
        #expect(found["order"]?.stringValue == order?.id.text)
        let sold = order?.payments.first { $0.externalIdentifier == planted.psp.merchant }?.amount
        let amount = try #require(found["amount"]?.integerValue)
        switch planted.type {
        case .unparseableRow: #expect(amount == 0)
        // What the PSP took instead of giving: twice the sale, below zero.
        case .directionMismatch: #expect(amount == sold.map { -2 * $0 })
        // Ours, of which the other currency is no part.
        case .currencyMismatch: #expect(amount == sold.map(-))
        default: #expect(abs(amount) == abs(planted.amount ?? sold ?? -1), "\(amount)")
        }
        #expect(found["explanation"]?.stringValue?.isEmpty == false)
        #expect(found["suggestion"]?.stringValue?.isEmpty == false)
        let isOfALine = ![.missingAtPSP, .late].contains(planted.type)
        #expect((found["lines"]?.arrayValue?.isEmpty == false) == isOfALine)
    }
}
