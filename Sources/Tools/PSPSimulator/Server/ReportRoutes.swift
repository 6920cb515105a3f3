import Hummingbird

/// The endpoint that answers settlement reports; it asks for no key.
struct ReportRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let reports: SettlementReports
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        router.get("reports/settlement") { request, context in
            let query = request.uri.queryParameters
            do {
                let writing = try reports.writing(
                    account: query["account"].map(String.init),
                    from: query["from"].map(String.init),
                    to: query["to"].map(String.init)
                )
                guard let report = await bookkeeper.read({ books, now in writing.report(books, at: now) }) else {
                    throw Refusal.notFound
                }
                return try await sender.send(Self.reply(report), context)
            } catch let refusal as Refusal {
                return try await sender.send(refusal, context)
            }
        }
    }

    private static func reply(_ report: WrittenReport) -> PSPReply {
        let type = report.fileName.hasSuffix(".json") ? "application/json" : "text/csv; charset=utf-8"
        var reply = PSPReply(200, contentType: type, body: Array(report.text.utf8))
        reply.headers.append(("Content-Disposition", "attachment; filename=\"\(report.fileName)\""))
        return reply
    }
}
