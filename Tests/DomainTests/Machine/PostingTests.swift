import Testing

@testable import Domain

@Suite("Posting")
struct PostingTests {
    private let clearing = Account.clearing(pspAccount: "sim-a")

    @Test("moves one amount from one account to another") func moves() throws {
        let posting = try #require(Posting(debit: clearing, credit: .commission, signed: 5))
        #expect(posting.debit == clearing)
        #expect(posting.credit == .commission)
        #expect(posting.amount == 5)
    }

    @Test("of less than zero goes the other way") func goesTheOtherWay() throws {
        let posting = try #require(Posting(debit: clearing, credit: .commission, signed: -5))
        #expect(posting.debit == .commission)
        #expect(posting.credit == clearing)
        #expect(posting.amount == 5)
    }

    @Test("of nothing, or within one account, cannot be made") func refusesNothing() {
        #expect(Posting(debit: clearing, credit: .commission, signed: 0) == nil)
        #expect(Posting(debit: clearing, credit: clearing, signed: 5) == nil)
    }
}
