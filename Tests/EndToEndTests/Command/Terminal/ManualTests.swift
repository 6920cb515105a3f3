import Testing
import TributaryTestKit

@testable import TributaryCommand

@Suite("What a program tells of itself", .timeLimit(.minutes(10)))
struct ManualTests {
    @Test("is a page in roff, in which nothing of the text is taken for a request")
    func page() {
        let list = CommandPage(
            name: "list",
            abstract: "List them.",
            discussion: ".hidden stays\n'so does this\n\nExample:\n  tributary orders list --status \"a\\b\"",
            items: [
                CommandPage.Item(usage: "--limit <limit>", abstract: "How many.", byDefault: "100"),
                CommandPage.Item(usage: "<order>", abstract: "", byDefault: nil),
            ]
        )
        let orders = CommandPage(name: "orders", abstract: "Orders.", subcommands: [list])
        let program = CommandPage(name: "tributary", abstract: "A gateway.", subcommands: [orders])
        #expect(
            ManualPage(program, version: "0.1.0", day: "2026-11-24").text == #"""
                .TH "TRIBUTARY" 1 "2026-11-24" "tributary 0.1.0"
                .SH NAME
                tributary \- A gateway
                .SH SYNOPSIS
                .B tributary
                \fICOMMAND\fR [\fIOPTION\fR ...]
                .SH DESCRIPTION
                .SH COMMANDS
                .SS "tributary orders"
                Orders.
                .SS "tributary orders list"
                List them.
                .PP
                \&.hidden stays
                \&'so does this
                .PP
                Example:
                .nf
                  tributary orders list \-\-status "a\eb"
                .fi
                .TP
                \fB\-\-limit <limit>\fR
                How many. (default: 100)
                .TP
                \fB<order>\fR

                """#
        )
    }

    @Test(
        "has the commit and its day behind the version, where it was built from one",
        arguments: [
            (nil, nil, "(development build)"), ("0123abc", "2026-11-24", "(commit 0123abc of 2026-11-24)"),
            ("0123abc", nil, "(commit 0123abc)"),
        ] as [(String?, String?, String)]
    )
    func version(commit: String?, day: String?, words: String) {
        #expect(BuildVersion.words(commit, day) == "\(BuildVersion.number) \(words)")
    }

    @Test("is told by commands: the version, the manual of every command, and completions for three shells")
    func commands() async throws {
        try await Workplace.with { place in
            let version = try await place.run("--version")
            #expect((version.status, version.out) == (0, BuildVersion.number + " (development build)\n"))
            let manual = try await place.run("manual")
            #expect(manual.status == 0 && manual.err.isEmpty, "\(manual.err)")
            for words in [".TH \"TRIBUTARY\" 1 ", ".SS \"tributary orders proof\"", "\\fB\\-\\-dry\\-run\\fR"] {
                #expect(manual.out.contains(words), "\(words)")
            }
            #expect(!manual.out.contains("stop\\-when\\-stdin\\-closes"))
            let requests = Set(manual.out.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix(3) })
            #expect(requests == [".TH", ".SH", ".SS", ".B ", ".PP", ".TP", ".nf", ".fi"])
            for (shell, words) in [("bash", "complete -"), ("zsh", "#compdef tributary"), ("fish", "complete -c")] {
                let script = try await place.run("completions", shell)
                #expect(script.status == 0 && script.out.contains(words), "\(shell)")
            }
        }
    }

    @Test("says what was probably meant by a command, a column, a merchant and a PSP account that there are not")
    func meant() async throws {
        try await Workplace.withDatabase { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            for (typed, status, words) in [
                (["ordrs", "list"], 2, "there is no command 'ordrs'; see 'tributary --help'. Did you mean 'orders'?"),
                (
                    ["orders", "lst"], 2,
                    "there is no command 'orders lst'; see 'tributary orders --help'. Did you mean 'list'?"
                ),
                (["xyzzy"], 2, "there is no command 'xyzzy'; see 'tributary --help'."),
                (["merchants", "show", "hotl-7"], 1, "there is no merchant hotl-7. Did you mean 'hotel-7'?"),
                (["psp-accounts", "pause", "simm"], 1, "there is no PSP account simm. Did you mean 'sim'?"),
                (
                    ["psp-accounts", "list", "--columns", "id,stat"], 2,
                    "there is no column stat; there are id, psp, status,"
                ),
            ] as [([String], Int32, String)] {
                let ending = try await place.run(typed)
                #expect(ending.status == status, "\(typed): \(ending.err)")
                #expect(ending.out.isEmpty && ending.err.contains(words), "\(typed): \(ending.err)")
            }
            let chosen = try await place.run("psp-accounts", "list", "--columns", "status,id", "--format", "csv")
            #expect((chosen.status, chosen.out) == (0, "status,id\nactive,sim\n"))
        }
    }
}
