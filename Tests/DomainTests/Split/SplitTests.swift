import Domain
import Testing

@Suite("Split")
struct SplitTests {
    private let dollars: Currency
    private let euros: Currency

    init() throws {
        dollars = try #require(Currency(code: "USD"))
        euros = try #require(Currency(code: "EUR"))
    }

    private func contexts(_ amounts: [(String, Int64)], in currency: Currency? = nil) throws -> [TokenContext] {
        try amounts.map {
            TokenContext(
                externalIdentifier: $0.0,
                amount: try Money(minorUnits: $0.1, currency: currency ?? dollars)
            )
        }
    }

    private func split(
        _ total: Int64,
        _ contexts: [TokenContext],
        acceptsResidual: Bool = false
    ) throws -> Split {
        try Split(
            total: Money(minorUnits: total, currency: dollars),
            contexts: contexts,
            acceptsResidual: acceptsResidual
        )
    }

    private func refusals(
        _ total: Int64,
        _ contexts: [TokenContext],
        acceptsResidual: Bool = false
    ) throws -> [SplitRefusal] {
        do {
            _ = try split(total, contexts, acceptsResidual: acceptsResidual)
            return []
        } catch let refusals as SplitRefusals {
            return refusals.all
        }
    }

    @Test("divides a total among its contexts, in their order") func divides() throws {
        let contexts = try contexts([("airline-1", 300), ("hotel-7", 200)])
        let split = try split(500, contexts)
        #expect(split.contexts == contexts)
        #expect(split.total.minorUnits == 500)
        #expect(split.payable.minorUnits == 500)
        #expect(split.residual == 0)
    }

    @Test("leaves a residual that the caller named uncharged") func leavesResidual() throws {
        let split = try split(501, contexts([("airline-1", 300), ("hotel-7", 200)]), acceptsResidual: true)
        #expect(split.payable.minorUnits == 500)
        #expect(split.residual == 1)
    }

    @Test("takes the largest amount there is") func takesTheLargest() throws {
        #expect(try split(.max, contexts([("a", .max)])).residual == 0)
        #expect(try split(.max, contexts([("a", .max - 1), ("b", 1)])).payable.minorUnits == .max)
    }

    @Test("refuses no context") func refusesNone() throws {
        #expect(try refusals(5, [], acceptsResidual: true) == [.noContexts])
    }

    @Test("refuses an external identifier that comes twice") func refusesRepetition() throws {
        let contexts = try contexts([("a", 1), ("b", 1), ("a", 1), ("a", 1)])
        #expect(try refusals(4, contexts) == [.repeated(index: 2), .repeated(index: 3)])
    }

    @Test("tells identifiers apart that differ in a letter's case") func isCaseSensitive() throws {
        #expect(try split(2, contexts([("a", 1), ("A", 1)])).contexts.count == 2)
    }

    @Test("refuses a context in another currency") func refusesOtherCurrencies() throws {
        let contexts = try contexts([("a", 1)]) + contexts([("b", 1)], in: euros)
        #expect(try refusals(2, contexts) == [.otherCurrency(index: 1)])
    }

    @Test("refuses an amount of zero") func refusesZero() throws {
        let contexts = try contexts([("a", 0), ("b", 2)])
        #expect(try refusals(2, contexts) == [.zero(index: 0)])
    }

    @Test("refuses contexts that sum to more than the total, even by one unit") func refusesExcess() throws {
        let contexts = try contexts([("a", 300), ("b", 201)])
        #expect(try refusals(500, contexts) == [.exceedsTotal(contexts: 501, total: 500)])
    }

    @Test("refuses a residual of which nobody said what becomes of it") func refusesUnassignedResiduals() throws {
        let contexts = try contexts([("a", 300), ("b", 199)])
        #expect(try refusals(500, contexts) == [.residualUnassigned(1)])
    }

    @Test("refuses a sum that does not fit 64 bits") func refusesOverflow() throws {
        let contexts = try contexts([("a", .max), ("b", 1)])
        #expect(try refusals(.max, contexts) == [.overflow])
    }

    @Test("refuses for every reason at once, in the order of the contexts") func refusesAllAtOnce() throws {
        let mixed =
            try contexts([("a", 0), ("a", 600)]) + contexts([("a", 5)], in: euros) + contexts([("b", 0)], in: euros)
        #expect(
            try refusals(500, mixed) == [
                .zero(index: 0), .repeated(index: 1), .repeated(index: 2), .otherCurrency(index: 2),
                .otherCurrency(index: 3), .zero(index: 3),
            ]
        )
        let excessive = try contexts([("a", 600), ("a", 0)])
        #expect(
            try refusals(500, excessive) == [
                .repeated(index: 1), .zero(index: 1), .exceedsTotal(contexts: 600, total: 500),
            ]
        )
        let overflowing = try contexts([("a", .max), ("a", .max)])
        #expect(try refusals(500, overflowing) == [.repeated(index: 1), .overflow])
    }
}
