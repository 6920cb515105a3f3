import ArgumentParser
import Domain
import Foundation
import Gateway

/// What commands have in common that enter by hand what a PSP did.
struct RecordArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The payment, by its id or its merchant; may be left out if the order has one.",
            valueName: "payment"
        )
    )
    var payment: String?

    @Option(name: .long, help: "The PSP's name for it; its own word under that name then changes nothing.")
    var pspReference: String?

    @Option(name: .long, help: "Where it can be seen.")
    var evidence: String

    @Option(name: .long, help: "Why you say so.")
    var reason: String

    @OptionGroup var action: OrderAction

    mutating func validate() throws {
        if evidence.isEmpty || reason.isEmpty { throw ValidationError("--evidence and --reason say something") }
        if let pspReference, pspReference.isEmpty || pspReference.utf8.count > 255 {
            throw ValidationError("--psp-reference has 1 to 255 bytes")
        }
        pspReference = try pspReference.map { try TextRule.reference.checked($0, "--psp-reference") }
        evidence = try TextRule.freeText.checked(evidence, "--evidence")
        reason = try TextRule.freeText.checked(reason, "--reason")
    }

    /// Enters what was done to the payment, and shows the order.
    ///
    /// - Throws: ``CommandFailure`` with the order's refusal, or `SQLError`.
    func record(_ deed: OperatorRecord.Deed) async throws {
        try await action.ask { [self] order in
            let testimony = OrderRequest.Evidence(evidence: evidence, reason: reason, by: NSUserName())
            let record = OperatorRecord(deed, of: try named(in: order).id, reference: pspReference)
            return .record(record, testimony)
        }
    }

    private func named(in order: Order) throws -> Payment {
        if let payment { return try PaymentAmount(name: payment).payment(in: order) }
        guard order.payments.count == 1 else {
            let names = order.payments.map(\.externalIdentifier.harmless).joined(separator: ", ")
            throw CommandFailure.unusable("say --payment: the order has \(names)")
        }
        return order.payments[0]
    }
}
