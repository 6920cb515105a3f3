import AdapterKit
import ArgumentParser
import Domain
import Gateway
import StrictJSON
import Wiring

/// `tributary adapters`.
struct Adapters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What the PSPs of this build can do.",
        discussion: """
            The gateway decides by these declarations alone, never by a PSP's name. Each adapter's README says what was
            checked against which document, and what its sandbox must still confirm.
            """,
        subcommands: [ListAdapters.self, ShowAdapter.self]
    )
}

/// `tributary adapters list`.
struct ListAdapters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the adapters, a line each."
    )

    @OptionGroup var output: FormatOption

    func run() async throws {
        output.write(Table(adapters: AdapterCatalog.psps.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }
}

/// `tributary adapters show`.
struct ShowAdapter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that one adapter declares."
    )

    @Argument(
        help: ArgumentHelp("The adapter, as `adapters list` and a declaration's `psp` name it.", valueName: "psp")
    )
    var name: String

    @OptionGroup var output: FormatOption

    func run() async throws {
        guard let psp = AdapterCatalog.psps[name] else {
            let known = AdapterCatalog.psps.keys.sorted().joined(separator: ", ")
            throw CommandFailure.finding("there is no adapter for \(name.harmless); this build has \(known)")
        }
        let lines = psp.declaration(named: name)
        output.write(Table(lines), json: .object(lines.map { .init($0.name, .string($0.value)) }))
    }
}

extension Table {
    /// A row for each adapter.
    init(adapters: [(name: String, psp: PSPDirectory.PSP)]) {
        self.init(
            "psp",
            "credentials",
            "capture",
            "refund",
            "asynchronous",
            "idempotency",
            "inquiry",
            "application_fee",
            "webhooks",
            "listing"
        )
        for (name, psp) in adapters {
            let short = psp.capabilities.inShort.map(\.value)
            add(([name] + short + [psp.hearsWebhooks ? "yes" : "no", psp.listing.words]).map(Cell.text))
        }
    }

    /// A row for each thing that is declared.
    init(_ lines: [Declared]) {
        self.init("what", "declared")
        for line in lines { add(.text(line.name), .text(line.value)) }
    }
}

/// What an adapter declares, under one name and in words.
struct Declared: Hashable {
    /// What it is about, in snake case.
    let name: String
    /// What is declared.
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension PSPDirectory.PSP {
    /// Everything that it declares, in the order in which a payment meets it.
    func declaration(named name: String) -> [Declared] {
        [Declared("psp", name)] + capabilities.inShort + capabilities.times + [
            Declared("paid_without_merchant_account", capabilities.payees.withoutMerchantAccount.words),
            Declared("paid_if_settled_to_marketplace", capabilities.payees.toMarketplace.words),
            Declared("paid_if_settled_to_merchant", capabilities.payees.toMerchant.words),
            Declared("undo_by_reference", capabilities.undoByReference ? "yes" : "no"),
            Declared("release_after_capture", capabilities.releaseAfterCapture ? "yes" : "no"),
            Declared("stores_credentials", Self.list(capabilities.agreements.storesCredentials.map(\.rawValue))),
            Declared("merchant_initiated", Self.list(capabilities.agreements.merchantInitiated.map(\.rawValue))),
            Declared(
                "network_transaction_id",
                Self.list(capabilities.agreements.networkTransactionID.map(\.rawValue))
            ),
            Declared("webhooks", hearsWebhooks ? "yes" : "no"), Declared("listing", listing.words),
            Declared("currencies_not_taken", Self.list(capabilities.exponents.filter { $0.value == nil }.map(\.key))),
            Declared("other_minor_units", Self.list(capabilities.ownUnits)),
        ]
    }

    private static func list(_ words: [String]) -> String {
        words.isEmpty ? "none" : words.sorted().joined(separator: ", ")
    }
}

extension Capabilities {
    /// What matters when a route is chosen.
    var inShort: [Declared] {
        [
            Declared("credentials", credentials.map(\.rawValue).sorted().joined(separator: ", ")),
            Declared("capture", captures), Declared("refund", refunds),
            Declared("asynchronous", actions), Declared("idempotency", idempotency.words),
            Declared("inquiry", inquiry.words), Declared("application_fee", applicationFee ? "yes" : "no"),
        ]
    }

    /// How long things take.
    fileprivate var times: [Declared] {
        [
            Declared("authorization_life", Self.words(authorizationLifeMilliseconds)),
            Declared("pending_poll", Self.words(pendingPollMilliseconds)),
            Declared("expected_within", Self.words(expectedWithinMilliseconds)),
        ]
    }

    /// Currencies whose minor unit at this PSP is declared apart from ISO 4217, with the exponent.
    fileprivate var ownUnits: [String] {
        exponents.compactMap { code, exponent in exponent.map { "\(code) \($0)" } }
    }

    private var captures: String {
        let kinds = [(saleInOneCall, "one call"), (partialCapture, "partial"), (multipleCapture, "several")]
        let words = kinds.filter(\.0).map(\.1)
        return words.isEmpty ? "whole" : words.joined(separator: ", ")
    }

    private var refunds: String {
        (partialRefund ? "partial" : "whole") + (refundBeforeSettlement ? "" : ", once settled")
    }

    private var actions: String {
        asynchronous.isEmpty ? "none" : asynchronous.map(\.rawValue).sorted().joined(separator: ", ")
    }

    /// A span in the largest unit that says it exactly.
    static func words(_ milliseconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")]
        guard let unit = units.first(where: { milliseconds >= $0.0 && milliseconds % $0.0 == 0 }) else {
            return "\(milliseconds) ms"
        }
        return "\(milliseconds / unit.0) \(unit.1)"
    }
}

extension PSPDirectory.PSP.Listing {
    fileprivate var words: String {
        switch self {
        case .none: "no"
        case .all: "yes"
        case .recent(let milliseconds): Capabilities.words(milliseconds)
        }
    }
}

extension Payees.Payee {
    fileprivate var words: String {
        switch self {
        case .marketplace: "the marketplace"
        case .merchant: "the merchant"
        case .byContract: "whoever owns the account named"
        case .nobody: "nobody: refused"
        }
    }
}

extension Capabilities.Idempotency {
    fileprivate var words: String {
        switch self {
        case .key(let retention, let keeps): "key, \(Capabilities.words(retention)), keeps \(keeps)"
        case .none: "none"
        }
    }
}

extension Capabilities.Inquiry {
    fileprivate var words: String {
        switch self {
        case .byReference(let delay): delay == 0 ? "our reference" : "our reference, after \(Capabilities.words(delay))"
        case .byPSPReference: "its reference"
        case .none: "none"
        }
    }
}
