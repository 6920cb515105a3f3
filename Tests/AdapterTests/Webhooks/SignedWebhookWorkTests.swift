import AdapterKit
import Foundation
import StrictJSON
import Testing
import TributaryTestKit
import WireFormats

/// A webhook that its PSP signed may say what a buyer or a merchant wrote: descriptions, names, references.
@Suite("Signed webhooks of marks without end", .serialized, .timeLimit(.minutes(10)))
struct SignedWebhookWorkTests {
    private static let bytes = 50_000

    /// One sample of each thing that webhooks tell, of every PSP: the first of `refund-…`, the first of `dispute-…`.
    static var kinds: [WebhookSample] {
        get throws {
            var seen: Set<String> = []
            return try WebhookSample.accepted.filter { sample in
                let kind = sample.name.prefix { $0 != "-" }
                return kind != "problem" && seen.insert("\(sample.adapter) \(kind)").inserted
            }
        }
    }

    @Test("cost no more than as much ASCII, in every text of the PSP's own", arguments: try kinds)
    func texts(sample: WebhookSample) throws {
        let (scheme, listener) = (try sample.scheme, try sample.listener)
        let payload = try Self.payload(of: sample)
        for hostile in [HostileText.marks, .flags] {
            for number in 0..<payload.count {
                let bad = try scheme.signed(payload.replacing(number, with: hostile.text(Self.bytes)))
                let plain = try scheme.signed(payload.replacing(number, with: hostile.ascii(Self.bytes)))
                let ratio = ProcessorWork.ratio(
                    of: { _ = listener.webhook(bad) },
                    to: { _ = listener.webhook(plain) },
                    tries: 2
                )
                #expect(ratio < HostileText.bound, "\(hostile) as text \(number): \(ratio)")
            }
        }
    }

    /// What is signed: JSON, or the XML in Braintree's form.
    private enum Payload {
        case json(JSON)
        /// The pieces of a document that `<` and `>` stand between; those in an even place are text.
        case xml([String])

        var count: Int {
            switch self {
            case .json(let json): json.textCount
            case .xml(let pieces): pieces.indices.count { Self.isText(pieces, $0) }
            }
        }

        func replacing(_ number: Int, with text: String) -> [UInt8] {
            switch self {
            case .json(let json): return json.replacing(text: number, with: text).bytes
            case .xml(var pieces):
                pieces[pieces.indices.filter { Self.isText(pieces, $0) }[number]] = text
                let written = pieces.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : "<\($0.element)>" }
                return Array(written.joined().utf8)
            }
        }

        private static func isText(_ pieces: [String], _ place: Int) -> Bool {
            place.isMultiple(of: 2) && pieces[place].contains { !$0.isWhitespace }
        }
    }

    private static func payload(of sample: WebhookSample) throws -> Payload {
        guard sample.adapter == "braintree" else { return .json(try JSON.parse(sample.incoming.body)) }
        let form = String(decoding: sample.incoming.body, as: UTF8.self)
        let field = try #require(form.split(separator: "&").first { $0.hasPrefix("bt_payload=") })
        let encoded = try #require(field.dropFirst("bt_payload=".count).description.removingPercentEncoding)
        let document = try #require(Base64.decode(encoded.filter { $0 != "\n" }))
        let pieces = String(decoding: document, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0 == "<" || $0 == ">" }
        return .xml(pieces.map(String.init))
    }
}
