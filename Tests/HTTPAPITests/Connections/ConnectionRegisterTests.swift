import Testing

@testable import HTTPAPI

@Suite("The register of connections")
struct ConnectionRegisterTests {
    /// Something with an identity.
    private final class Peer {}

    private let peers = (0..<5).map { _ in Peer() }

    private func id(_ number: Int) -> ObjectIdentifier { ObjectIdentifier(peers[number]) }

    /// A full register: 0 came first, 1 is being served, 2 came last.
    private func full() -> ConnectionRegister.Book {
        var book = ConnectionRegister.Book(limit: 3)
        for number in 0..<3 {
            _ = book.admit(id(number), at: Int64(number))
        }
        book.serve(id(1))
        return book
    }

    /// A comparison for verdicts of calls that change the book.
    private func expect(
        _ verdict: ConnectionRegister.Verdict,
        _ expected: ConnectionRegister.Verdict,
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(verdict == expected, sourceLocation: place)
    }

    @Test("has the one that waits for longest make room, each only once")
    func evicts() {
        var book = full()
        expect(book.admit(id(3), at: 10), .servedInPlaceOf(id(0)))
        expect(book.admit(id(4), at: 11), .servedInPlaceOf(id(2)))
        #expect(book.count == 5)
    }

    @Test("refuses only if every one is being served or leaves")
    func refuses() {
        var book = full()
        book.serve(id(0))
        book.serve(id(2))
        expect(book.admit(id(3), at: 10), .refused)
        book.wait(id(2), since: 11)
        expect(book.admit(id(4), at: 12), .servedInPlaceOf(id(2)))
    }

    @Test("takes one that was asked to leave back if a request of its is being served by then")
    func served() {
        var book = full()
        expect(book.admit(id(3), at: 10), .servedInPlaceOf(id(0)))
        book.serve(id(0))
        book.wait(id(0), since: 1)
        expect(book.admit(id(4), at: 11), .servedInPlaceOf(id(0)))
    }

    @Test("takes one that is being closed before all others")
    func closing() {
        var book = full()
        book.wait(id(2), since: 0)
        book.wait(id(0), since: 5)
        expect(book.admit(id(3), at: 10), .servedInPlaceOf(id(2)))
    }

    @Test("forgets who is gone")
    func removes() {
        var book = full()
        book.remove(id(1))
        expect(book.admit(id(3), at: 10), .served)
        #expect(book.count == 3)
    }

    @Test("never opens more connections than were asked for", arguments: [8, 16, 54, 70, 512, 5000])
    func within(_ total: Int) {
        let limits = ConnectionLimits(connections: ConnectionLimits.connections(within: total))
        #expect(limits.openConnections <= total)
        #expect(limits.connections >= 4)
    }
}
