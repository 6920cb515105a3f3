import Domain
import StrictJSON
import WalletOrders

/// What a buyer sends back of a payment: `PUT /v1/orders/{id}/returns/{external_identifier}`.
///
/// The words of `status` are Apple's own.
struct ReturnDocument: ToldDocument {
    let json: JSON
    private let returned: WalletReturn
    private let label: [UInt8]?

    init(_ json: JSON) throws(InvalidDocument) {
        self.json = json.without("payment")
        (returned, label) = try json.read(refusingNull: true) { body in
            _ = body.walletPayment()
            let label = body.walletPaper("return_label", .optional)
            return Self.walletReturn(body).map { ($0, label) }
        }
    }

    var answer: JSON { json.without("return_label") }

    func add(to subject: inout WalletPackageBuilder.Subject, as name: ToldName) {
        var shown = returned
        shown.externalIdentifier = name.walletIdentifier
        shown.payment = name.payment
        if let label {
            let paper = WalletOrderFile(path: "label-\(subject.papers.count + 1).pdf", bytes: label)
            shown.returnLabel = paper.path
            subject.papers.append(paper)
        }
        subject.details.content.returns.append(shown)
    }

    private static func walletReturn(_ body: ObjectReader) -> WalletReturn? {
        let status = body.choice("status", of: WalletReturn.Status.self)
        let number = body.walletText("return_number", WalletOrderLimits.identifier)
        let carrier = body.walletText("carrier", WalletOrderLimits.label)
        let page = body.walletText("return_management_url", WalletOrderLimits.url)
        let times = body.walletTimes(["initiated_at", "drop_off_by", "returned_at"])
        let items = body.walletItems()
        let notes = body.walletText("notes", WalletOrderLimits.notes)
        let sentence = body.walletText("status_description", WalletOrderLimits.sentence)
        return status.map {
            WalletReturn(
                externalIdentifier: "",
                status: $0,
                returnNumber: number,
                carrier: carrier,
                returnManagementURL: page,
                initiatedAt: times[0],
                dropOffBy: times[1],
                returnedAt: times[2],
                lineItems: items,
                notes: notes,
                statusDescription: sentence
            )
        }
    }
}

/// The receipt of a payment, or of what a refund gave back of it: `PUT /v1/orders/{id}/receipts/{payment}`.
struct ReceiptDocument: ToldDocument {
    let json: JSON
    private let file: [UInt8]

    init(_ json: JSON) throws(InvalidDocument) {
        self.json = json
        file = try json.read(refusingNull: true) { body in body.walletPaper("file") }
    }

    var answer: JSON { ["bytes": .integer(Int64(file.count))] }

    func add(to subject: inout WalletPackageBuilder.Subject, as name: ToldName) {
        guard case .receipt(let refund) = name.kind else { return }
        let payment = name.payment
        let path = "receipt-\(refund.map { "\(payment.text)-\($0.text)" } ?? payment.text).pdf"
        subject.papers.append(WalletOrderFile(path: path, bytes: file))
        subject.details.content.receipts[refund.map { .refund($0, payment) } ?? .purchase(payment)] = path
    }
}
