import Testing

@Suite("Help", .timeLimit(.minutes(10)))
struct HelpTests {
    @Test(
        "goes to standard output and explains the command",
        arguments: [
            ([], ["demo", "serve", "migrate", "apply", "keys", "orders", "Exit codes"]),
            (["serve"], ["--host", "--port", "--config", "--database", "SIGTERM"]),
            (["recover"], ["--since", "--dry-run", "--psp-account", "dismiss"]),
            (["migrate"], ["--check", "newer"]),
            (["apply"], ["--dry-run", "--prune", "--resume"]),
            (["keys", "create"], ["--scope", "merchant:"]),
            (
                ["simulate-psp"],
                ["tok_approve", "--books", "--dialect", "stripe", "GET /books", "GET /reports/settlement"]
            ),
            (["demo"], ["--keep", "killed"]),
            (["payouts", "record"], ["--reference", "--paid-at", "nothing changes"]),
            (["bench", "orders"], ["--in-flight", "--stored", "--plans", "SIGKILL"]),
            (["bench", "reconcile"], ["--lines", "--ten-times", "TMPDIR", "27 breaks"]),
            (["ledger", "statement"], ["--time-zone", "--from", "does not add up", "camt053", "pdf"]),
            (["invoices", "issue"], ["--month", "no gaps", "time_zone"]),
        ]
    )
    func help(command: [String], words: [String]) async throws {
        try await Workplace.with { place in
            let ending = try await place.run(command + ["--help"])
            #expect(ending.status == 0)
            #expect(ending.err.isEmpty)
            for word in words { #expect(ending.out.contains(word), "\(word) is missing in \(ending.out)") }
            #expect(!ending.out.contains("stop-when-stdin-closes"))
        }
    }
}
