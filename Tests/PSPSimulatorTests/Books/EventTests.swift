import PSPSimulator
import Testing

@Suite("What the books have to tell")
struct EventTests {
    /// A pause, and what happens after it.
    private enum Step {
        case authorize(String)
        case change(OperationKind, Int64?)
        case act(DashboardAction.Kind)
    }

    private static let stories: [[(pause: Int64, Step)]] = [
        [
            (0, .authorize("tok_pending_50+capture_pending_50")), (60, .change(.capture, 700)),
            (80, .change(.refund, 100)),
        ],
        [(0, .authorize("tok_lapse_100")), (150, .change(.capture, 1)), (0, .authorize("tok_pending_fail_10"))],
        [(0, .authorize("tok_captured+refund_fail_later_30")), (5, .change(.refund, 400)), (50, .act(.dispute))],
        [(0, .authorize("tok_action_20")), (0, .authorize("tok_approve+void_pending_40")), (1, .change(.void, nil))],
        [(0, .authorize("tok_approve+capture_fail_later_70")), (9, .change(.capture, 1000)), (10, .act(.fail))],
    ]

    @Test("is the same however often they are looked at", arguments: stories.indices)
    func independentOfLooking(story: Int) throws {
        func tell(lookingEvery interval: Int64?) throws -> [String] {
            var driver = BooksDriver()
            var last: Authorization?
            var news: [BookEvent] = []
            func look(_ driver: inout BooksDriver) { news += driver.books.takeEvents() }
            for (pause, step) in Self.stories[story] {
                for _ in 0..<pause {
                    driver.now += 1
                    guard let interval, driver.now.isMultiple(of: interval) else { continue }
                    driver.books.advance(to: driver.now)
                    look(&driver)
                }
                switch step {
                case .authorize(let token): last = try driver.authorized(token)
                case .change(let kind, let amount): _ = driver.change(kind, try #require(last), amount: amount)
                case .act(let deed):
                    var action = DashboardAction(deed, to: .id(try #require(last).id))
                    action.at = driver.now
                    _ = try? driver.books.receive(action)
                }
                look(&driver)
            }
            driver.now += 1000
            driver.books.advance(to: driver.now)
            look(&driver)
            #expect(driver.books.takeEvents().isEmpty)
            #expect(driver.books.nextDueAt ?? .max > driver.now)
            return news.map { "\($0.id) \($0.type) \($0.at)" }.sorted()
        }
        let once = try tell(lookingEvery: nil)
        #expect(once.count >= 3)
        #expect(Set(once.map { $0.split(separator: " ")[0] }).count == once.count, "an identifier twice")
        for interval in [1, 3, 7, 20] as [Int64] { #expect(try tell(lookingEvery: interval) == once) }
    }

    @Test("is told as the one says who acts without the API")
    func announced() throws {
        var driver = BooksDriver()
        let hold = try driver.authorized("tok_approve")
        let deeds: [(DashboardAction.Kind, WebhookAnnouncement)] = [
            (.capture, .silent), (.refund, .late(milliseconds: 70)), (.fail, .twice), (.dispute, .silent),
            (.win, .twice),
        ]
        for (deed, announcement) in deeds {
            var action = DashboardAction(deed, to: .id(hold.id))
            action.at = driver.now
            action.amount = deed == .fail ? nil : 400
            action.announcement = announcement
            _ = try driver.books.receive(action)
        }
        let news = driver.books.takeEvents()
        #expect(news.dropFirst().map(\.announcement) == deeds.map(\.1))
    }

    @Test("is nothing when a request is refused or replayed")
    func nothing() throws {
        var driver = BooksDriver()
        let authorization = try driver.authorized("tok_approve")
        _ = driver.change(.capture, authorization, amount: 1000, reference: "op", key: "c")
        #expect(driver.books.takeEvents().map(\.type) == ["authorization.authorized", "capture.succeeded"])
        #expect(driver.change(.capture, authorization, amount: 1000, reference: "op", key: "c").isReplay)
        #expect(driver.change(.capture, authorization, amount: 1).word == "already_captured")
        #expect(driver.authorize("tok_reject_configuration").word == "configuration_error")
        #expect(driver.books.takeEvents().isEmpty)
    }
}
