import Domain

/// The envelope of a notification.
struct Notification {
    /// The kind, as Braintree names it.
    var kind: String
    /// When Braintree made it.
    var at: Timestamp
    /// When Braintree made it, as it is written.
    var time: String
    /// What it is about: a dispute, a transaction, a disbursement; nil if it is about nothing.
    var subject: XMLElement?

    /// Reads the document; nil if it is no notification.
    init?(_ document: [UInt8]) {
        guard let root = try? XMLReader.read(document), root.name == "notification",
            let kind = root.value("kind"), Word(kind) != nil, let time = root.value("timestamp"),
            let at = Timestamp(rfc3339: time), let subject = root["subject"]
        else { return nil }
        self.kind = kind
        self.at = at
        self.time = time
        self.subject = subject.children.count == 1 ? subject.children.first : nil
    }

    /// The identifier of what it is about.
    var object: String? { subject?.value("id").flatMap { Word.isIdentifier($0) ? $0 : nil } }
}
