import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON

/// What an order under an agreement is placed with: the agreement, and what is stored of the method that it is charged with.
struct AgreementPlan: Sendable {
    /// The agreement.
    let agreement: Agreement
    /// What it asks of a route: for a first payment, or for a charge.
    let need: AgreementNeed
    /// The sealed secret of its method.
    private let secret: AgreementMethodTable.Entry?

    /// Reads the agreement that a draft names; nil if it names none, or one that there is not.
    ///
    /// - Throws: `SQLError`.
    init?(for draft: OrderDraft, of marketplace: String, in session: any Session) throws(SQLError) {
        guard let id = draft.agreement,
            let agreement = try AgreementTable.find(id, of: marketplace, in: session)
        else { return nil }
        self.agreement = agreement
        need = draft.charge == nil ? .first : agreement.method.map { .charge($0.route) } ?? .none
        secret = try agreement.method.flatMap { method throws(SQLError) in
            try AgreementMethodTable.find(method.id, in: session)
        }
    }

    /// The draft of a charge with what pays it; any other draft as it is.
    ///
    /// - Throws: ``PlacementRefusal/agreement(_:)`` if the agreement may not be charged so, or what the vault throws.
    func charging(_ draft: OrderDraft, at now: Timestamp, with vault: Vault) throws -> OrderDraft {
        guard let reason = draft.charge else { return draft }
        do throws(AgreementRefusal) {
            try agreement.checkCharge(of: draft.amount, for: reason, at: now)
        } catch {
            throw PlacementRefusal.agreement(error)
        }
        guard let method = agreement.method, let secret else { throw PlacementRefusal.agreement(.over) }
        let bytes = try vault.open(secret.sealed, AgreementMethodTable.context(of: method.id, agreement.id))
        guard let credential = Credential(try JSON.parse(bytes)) else {
            throw SQLError.unexpectedValue(column: "agreement_method.sealed")
        }
        var draft = draft
        draft.payment = OrderDraft.Instrument(credential: credential, pspAccount: method.route.pspAccount)
        return draft
    }

    /// What a charge tells the PSP of the payment that began the agreement, if it stays where that was made.
    var earlierPayment: EarlierPayment {
        EarlierPayment(
            reference: agreement.firstReference,
            networkTransactionIDs: agreement.networkTransactionIDs
        )
    }
}

/// What a charge under an agreement names of the payment that began it.
struct EarlierPayment: Hashable, Sendable {
    /// The PSP's name of it.
    var reference: String?
    /// The card scheme's names of it.
    var networkTransactionIDs: [NetworkTransactionID]

    /// The payment as the document that the vault seals has it.
    var json: JSON {
        .object(omittingAbsent: [
            "reference": reference.map(JSON.string),
            "network_transaction_ids": .array(
                networkTransactionIDs.map { id in
                    .object(omittingAbsent: [
                        "kind": .string(id.kind.rawValue), "value": .string(id.value),
                        "network": id.network.map(JSON.string),
                    ])
                }
            ),
        ])
    }

    /// Names a payment.
    init(reference: String?, networkTransactionIDs: [NetworkTransactionID]) {
        self.reference = reference
        self.networkTransactionIDs = networkTransactionIDs
    }

    /// Reads one back.
    init(_ json: JSON) {
        reference = json["reference"]?.stringValue
        networkTransactionIDs = (json["network_transaction_ids"]?.arrayValue ?? []).compactMap { id in
            guard let kind = id["kind"]?.stringValue.flatMap(NetworkTransactionID.Kind.init(rawValue:)),
                let value = id["value"]?.stringValue
            else { return nil }
            return NetworkTransactionID(value, kind: kind, network: id["network"]?.stringValue)
        }
    }
}
