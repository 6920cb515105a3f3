/// What there is to tell of an authorization.
extension Authorization {
    /// Notes that the authorization itself has come to `word`.
    mutating func tell(_ word: String, at now: Int64, _ announcement: Announcement? = nil) {
        let isAsked = announcement == nil
        note(
            "authorization.\(word)",
            at: now,
            key: isAsked && !operations[0].key.isEmpty ? operations[0].key : nil,
            announcement: announcement ?? operations[0].announcement
        )
    }

    /// Notes that an operation has come to `word`.
    mutating func tell(of index: Int, _ word: String, at now: Int64) {
        let operation = operations[index]
        note(
            "\(operation.kind.rawValue).\(word)",
            at: now,
            operation: operation,
            key: operation.key.isEmpty ? nil : operation.key,
            announcement: operation.announcement
        )
    }

    /// Notes where a dispute has come to.
    mutating func tell(of dispute: Dispute, at now: Int64, _ announcement: Announcement) {
        note("dispute.\(dispute.status.rawValue)", at: now, dispute: dispute, announcement: announcement)
    }

    private mutating func note(
        _ type: String,
        at now: Int64,
        operation: Operation? = nil,
        dispute: Dispute? = nil,
        key: String? = nil,
        announcement: Announcement
    ) {
        eventCount += 1
        var snapshot = self
        snapshot.news = []
        news.append(
            BookEvent(
                id: "evt_\(id.dropFirst(Books.identifierPrefix.count))_\(eventCount)",
                type: type,
                at: now,
                authorization: snapshot,
                operation: operation,
                dispute: dispute,
                key: key,
                announcement: announcement
            )
        )
    }
}
