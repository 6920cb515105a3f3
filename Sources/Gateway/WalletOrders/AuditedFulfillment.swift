import Domain
import SQL
import Storage
import StrictJSON

extension WalletOrderService.Teller {
    /// Writes into the audit trail that they told how goods of a payment come, under a name of theirs.
    ///
    /// It has the status, which is a word of Wallet's, and nothing that somebody wrote: it may be about the buyer.
    func record(
        _ document: FulfillmentDocument,
        named name: String,
        of payment: Payment,
        in order: Order,
        at now: Timestamp,
        _ session: any Session
    ) throws {
        try AuditTrailTable.record(
            .saveFulfillment,
            by: actor,
            on: AuditSubject(.order, order.id.text),
            of: order.marketplace,
            at: now,
            .object(omittingAbsent: [
                "payment": .string(payment.id.text), "external_identifier": .string(name),
                "status": document.json["status"]?.stringValue.map { .string($0) },
            ]),
            in: session
        )
    }
}
