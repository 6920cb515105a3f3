import AdapterKit
import StrictJSON

/// What later operations of a payment need: the links that Worldpay gave for it, as paths behind the base URL.
///
/// Its text is the provider state that the gateway keeps.
struct PaymentState: Hashable {
    /// Where to send a capture, a void or a refund, as far as Worldpay offers it.
    struct Links: Hashable {
        var capture: String?
        var void: String?
        var refund: String?

        /// Whether there is none.
        var isEmpty: Bool { capture == nil && void == nil && refund == nil }
    }

    var links: Links
    /// How many captures have been asked for.
    var captures: Int

    /// Makes a state.
    init(links: Links, captures: Int) {
        self.links = links
        self.captures = captures
    }

    /// Reads the text; nil if it is none of ours.
    init?(_ text: String) {
        guard let json = try? JSON.parse(text: text), let captures = json["captures"]?.integerValue,
            0...1000 ~= captures
        else { return nil }
        let path = { (name: String) in
            json[name]?.stringValue.flatMap { LinkReader.isSafe($0) ? $0 : nil }
        }
        links = Links(capture: path("capture"), void: path("void"), refund: path("refund"))
        self.captures = Int(captures)
    }

    /// The text; nil if there is nothing to keep.
    var text: String? {
        guard !links.isEmpty || captures > 0 else { return nil }
        return JSON.object(omittingAbsent: [
            "capture": links.capture.map(JSON.string),
            "void": links.void.map(JSON.string),
            "refund": links.refund.map(JSON.string),
            "captures": .integer(Int64(captures)),
        ]).text
    }

    /// Where to send an operation.
    func link(for kind: Call.Kind) -> String? {
        switch kind {
        case .authorize: nil
        case .capture: links.capture
        case .void: links.void
        case .refund: links.refund
        }
    }
}
