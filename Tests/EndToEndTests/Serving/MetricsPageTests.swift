import Foundation
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The metrics and the log of a server", .timeLimit(.minutes(10)))
struct MetricsPageTests {
    /// The page, as the tree has it.
    private static func page() throws -> String {
        let path = try #require(Workplace.repositoryFile("Sources/Tributary.docc/Metrics.md"))
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    private static func scrape(_ url: String) async throws -> String {
        let reply = try await HTTPCall(.get, url + "/metrics", key: "").reply()
        #expect(reply.status == 200)
        return String(decoding: reply.body, as: UTF8.self)
    }

    @Test("the page has every metric that a server has, and no other", arguments: DatabaseEngine.allCases)
    func page(_ engine: DatabaseEngine) async throws {
        try await Workplace.withDatabase(engine) { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            try await place.whileServing { url in
                // The first sample is taken as the server begins.
                let end = ContinuousClock.now + .patience
                var text = try PrometheusText(try await Self.scrape(url))
                while text.value("tributary_work_due") == nil, ContinuousClock.now < end {
                    try await Task.sleep(for: .milliseconds(100))
                    text = try PrometheusText(try await Self.scrape(url))
                }
                #expect(text.value("tributary_work_due") == 0)
                let rows = try Self.page().split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
                    row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces.union(["`"])) }
                }
                let names = rows.compactMap(\.first)
                #expect(Set(names).symmetricDifference(text.families.map(\.name)) == [])
                #expect(names.count == Set(names).count)
                for family in text.families {
                    let row = try #require(rows.first { $0.first == family.name })
                    #expect(row.count == 4 && row[1] == family.type, "\(row)")
                    guard let sample = family.samples.first else { continue }
                    let labels = sample.labels.keys.filter { $0 != "le" }.sorted()
                    let told = row[2].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                    #expect(told.map { $0.trimmingCharacters(in: ["`"]) }.filter { !$0.isEmpty }.sorted() == labels)
                }
                for name in [
                    "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "process_max_fds",
                    "process_start_time_seconds",
                ] { #expect(try #require(text.value(name)) > 0, "\(name)") }
            }
        }
    }

    @Test("the rules for alerts stand on metrics that there are, and each has its section of the runbook")
    func alerts() throws {
        func file(_ path: String) throws -> String {
            try String(contentsOfFile: try #require(Workplace.repositoryFile(path)), encoding: .utf8)
        }
        let (rules, page, runbook) = (
            try file("Config/alerts.yaml"), try Self.page(), try file("Sources/Tributary.docc/Runbook.md")
        )
        let metrics = Set(page.matches(of: /(?m)^\| `(?<name>[a-z_]+)`/).map { String($0.output.name) })
        let used = rules.matches(of: /\b(?:tributary|process)_[a-z_]+/).map { String($0.output) }
        #expect(used.count > 10)
        #expect(Set(used).subtracting(metrics) == [])
        let alerts = rules.matches(of: /- alert: (?<name>\w+)/).map { String($0.output.name) }
        let sections = runbook.matches(of: /(?m)^## (?<name>\w+)$/).map { String($0.output.name) }
        #expect(alerts == sections)
    }

    @Test("the board for Grafana asks for metrics that there are, by labels that they have")
    func board() throws {
        let path = try #require(Workplace.repositoryFile("Config/grafana.json"))
        let board = try JSON.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        let page = try Self.page()
        var labels: [String: Set<String>] = [:]
        for row in page.matches(of: /(?m)^\| `(?<name>[a-z_]+)` \| [a-z]+ \| (?<labels>[^|]*)\|/) {
            labels[String(row.output.name)] = Set(row.output.labels.matches(of: /[a-z_]+/).map { String($0.output) })
        }
        let panels = board["panels"]?.arrayValue ?? []
        let identifiers = panels.compactMap { $0["id"]?.integerValue }
        #expect(identifiers.count == panels.count && Set(identifiers).count == panels.count)
        let targets = panels.flatMap { $0["targets"]?.arrayValue ?? [] }
        #expect(targets.count > 20)
        for target in targets {
            let expression = try #require(target["expr"]?.stringValue)
            let names = expression.matches(of: /\b(?:tributary|process)_[a-z_]+/).map { match in
                String(match.output).replacing(/_bucket$/, with: "")
            }
            let known = names.reduce(into: Set(["job", "instance", "le"])) { $0.formUnion(labels[$1] ?? []) }
            #expect(names.allSatisfy { labels[$0] != nil }, "\(expression)")
            let groups = expression.matches(of: /by \((?<names>[^)]*)\)/).map(\.output.names)
            let legend = (target["legendFormat"]?.stringValue ?? "").matches(of: /\{\{(?<name>[a-z_]+)\}\}/).map(
                \.output.name
            )
            let used = groups.flatMap { $0.split(separator: ", ") } + legend
            #expect(Set(used.map(String.init)).subtracting(known) == [], "\(expression)")
        }
    }

    @Test("as JSON is nothing else from the beginning to the end, which says what was drained")
    func log() async throws {
        try await Workplace.withDatabase { place in
            let server = try place.start([
                "serve", "--stop-when-stdin-closes", "--port", "0", "--log-format", "json",
            ])
            let line = try await server.notice(containing: "the server listens", within: .patience)
            let url = try #require(try JSON.parse(Array(line.utf8))["url"]?.stringValue)
            let reply = try await HTTPCall(.get, url + "/v1/orders?secret=hush", key: "tk_hush").reply()
            #expect(reply.status == 401)
            await server.stop()
            let finished = try await Finished(server, within: .patience)
            #expect(finished.status == 0)
            let lines = try finished.err.split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
            let messages = lines.compactMap { $0["message"]?.stringValue }
            #expect(messages.contains("the server begins") && messages.last == "the server has ended", "\(messages)")
            let request = try #require(lines.first { $0["message"] == "a request was answered" })
            #expect(request["route"] == "/v1/orders" && request["status"] == "401")
            #expect(lines.last?["requests_left"] == "0" && lines.last?["requests_drained"] != nil)
            #expect(!finished.err.contains("hush"))
        }
    }

    @Test("metrics take the key that the settings name, and a server without that key does not begin")
    func key() async throws {
        try await Workplace.withDatabase { place in
            var place = place
            place.environment["TRIBUTARY_METRICS_KEY"] = "env:SCRAPER_KEY"
            let keyless = try await place.run("serve", "--port", "0")
            #expect(keyless.status == 2 && keyless.err.contains("SCRAPER_KEY is not set"), "\(keyless.err)")
            #expect(try await place.run("check-config").status == 1)
            place.environment["SCRAPER_KEY"] = "scraper-7"
            try await place.whileServing { url in
                let right = try await HTTPCall(.get, url + "/metrics", key: "scraper-7").reply()
                let wrong = try await HTTPCall(.get, url + "/metrics", key: "scraper-8").reply()
                #expect((right.status, wrong.status) == (200, 401))
            }
        }
    }

    @Test(
        "the public prometheus_client package reads what a server answers",
        .enabled(if: StandardWebhooksPython.path != nil, "TRIBUTARY_STANDARD_WEBHOOKS_PYTHON names no Python")
    )
    func publicParser() async throws {
        try await Workplace.withDatabase { place in
            try place.write(
                """
                import sys
                try:
                    from prometheus_client.parser import text_string_to_metric_families
                except ImportError:
                    sys.exit(75)
                families = list(text_string_to_metric_families(open(sys.argv[1]).read()))
                assert len({family.name for family in families}) == len(families)
                print(len(families))
                """,
                to: "read.py"
            )
            try await place.whileServing { url in
                let text = try await Self.scrape(url)
                try place.write(text, to: "metrics.txt")
                let program = try place.start(
                    try #require(StandardWebhooksPython.path),
                    [place.path("read.py"), place.path("metrics.txt")]
                )
                let finished = try await Finished(program, within: .patience)
                // A Python that has the other package only.
                guard finished.status != 75 else { return }
                #expect(finished.status == 0, "\(finished.err)")
                #expect(Int(finished.out.filter(\.isNumber)) == (try PrometheusText(text)).families.count)
            }
        }
    }
}
