import StrictJSON
import Testing
import TributaryTestKit

/// A page in a browser, as a buyer uses it.
struct BrowserPage: Sendable {
    private static let pollInterval = Duration.milliseconds(100)

    private let browser: DevToolsPipe
    private let session: String

    /// Lends a page of a browser of its own, in whose documents `script` runs before their own, and ends the browser.
    static func with<Value>(
        before script: String = "",
        _ body: (BrowserPage) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { folder in
            let browser = try DevToolsPipe(profileIn: folder.path("profile"))
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(BrowserPage(browser, script)))
            } catch {
                result = .failure(error)
            }
            await browser.stop()
            return try result.get()
        }
    }

    private init(_ browser: DevToolsPipe, _ script: String) async throws {
        let target = try await browser.call("Target.createTarget", ["url": "about:blank"])
        let attached = try await browser.call(
            "Target.attachToTarget",
            ["targetId": target["targetId"] ?? .null, "flatten": true]
        )
        self.browser = browser
        session = try #require(attached["sessionId"]?.stringValue)
        for domain in ["Page", "Runtime", "Log", "Network"] { _ = try await call(domain + ".enable") }
        _ = try await call("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// Asks the browser for something about the page.
    @discardableResult
    func call(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await browser.call(method, parameters, session: session)
    }

    /// Goes to an address.
    func open(_ url: String) async throws { try await call("Page.navigate", ["url": .string(url)]) }

    /// What a script's expression comes to, as if the buyer had clicked.
    ///
    /// - Throws: ``DevToolsPipe/Failure`` if it throws, or if the page is just being left.
    @discardableResult
    func evaluate(_ expression: String) async throws -> JSON {
        let result = try await call(
            "Runtime.evaluate",
            [
                "expression": .string(expression), "awaitPromise": true, "returnByValue": true, "userGesture": true,
            ]
        )
        if let details = result["exceptionDetails"] { throw DevToolsPipe.Failure.refused(details.text) }
        return result["result"]?["value"] ?? .null
    }

    /// Waits until an expression is true, or is any text or object; answers it.
    ///
    /// - Throws: ``DevToolsPipe/Failure`` with what the page shows if that never comes.
    @discardableResult
    func wait(for expression: String) async throws -> JSON {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end {
            // A page that is just being left has nothing to evaluate it in.
            if let value = try? await evaluate("(\(expression)) || null"), !value.isNull { return value }
            try await Task.sleep(for: Self.pollInterval)
        }
        let shown = (try? await evaluate("location.href + '\\n' + document.body.innerText"))?.stringValue ?? "nothing"
        throw DevToolsPipe.Failure.refused("never came: \(expression); the page shows \(shown)")
    }

    /// Clicks what a selector names, once it is there and can be clicked.
    func click(_ selector: String) async throws {
        let found = "document.querySelector(\(JSON.string(selector).text))"
        try await wait(for: "\(found) && \(found).offsetParent !== null && !\(found).disabled")
        try await evaluate("\(found).click()")
    }

    /// Chooses in a list.
    func choose(_ value: String, in selector: String) async throws {
        let found = "document.querySelector(\(JSON.string(selector).text))"
        try await wait(for: "\(found) !== null")
        try await evaluate("\(found).value = \(JSON.string(value).text)")
    }

    /// The pages that were gone to, those that sent the buyer on included.
    var visits: [String] {
        browser.events("Network.requestWillBeSent").filter { $0["type"] == "Document" }.compactMap {
            $0["request"]?["url"]?.stringValue
        }
    }

    /// What a script threw, or the page's own policy forbade; none if all is well.
    var complaints: [String] {
        let thrown = browser.events("Runtime.exceptionThrown").map(\.text)
        let logged = browser.events("Log.entryAdded").compactMap { event -> String? in
            guard event["entry"]?["source"] == "security" else { return nil }
            return event["entry"]?["text"]?.stringValue
        }
        return thrown + logged
    }

    // MARK: Lost connections

    /// Has requests to an address stop when their answer comes, before the page sees it: see ``loseAnswers(_:)``.
    func holdAnswers(to path: String) async throws {
        let pattern: JSON = ["urlPattern": .string("*" + path), "requestStage": "Response"]
        try await call("Fetch.enable", ["patterns": [pattern]])
    }

    /// Breaks the connection of so many held requests, one after another: the server has done what they asked by then.
    func loseAnswers(_ count: Int) async throws {
        let end = ContinuousClock.now + .patience
        var lost: Set<String> = []
        while lost.count < count {
            guard ContinuousClock.now < end else { throw DevToolsPipe.Failure.refused("no answer came to be lost") }
            for event in browser.events("Fetch.requestPaused") {
                guard let id = event["requestId"]?.stringValue, lost.count < count, !lost.contains(id) else { continue }
                lost.insert(id)
                try await call(
                    "Fetch.failRequest",
                    ["requestId": .string(id), "errorReason": "ConnectionReset"]
                )
            }
            try await Task.sleep(for: Self.pollInterval)
        }
        try await call("Fetch.disable")
    }
}
