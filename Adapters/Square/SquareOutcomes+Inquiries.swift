import AdapterKit
import Domain
import StrictJSON

/// Finding out what is, without any effect.
extension SquareConversation {
    /// How many pages a search goes through before it gives up.
    private static let pageLimit = 20
    /// How many pages of payments of any total are looked through, oldest first: what an attempt made was made soon after it.
    private static let firstPages = 5

    /// What a search goes through.
    private enum Search {
        /// The location's payments, of one total or of any.
        case payments(total: Int64?)
        /// The seller's refunds.
        case refunds

        /// What Square calls the elements.
        var name: String {
            switch self {
            case .payments: "payments"
            case .refunds: "refunds"
            }
        }
    }

    /// What the payment says of an authorization, a capture or a void.
    mutating func inquire() throws(Halt) -> Outcome {
        guard let id = try reference() else { return Self.notFound("payment") }
        let payment = try look(at: id)
        switch (call.kind, payment.status) {
        case (.authorize, _): return authorization(payment)
        case (.capture, "APPROVED"): return Self.notFound("capture")
        case (.capture, _): return captured(payment)
        case (.void, "APPROVED"), (.void, "PENDING"): return Self.notFound("cancellation")
        case (.void, "CANCELED"):
            return payment.cancellation.reason == .expired ? .rejected(payment.cancellation) : voided(payment)
        case (.void, _): return released(payment)
        case (.refund, _): return .unknown(reason: "A refund is not read from its payment.")
        }
    }

    /// The payment's identifier: as the attempt keeps it, else as Square's list has it; nil if that does not have it.
    mutating func reference() throws(Halt) -> String? {
        if let known = call.pspReference { return known }
        guard let found = try foundPayment() else { return nil }
        guard let id = found["id"]?.stringValue, !id.isEmpty else {
            throw .outcome(lost("Square's list has a payment without an identifier."))
        }
        return id
    }

    /// The payment that carries our attempt; nil if Square's list does not have it.
    ///
    /// The total that was asked for narrows the list. It is another by now where somebody added a tip or lowered the amount, so
    /// that the first payments since the attempt are looked through, too.
    private mutating func foundPayment() throws(Halt) -> JSON? {
        let attempt = call.attempt.text
        let isOurs = { (json: JSON) in json["reference_id"]?.stringValue == attempt }
        guard case .authorize = call.kind else { return try find(.payments(total: nil), isOurs) }
        if let found = try find(.payments(total: call.money.minorUnits), isOurs) { return found }
        return try find(.payments(total: nil), within: Self.firstPages, isOurs)
    }

    /// What had to find the payment first was not sent.
    static var notListed: Outcome { .notSent(reason: "Square does not list the payment yet.") }

    /// The refund that carries our operation; nil if Square's list does not have it.
    mutating func foundRefund() throws(Halt) -> JSON? {
        let operation = call.operation.text
        return try find(.refunds) { json in json["reason"]?.stringValue == operation }
    }

    /// The payment as it is now.
    ///
    /// - Throws: ``Halt`` with the request, or with the outcome if Square does not show the payment.
    mutating func look(at id: String) throws(Halt) -> SquarePayment {
        switch try answer(to: requests.retrieve(id)) {
        case .object(let json):
            guard let payment = payment(json, named: id) else {
                throw .outcome(lost("Square answered something else than the payment asked for."))
            }
            return payment
        case .refusal(let refusal):
            let isAbsent = refusal.code == "NOT_FOUND" && !mayHaveMoved
            throw .outcome(isAbsent ? Self.notFound("payment") : unanswered(refusal))
        case .clash(let refusal): throw .outcome(lost(refusal.sentence))
        case .doubt(let reason): throw .outcome(lost(reason))
        }
    }

    /// The payment in a reply, if it is the one named, the attempt's, and of the call's currency.
    func payment(_ json: JSON, named id: String) -> SquarePayment? {
        guard let payment = json["payment"].flatMap(SquarePayment.init), payment.id == id,
            payment.reference == call.attempt.text, payment.currency == call.money.currency.code
        else { return nil }
        return payment
    }

    /// Goes through a list, oldest first, until one element matches or there are no more.
    ///
    /// - Parameters:
    ///   - search: what to go through.
    ///   - pages: of how many pages it is enough to know; nil for all, of which too many are doubt.
    ///   - matches: what is looked for.
    /// - Returns: the element; nil if there is none.
    /// - Throws: ``Halt`` with the next request, or with the outcome if Square does not tell.
    private mutating func find(
        _ search: Search,
        within pages: Int? = nil,
        _ matches: (JSON) -> Bool
    ) throws(Halt) -> JSON? {
        var cursor: String?
        for _ in 0..<(pages ?? Self.pageLimit) {
            let request =
                switch search {
                case .payments(let total): requests.payments(for: call, ofTotal: total, cursor)
                case .refunds: requests.refunds(for: call, cursor)
                }
            let page: SquarePage
            switch try answer(to: request) {
            case .object(let json):
                guard let read = SquarePage(json, of: search.name) else {
                    throw .outcome(lost("Square answered something else than the list of \(search.name)."))
                }
                page = read
            case .refusal(let refusal): throw .outcome(unanswered(refusal))
            case .clash(let refusal): throw .outcome(lost(refusal.sentence))
            case .doubt(let reason): throw .outcome(lost(reason))
            }
            let found = page.elements.filter(matches)
            guard found.count <= 1 else { throw .outcome(lost("Several \(search.name) carry our reference.")) }
            if let found = found.first { return found }
            guard let next = page.cursor else { return nil }
            cursor = next
        }
        guard pages == nil else { return nil }
        throw .outcome(lost("Square has more \(search.name) than a search reads."))
    }

    /// A refused question: the operation's refusal if nothing was sent before, and nothing learned otherwise.
    private func unanswered(_ refusal: SquareRefusal) -> Outcome {
        call.purpose == .perform && !mayHaveMoved
            ? refused(refusal) : .unknown(reason: "The inquiry was refused. \(refusal.sentence)")
    }
}
