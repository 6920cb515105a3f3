import ArgumentParser
import Domain
import OpenSSLCMS
import StrictJSON
import WalletOrders

/// `tributary wallet-orders`.
struct WalletOrderCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet-orders",
        abstract: "Look at orders in Wallet, and verify their packages.",
        subcommands: [
            ShowWalletOrder.self, ListWalletDevices.self, PushWalletOrder.self, VerifyWalletOrder.self,
        ]
    )
}

/// `tributary wallet-orders verify`.
struct VerifyWalletOrder: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an order package for Wallet, or say which check it fails.",
        discussion: """
            Looks at what a device looks at, in this order: archive, signature, certificate, manifest, order_type, order,
            localization. Says which check fails first, and why; what is unusual and no reason to refuse it is a remark.
            Needs no server and no database. Exits 0 if every check passed, 1 if one failed, 2 if an argument cannot be
            used.

            The signer's certificate has to lead to --root: Apple Root CA, which Apple publishes at
            https://www.apple.com/certificateauthority/, or that of the test certificates. A package of the past is
            verified with --at and the time at which it was made.

            Example:
              tributary wallet-orders verify order.order --root AppleRootCA.pem --order-type order.com.example.shop
            """
    )

    @Argument(help: ArgumentHelp("The package; - for standard input.", valueName: "file"))
    var package: String

    @Option(name: .long, help: ArgumentHelp("The root to trust, in PEM or DER.", valueName: "file"))
    var root: String

    @Option(
        name: .long,
        help: ArgumentHelp("The order type it has to be of; any unless said.", valueName: "identifier")
    )
    var orderType: String?

    @OptionGroup var time: MomentOption
    @OptionGroup var output: FormatOption

    func validate() throws {
        guard package != "-" || root != "-" else {
            throw ValidationError("only one of the files can be standard input")
        }
    }

    func run() throws {
        let rootBytes = try TokenFile.read(root)
        let roots: TrustRoots
        do throws(OpenSSLFailure) {
            roots = try TrustRoots(file: rootBytes)
        } catch {
            throw CommandFailure.unusable("\(root.harmless): there is no certificate that can be read")
        }
        // What is longer than a package may be is for the verdict to say.
        let bytes = try TokenFile.read(package, limit: 8 * 1_048_576)
        let verdict = WalletOrderVerifier.verify(
            bytes,
            orderTypeIdentifier: orderType,
            roots: roots,
            at: time.moment
        )
        let answer = WalletOrderAnswer(verdict)
        output.write(answer.table, json: answer.json)
        if !verdict.holds { throw ExitCode(1) }
    }
}

/// What `tributary wallet-orders verify` says about a package: the same for people and programs, without the order's
/// token.
struct WalletOrderAnswer {
    private let verdict: WalletOrderVerifier.Verdict

    init(_ verdict: WalletOrderVerifier.Verdict) { self.verdict = verdict }

    /// One row a fact, and one a reason or remark.
    var table: Table {
        var table = Table("field", "value")
        table.add(.text("verified"), .text(verdict.holds ? "true" : "false"))
        if let failed = verdict.failed { table.add(.text("failed_check"), .text(failed.rawValue)) }
        for reason in verdict.reasons { table.add(.text("reason"), .text(reason)) }
        for (name, value) in facts where !value.isNull {
            table.add(.text(name), .text(value.stringValue ?? value.text))
        }
        for remark in verdict.remarks { table.add(.text("remark"), .text(remark)) }
        return table
    }

    /// One object.
    var json: JSON {
        .object(
            [
                JSON.Member("verified", .bool(verdict.holds)),
                JSON.Member("failed_check", .optional(verdict.failed?.rawValue)),
                JSON.Member("reasons", .strings(verdict.reasons)),
                JSON.Member("passed_checks", .strings(verdict.passed.map(\.rawValue))),
                JSON.Member("remarks", .strings(verdict.remarks)),
            ] + facts.map { JSON.Member($0.0, $0.1) }
        )
    }

    private var facts: [(String, JSON)] {
        let order = verdict.order
        func text(_ key: String) -> JSON { .optional(order?[key]?.stringValue) }
        return [
            ("signed_for", .optional(verdict.signedFor)),
            ("certificate_expires_at", .optional(verdict.certificateExpiry?.wholeSeconds)),
            ("order_type_identifier", text("orderTypeIdentifier")),
            ("order_identifier", text("orderIdentifier")),
            ("order_number", text("orderNumber")),
            ("status", text("status")),
            ("payment_status", .optional(order?["payment"]?["status"]?.stringValue)),
            ("updated_at", text("updatedAt")),
        ]
    }
}
