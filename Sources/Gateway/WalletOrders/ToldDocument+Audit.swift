import Domain
import SQL
import Storage
import StrictJSON

extension ToldName {
    /// Writes into the audit trail that somebody told a document under the name.
    ///
    /// It has the status, which is a word of Wallet's, and nothing that somebody wrote: it may be about the buyer.
    func record(
        _ document: any ToldDocument,
        by actor: AuditActor,
        in order: Order,
        at now: Timestamp,
        _ session: any Session
    ) throws {
        try AuditTrailTable.record(
            act,
            by: actor,
            on: AuditSubject(.order, order.id.text),
            of: order.marketplace,
            at: now,
            .object(omittingAbsent: [
                "payment": .string(payment.text), "external_identifier": externalIdentifier.map(JSON.string),
                "refund": refund.map { .string($0.text) },
                "status": document.json["status"]?.stringValue.map(JSON.string),
            ]),
            in: session
        )
    }

    private var act: AuditAct {
        switch kind {
        case .fulfillment: .saveFulfillment
        case .return: .saveReturn
        case .receipt: .saveReceipt
        }
    }

    private var externalIdentifier: String? {
        switch kind {
        case .fulfillment(let name), .return(let name): name
        case .receipt: nil
        }
    }

    private var refund: RefundID? {
        if case .receipt(let refund) = kind { refund } else { nil }
    }
}
