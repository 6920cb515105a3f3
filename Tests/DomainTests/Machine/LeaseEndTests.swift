import Domain
import Testing

/// A lease can end before its time.
@Suite("The end of a lease")
struct LeaseEndTests {
    /// The first authorization of a new order, which instance one has in hand, after its lease was ended 10 ms later.
    private static func authorization(after end: LeaseEnd) throws -> (Operation, Story) {
        var story = try Story()
        story.sleep(milliseconds: 10)
        let id = story.order.payments[0].attempt.authorization.id
        story.step(by: "two") { machine in
            do { try machine.apply(.endLease(id, lease: 1, end)) } catch { Issue.record(error) }
        }
        return (story.order.payments[0].attempt.authorization, story)
    }

    @Test("leaves what was perhaps sent to be taken at once")
    func lost() throws {
        let (operation, story) = try Self.authorization(after: .lost(sentUnderLease: 1))
        #expect((operation.leases, operation.sendings, operation.leasedBy) == (1, 1, "one"))
        #expect(operation.dueAt == story.now)
    }

    @Test("is none if more was sent under it since it was judged")
    func sentSince() throws {
        let (operation, story) = try Self.authorization(after: .lost(sentUnderLease: 0))
        let untouched = try Story().order.payments[0].attempt.authorization
        #expect(operation == untouched)
        #expect(try #require(operation.dueAt) > story.now)
    }

    @Test("forgets the only sending if its holder says that it did not begin: it is sent, not asked after")
    func unbegun() throws {
        var (operation, story) = try Self.authorization(after: .unbegun)
        #expect((operation.leases, operation.sendings, operation.leasedBy, operation.sentAt) == (0, 0, nil, nil))
        #expect(operation.dueAt == story.now)
        let isClaimed = story.claim(operation.id, by: "three")
        #expect(isClaimed)
        operation = story.order.payments[0].attempt.authorization
        #expect(operation.state == .open)
        #expect((operation.leases, operation.sendings, operation.sentUnderLease) == (1, 1, 1))
    }

    @Test("forgets no earlier sending")
    func earlier() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .timedOut)
        story.sleep(milliseconds: 1000)
        let id = try #require(story.last(.capture, 0)).id
        let isClaimed = story.claim(id, by: "two")
        #expect(isClaimed)
        story.step(by: "two") { machine in
            do { try machine.apply(.endLease(id, lease: 2, .unbegun)) } catch { Issue.record(error) }
        }
        let capture = try #require(story.last(.capture, 0))
        #expect((capture.leases, capture.sendings, capture.dueAt) == (2, 1, story.now))
    }
}
