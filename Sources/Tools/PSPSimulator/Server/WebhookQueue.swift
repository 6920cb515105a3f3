/// Webhooks that wait, in lanes: one lane an authorization, so that they are told in their order.
struct WebhookQueue {
    /// A webhook and how often it is still to be sent.
    struct Item {
        let notice: WebhookNotice
        /// The account whose books changed.
        let account: String
        let copies: Int
    }

    /// Something to do for the sender.
    enum Job {
        /// Deliver what waits in the lane of this authorization, one after the other.
        case lane(String)
        /// Deliver this, so many milliseconds from now.
        case late(Item, milliseconds: Int64)
    }

    private var endpoints: [String: WebhookEndpoint] = [:]
    private(set) var counts = WebhookCounts()
    private let limit: Int
    private var lanes: [String: [Item]] = [:]
    private var waiters: [Waiter] = []
    private var numberCount = 0
    /// The numbers of those who have not been let go on.
    private var numbers: Set<Int> = []

    /// Whoever waits for a lane to be empty.
    private struct Waiter {
        let number: Int
        let lane: String
        let continuation: CheckedContinuation<Void, Never>
    }

    init(limit: Int) { self.limit = limit }

    mutating func register(_ endpoint: WebhookEndpoint) { endpoints[endpoint.account] = endpoint }

    /// Forgets an endpoint; false if there was none.
    mutating func unregister(_ account: String) -> Bool { endpoints.removeValue(forKey: account) != nil }

    /// Whether anybody hears.
    var isHeard: Bool { !endpoints.isEmpty }

    /// Where an account hears: at its own endpoint, or at that of the platform that acts for it.
    func endpoint(of account: String) -> WebhookEndpoint? {
        endpoints[account] ?? endpoints[String(account.prefix { $0 != ":" })]
    }

    /// Takes what there is to tell of an event and says what is to be done for it.
    mutating func add(_ event: BookEvent, _ notices: [WebhookNotice]) -> [Job] {
        var jobs: [Job] = []
        let account = event.authorization.account
        for notice in notices where event.announcement != .silent {
            let item = Item(notice: notice, account: account, copies: event.announcement == .twice ? 2 : 1)
            guard counts.waiting + item.copies <= limit else {
                counts.dropped += item.copies
                continue
            }
            counts.waiting += item.copies
            if case .late(let milliseconds) = event.announcement {
                jobs.append(.late(item, milliseconds: milliseconds))
                continue
            }
            let lane = event.authorization.id
            if lanes[lane] == nil { jobs.append(.lane(lane)) }
            lanes[lane, default: []].append(item)
        }
        return jobs
    }

    /// The next webhook of a lane; nil ends the lane, and whoever waited for it goes on.
    mutating func next(in lane: String) -> Item? {
        guard let first = lanes[lane]?.first else {
            lanes[lane] = nil
            release { $0.lane == lane }
            return nil
        }
        lanes[lane]?.removeFirst()
        return first
    }

    /// Notes what became of a webhook.
    mutating func finish(isDelivered: Bool) {
        counts.waiting -= 1
        if isDelivered { counts.delivered += 1 } else { counts.failed += 1 }
    }

    /// A number for somebody who will wait.
    mutating func drawNumber() -> Int {
        numberCount += 1
        numbers.insert(numberCount)
        return numberCount
    }

    /// Resumes the continuation once the lane is empty; at once if the number has been released already.
    mutating func wait(for lane: String, _ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
        waiters.append(Waiter(number: number, lane: lane, continuation: continuation))
        if lanes[lane] == nil || !numbers.contains(number) { release { $0.number == number } }
    }

    /// Lets the one with that number go on, even if they do not wait yet; does nothing if they have.
    mutating func release(_ number: Int) {
        numbers.remove(number)
        release { $0.number == number }
    }

    /// Lets everybody go on who waits.
    mutating func releaseAll() { release { _ in true } }

    private mutating func release(_ isMeant: (Waiter) -> Bool) {
        for waiter in waiters where isMeant(waiter) {
            numbers.remove(waiter.number)
            waiter.continuation.resume()
        }
        waiters.removeAll(where: isMeant)
    }
}
