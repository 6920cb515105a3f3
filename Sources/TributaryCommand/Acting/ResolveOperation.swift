import ArgumentParser
import Domain
import Foundation
import Gateway

/// `tributary orders resolve`.
struct ResolveOperation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Say what became of an operation whose outcome nobody knows.",
        discussion: """
            For an operation that the PSP cannot be asked about any more, once you have seen in its dashboard what became
            of it. The word is written down as a fact of origin operator, with evidence, reason and your name, and the
            order goes on from it: an authorization that failed refuses an order that needs it, one that succeeded is
            captured or released.
            """
    )

    /// What an operator may have found out.
    enum Outcome: String, CaseIterable, ExpressibleByArgument {
        /// It was done.
        case succeeded
        /// It was refused.
        case failed
        /// It never reached the PSP.
        case notSent = "not_sent"
    }

    @Option(name: .long, help: "The operation's id; may be left out if only one is open.")
    var operation: String?

    @Option(name: .long, help: "What became of it: succeeded, failed or not_sent.")
    var outcome: Outcome

    @Option(name: .long, help: "What was done, in minor units, if it is not what was asked.")
    var amount: Int64?

    @Option(name: .long, help: "The PSP's name for what was made.")
    var pspReference: String?

    @Option(name: .long, help: "Where it can be seen.")
    var evidence: String

    @Option(name: .long, help: "Why you say so.")
    var reason: String

    @OptionGroup var action: OrderAction

    mutating func validate() throws {
        if let amount, amount < 0 { throw ValidationError("--amount is not below zero") }
        if outcome != .succeeded, amount != nil || pspReference != nil {
            throw ValidationError("--amount and --psp-reference belong to --outcome succeeded")
        }
        if evidence.isEmpty || reason.isEmpty { throw ValidationError("--evidence and --reason say something") }
        pspReference = try pspReference.map { try TextRule.reference.checked($0, "--psp-reference") }
        evidence = try TextRule.freeText.checked(evidence, "--evidence")
        reason = try TextRule.freeText.checked(reason, "--reason")
    }

    func run() async throws {
        try await action.ask { [self] order in
            let testimony = OrderRequest.Evidence(evidence: evidence, reason: reason, by: NSUserName())
            return .resolve(try named(in: order), word, testimony)
        }
    }

    private var word: ManualOutcome {
        switch outcome {
        case .succeeded: .succeeded(amount: amount, reference: pspReference)
        case .failed: .failed
        case .notSent: .notSent
        }
    }

    private func named(in order: Order) throws -> OperationID {
        if let operation {
            guard let id = OperationID(operation) else {
                throw CommandFailure.unusable("\(operation.harmless) is no operation's id; `orders show` lists them")
            }
            return id
        }
        let open = order.payments.flatMap(\.attempts).flatMap(\.operations).filter(\.isOpen).map(\.id)
        guard let only = open.first else { throw CommandFailure.finding("the order has no open operation") }
        guard open.count == 1 else {
            let names = open.map(\.text).joined(separator: ", ")
            throw CommandFailure.unusable("say --operation: there are \(names)")
        }
        return only
    }
}
