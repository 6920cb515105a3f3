import PSPSimulator
import StrictJSON
import Testing
import TributaryClient
import TributaryTestKit

@Suite(
    "The checkout page in a browser",
    .enabled(if: DevToolsPipe.program != nil, "chromium is not installed: apt-get install chromium"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct CheckoutPageTests {
    /// What becomes of an order when one card is declined.
    struct DeclinedPart: Sendable, CustomTestStringConvertible {
        let policy: String
        let declined: String
        let status: TributaryClient.Word
        let captured: Int64

        var testDescription: String { "\(policy), \(declined) declined" }
    }

    private static let declinedParts = [
        DeclinedPart(policy: "all_or_nothing", declined: "car-3", status: "failed", captured: 0),
        DeclinedPart(policy: "best_effort", declined: "car-3", status: "partially_paid", captured: 48_500),
        DeclinedPart(policy: "required", declined: "hotel-7", status: "partially_paid", captured: 39_000),
        DeclinedPart(policy: "required", declined: "airline-1", status: "failed", captured: 0),
        DeclinedPart(policy: "minimum", declined: "hotel-7", status: "partially_paid", captured: 39_000),
        DeclinedPart(policy: "minimum", declined: "airline-1", status: "failed", captured: 0),
    ]

    private static func with(_ body: (CheckoutStage, BrowserPage) async throws -> Void) async throws {
        try await CheckoutStage.with { stage in
            try await BrowserPage.with(before: ScriptedSheet.script) { page in
                try await page.open(stage.shopURL)
                try await page.wait(for: "document.querySelector('#form') && !document.querySelector('#form').hidden")
                try await body(stage, page)
                #expect(page.complaints == [])
            }
        }
    }

    /// Waits for the end of the order, and answers what the page shows.
    private static func result(_ page: BrowserPage, _ status: String) async throws -> JSON {
        try await page.wait(for: "location.pathname === '/result' && document.body.dataset.status === '\(status)'")
        return try await page.wait(
            for: """
                (() => ({
                  title: document.querySelector('h1').innerText, focus: document.activeElement.id,
                  parts: Object.fromEntries([...document.querySelectorAll('#parts li')].map(
                    (part) => [part.dataset.merchant, part.dataset.status])),
                  charged: document.querySelector('#charged').innerText,
                }))()
                """
        )
    }

    @Test("pays three merchants with one touch of Apple Pay, each with a cryptogram of its own")
    func applePay() async throws {
        try await Self.with { stage, page in
            try await page.click("#apple-pay")
            let sheet = try await page.wait(for: ScriptedSheet.openSheet)
            #expect(sheet["version"] == 14)
            #expect(sheet["session"] == CheckoutStage.session)
            let request = try #require(sheet["request"])
            let contexts = request["multiTokenContexts"]?.arrayValue ?? []
            #expect(contexts.compactMap { $0["amount"]?.stringValue } == ["300.00", "185.00", "90.00"])
            try await page.evaluate(ScriptedSheet.confirm(with: stage.token(for: request)))
            let shown = try await Self.result(page, "paid")
            #expect(shown["title"] == "Your order is placed")
            #expect(shown["charged"] == "$575.00")
            #expect(try await page.evaluate(ScriptedSheet.ending)["status"] == 0)
            #expect(try await stage.orders().map(\.capturedAmount) == [57_500])
            #expect(await stage.authorizations().map(\.captured).sorted() == [9000, 18_500, 30_000])
        }
    }

    @Test("shows each part of an order that is declined in part, as its policy has it", arguments: declinedParts)
    func declined(_ part: DeclinedPart) async throws {
        try await Self.with { stage, page in
            try await page.click("[name=policy][value=\(part.policy)]")
            try await page.choose("insufficient_funds", in: "#card-\(part.declined)")
            try await page.click("#pay")
            let shown = try await Self.result(page, part.status.rawValue)
            #expect(
                shown["title"]?.stringValue
                    == (part.captured > 0 ? "Your order is placed in part" : "Your order was not placed")
            )
            #expect(shown["focus"] == "title")
            let statuses = (shown["parts"]?.objectValue ?? []).map { [$0.key, $0.value.stringValue ?? ""] }
            #expect(statuses.contains([part.declined, "declined"]))
            let others = Set(statuses.filter { $0[0] != part.declined }.map { $0[1] })
            #expect(part.captured > 0 ? others == ["captured"] : others.isDisjoint(with: ["captured", "authorized"]))
            let orders = try await stage.orders()
            #expect(orders.map(\.status) == [part.status])
            #expect(orders.map(\.capturedAmount) == [part.captured])
            #expect(await stage.authorizations().reduce(0) { $0 + $1.captured + $1.held } == part.captured)
        }
    }

    @Test("takes the buyer to the bank and back, twice in a row, and pays another way behind a refusal")
    func twoSteps() async throws {
        try await Self.with { stage, page in
            try await page.choose("suspected_fraud", in: "#card-airline-1")
            try await page.click("#pay")
            _ = try await Self.result(page, "failed")
            try await page.click("#again")
            try await page.wait(for: "location.pathname === '/' && !document.querySelector('#form').hidden")
            try await page.choose("three_d_secure", in: "#card-airline-1")
            try await page.choose("three_d_secure", in: "#card-hotel-7")
            try await page.click("#pay")
            let shown = try await Self.result(page, "paid")
            #expect(shown["charged"] == "$575.00")
            let steps = page.visits.filter { $0.contains("/actions/") }
            #expect(Set(steps).count == 2)
            #expect(steps.count == 2)
            #expect(try await stage.orders().map(\.status) == ["paid", "failed"])
        }
    }

    @Test("says that the connection was lost, and its repeat finds the one order that was placed")
    func lostConnection() async throws {
        try await Self.with { stage, page in
            try await page.holdAnswers(to: "/api/cart/order")
            try await page.click("#pay")
            try await page.loseAnswers(3)
            let notice = try await page.wait(
                for: "!document.querySelector('#notice').hidden && document.querySelector('#notice-text').innerText"
            )
            #expect(notice.stringValue?.contains("nothing is paid twice") == true)
            #expect(try await page.evaluate("document.activeElement.id") == "notice")
            #expect(try await stage.orders().count == 1)
            try await page.click("#repeat")
            let shown = try await Self.result(page, "paid")
            #expect(shown["charged"] == "$575.00")
            #expect(try await stage.orders().map(\.capturedAmount) == [57_500])
            #expect(await stage.authorizations().count == 3)
            try await page.open(stage.shopURL)
            try await page.wait(for: "location.pathname === '/result'")
            #expect(try await stage.orders().count == 1)
        }
    }

    @Test("can be read on a phone, and names each of its fields")
    func accessible() async throws {
        try await Self.with { _, page in
            let phone: JSON = ["width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true]
            try await page.call("Emulation.setDeviceMetricsOverride", phone)
            #expect(try await page.evaluate("document.documentElement.scrollWidth <= 320") == true)
            let unnamed =
                "[...document.querySelectorAll('select, input')].filter((field) => !field.labels.length).length"
            #expect(try await page.evaluate(unnamed) == 0)
            let low =
                "[...document.querySelectorAll('select, button')].filter((field) => field.offsetParent && "
                + "field.offsetHeight < 44).length"
            #expect(try await page.evaluate(low) == 0)
            #expect(try await page.evaluate("document.documentElement.lang") == "en")
        }
    }
}
