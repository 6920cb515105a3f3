package import Domain
package import SQL
package import StrictJSON

/// The audit trail: who did what by hand, to what, an entry for each act.
///
/// An entry is written in the transaction of the act. Whoever seals later gives it the next number of its marketplace's
/// chain and a hash over itself and the hash before; an act whose transaction ends late comes behind others that began
/// later.
package enum AuditTrailTable {
    /// An entry as it is stored.
    ///
    /// Its words are not looked up, so that one that nobody could have written is read too.
    package struct Entry: Hashable, Sendable {
        /// Its identifier.
        package let id: String
        /// The marketplace.
        package let marketplace: String
        /// When it was done, as the gateway's clock told.
        package let at: Timestamp
        /// What was done; ``AuditAct``.
        package let act: String
        /// By what the actor is known; ``AuditActor/Kind``.
        package let actorKind: String
        /// Who did it.
        package let actor: String
        /// What the API key is called; nil for others.
        package let actorName: String?
        /// The API key that a user of the machine has shown.
        package let shownKey: String?
        /// The address that the request came from, or the machine's name.
        package let origin: String?
        /// The identifier of the request.
        package let request: String?
        /// What it was done to; ``AuditSubject/Kind``.
        package let subjectKind: String
        /// What that is called.
        package let subject: String
        /// What else there is to tell, a JSON object as text; no secrets, and nothing of buyers.
        package let details: String
        /// Its number in the chain and its hash; nil until it is sealed.
        package let seal: Seal?

        /// The text that its hash is over: JSON without white space, its members in this order, without those that are
        /// absent.
        package var canonicalText: String {
            let actor = JSON.object(omittingAbsent: [
                "kind": .string(actorKind), "id": .string(actor), "name": actorName.map { .string($0) },
                "shown_key": shownKey.map { .string($0) }, "origin": origin.map { .string($0) },
            ])
            let rest = JSON.object(omittingAbsent: [
                "id": .string(id), "marketplace": .string(marketplace), "at": .integer(at.microseconds),
                "act": .string(act), "actor": actor, "request": request.map { .string($0) },
                "subject": ["kind": .string(subjectKind), "id": .string(subject)],
            ])
            // As they are stored: to be hashed, they need not be understood.
            return "\(rest.text.dropLast()),\"details\":\(details)}"
        }
    }

    /// The place of an entry in its chain.
    package struct Seal: Hashable, Sendable {
        /// Its number, from 1 without a gap.
        package let number: Int64
        /// Its hash, 64 hexadecimal digits.
        package let hash: String

        /// Makes a seal.
        package init(number: Int64, hash: String) {
            self.number = number
            self.hash = hash
        }
    }

    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String
        /// What was done.
        package var act: AuditAct?
        /// Who did it: a key's identifier or name, or a user.
        package var actor: String?
        /// What it was done to, by its identifier.
        package var subject: String?
        /// The first moment.
        package var since: Timestamp?
        /// The moment before which it was.
        package var until: Timestamp?
        /// Only entries before this one, for the next page.
        package var before: AuditID?

        /// A filter that lets everything of a marketplace through.
        package init(marketplace: String) { self.marketplace = marketplace }
    }

    /// What is not sealed yet.
    package struct Unsealed: Hashable, Sendable {
        /// How many entries.
        package let count: Int64
        /// When the oldest of them was done; nil if there is none.
        package let oldest: Timestamp?
    }

    /// Writes down an act in the transaction that does it.
    ///
    /// - Parameters:
    ///   - act: what is done.
    ///   - actor: by whom.
    ///   - subject: to what.
    ///   - marketplace: whose that is.
    ///   - now: when.
    ///   - details: what else there is to tell; no secrets, and nothing of buyers.
    ///   - session: the transaction.
    /// - Throws: `SQLError`.
    package static func record(
        _ act: AuditAct,
        by actor: AuditActor,
        on subject: AuditSubject,
        of marketplace: String,
        at now: Timestamp,
        _ details: JSON = [:],
        in session: any Session
    ) throws(SQLError) {
        var ids = IdentifierSource()
        let id: AuditID = ids.make(at: now)
        try session.run(
            """
            INSERT INTO audit_entry (id, marketplace, at, act, actor_kind, actor, actor_name, shown_key, origin, request,
                subject_kind, subject, details)
            VALUES (\(id), \(marketplace), \(now), \(act.rawValue), \(actor.kind.rawValue), \(actor.id), \(actor.name),
                \(actor.shownKey), \(actor.origin), \(actor.request), \(subject.kind.rawValue), \(subject.id),
                \(details.text))
            """
        )
    }

    /// The marketplaces that have entries without a seal.
    package static func marketplacesToSeal(in session: any Session) throws(SQLError) -> [String] {
        var names: [String] = []
        let rows = try session.rows(
            "SELECT DISTINCT marketplace FROM audit_entry WHERE number IS NULL ORDER BY marketplace"
        )
        for row in rows { names.append(try row.text("marketplace")) }
        return names
    }

    /// Entries of a marketplace without a seal, oldest first.
    package static func unsealed(
        of marketplace: String,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Entry] {
        try read(
            session.rows(
                """
                SELECT * FROM audit_entry WHERE marketplace = \(marketplace) AND number IS NULL
                ORDER BY at, id LIMIT \(limit)
                """
            )
        )
    }

    /// How many entries of a marketplace have no seal, and since when.
    package static func unsealed(of marketplace: String, in session: any Session) throws(SQLError) -> Unsealed {
        let rows = try session.rows(
            """
            SELECT COUNT(*) AS count, MIN(at) AS oldest FROM audit_entry
            WHERE marketplace = \(marketplace) AND number IS NULL
            """
        )
        guard let row = rows.first else { return Unsealed(count: 0, oldest: nil) }
        return Unsealed(count: try row.integer("count"), oldest: try row.optionalTime("oldest"))
    }

    /// The last seal of a marketplace's chain; nil for none.
    package static func head(of marketplace: String, in session: any Session) throws(SQLError) -> Seal? {
        try read(
            session.rows(
                """
                SELECT * FROM audit_entry WHERE marketplace = \(marketplace) AND number IS NOT NULL
                ORDER BY number DESC LIMIT 1
                """
            )
        ).first?.seal
    }

    /// Gives an entry its place in the chain, and says whether it had none.
    ///
    /// - Throws: `SQLError.uniqueViolation` if another entry has the number.
    package static func seal(_ id: String, _ seal: Seal, in session: any Session) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE audit_entry SET number = \(seal.number), hash = \(seal.hash)
            WHERE id = \(id) AND number IS NULL
            """
        ) == 1
    }

    /// The sealed entries of a marketplace behind a number, in the order of the chain.
    package static func chain(
        of marketplace: String,
        after number: Int64,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Entry] {
        try read(
            session.rows(
                """
                SELECT * FROM audit_entry WHERE marketplace = \(marketplace) AND number > \(number)
                ORDER BY number LIMIT \(limit)
                """
            )
        )
    }

    /// The entries that pass the filter, newest first, at most `limit`; those without a seal too.
    package static func list(_ filter: Filter, limit: Int, in session: any Session) throws(SQLError) -> [Entry] {
        var conditions: [SQL] = ["marketplace = \(filter.marketplace)"]
        if let act = filter.act { conditions.append("act = \(act.rawValue)") }
        if let actor = filter.actor { conditions.append("(actor = \(actor) OR actor_name = \(actor))") }
        if let subject = filter.subject { conditions.append("subject = \(subject)") }
        if let since = filter.since { conditions.append("at >= \(since)") }
        if let until = filter.until { conditions.append("at < \(until)") }
        if let before = filter.before { conditions.append("id < \(before)") }
        return try read(
            session.rows("SELECT * FROM audit_entry WHERE \(SQL.all(conditions)) ORDER BY id DESC LIMIT \(limit)")
        )
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [Entry] {
        var entries: [Entry] = []
        for row in rows {
            let number = try row.optionalInteger("number")
            let hash = try row.optionalText("hash")
            entries.append(
                Entry(
                    id: try row.text("id"),
                    marketplace: try row.text("marketplace"),
                    at: try row.time("at"),
                    act: try row.text("act"),
                    actorKind: try row.text("actor_kind"),
                    actor: try row.text("actor"),
                    actorName: try row.optionalText("actor_name"),
                    shownKey: try row.optionalText("shown_key"),
                    origin: try row.optionalText("origin"),
                    request: try row.optionalText("request"),
                    subjectKind: try row.text("subject_kind"),
                    subject: try row.text("subject"),
                    details: try row.text("details"),
                    seal: number.flatMap { number in hash.map { Seal(number: number, hash: $0) } }
                )
            )
        }
        return entries
    }
}
