import AdapterKit
import Testing

/// An operation, or an inquiry after one, as the files of conversations are named.
enum SampleOperation: String, CaseIterable, Sendable {
    case authorize
    case capture
    case void
    case refund
    case inquireAuthorize = "inquire-authorize"
    case inquireCapture = "inquire-capture"
    case inquireVoid = "inquire-void"
    case inquireRefund = "inquire-refund"
}

/// What a PSP answers in the course of one operation, named for what the adapter must make of it.
struct Conversation: Sendable, CustomTestStringConvertible {
    let adapter: String
    let operation: SampleOperation
    /// The expectation, then free text.
    let name: String
    /// The replies in the order of the exchanges.
    let replies: [WireReply]
    /// Whether the replies are numbered, which asks for the call that takes more exchanges.
    let isNumbered: Bool

    /// `<psp>/<operation>/<name>`.
    var path: String { "\(adapter)/\(operation.rawValue)/\(name)" }
    var testDescription: String { path }

    /// Every conversation, sorted by its path.
    static var all: [Conversation] { get throws { try loaded.get().conversations } }

    /// The replies that no conversation names, by their path from `Samples`.
    static var unused: [String] { get throws { try loaded.get().unused } }

    /// A reply by its conversation: `stripe/void/succeeded`, or `stripe/void/succeeded-by-search.2` for the second one.
    static func reply(_ path: String) throws -> WireReply {
        let parts = path.split(separator: ".", maxSplits: 1).map { String($0) }
        let conversation = try #require(try all.first { $0.path == parts[0] }, "there is no conversation \(parts[0])")
        let number = parts.count == 2 ? Int(parts[1]) : nil
        try #require((number != nil) == (parts.count == 2), "\(path) ends in no number")
        try #require((number != nil) == conversation.isNumbered, "\(parts[0]) is numbered, or is not")
        try #require(1...conversation.replies.count ~= number ?? 1, "\(parts[0]) has no reply \(number ?? 1)")
        return conversation.replies[(number ?? 1) - 1]
    }

    /// All conversations, and the replies that none of them names; read once.
    private static let loaded = Result { try load() }

    private static func load() throws -> (conversations: [Conversation], unused: [String]) {
        var conversations: [Conversation] = []
        var unused: [String] = []
        for psp in try SampleFiles.psps() {
            let samples = try replies(of: psp)
            var named: Set<String> = []
            for file in try SampleFiles.names(in: psp) where file.hasSuffix(".txt") {
                let path = "\(psp)/\(file)"
                guard let operation = SampleOperation(rawValue: String(file.dropLast(".txt".count))) else {
                    throw SampleProblem(path: path, line: 0, problem: "is named for no operation")
                }
                let text = try SampleFiles.text(path)
                for script in try ConversationReader.scripts(in: text, path: path, samples: samples) {
                    named.formUnion(script.samples)
                    conversations.append(
                        Conversation(
                            adapter: psp,
                            operation: operation,
                            name: script.name,
                            replies: script.messages.map(\.reply),
                            isNumbered: script.isNumbered
                        )
                    )
                }
            }
            unused += samples.keys.filter { !named.contains($0) }.map { "\(psp)/replies/\($0).http" }
        }
        return (conversations.sorted { $0.path < $1.path }, unused.sorted())
    }

    /// The samples of a PSP's replies, `<psp>/replies/<name>.http`, by their names.
    private static func replies(of psp: String) throws -> [String: SampleMessage] {
        var samples: [String: SampleMessage] = [:]
        for file in try SampleFiles.names(in: "\(psp)/replies") {
            let path = "\(psp)/replies/\(file)"
            guard file.hasSuffix(".http"), let message = SampleMessage(try SampleFiles.data(path)), message.isReply
            else { throw SampleProblem(path: path, line: 0, problem: "is no reply") }
            samples[String(file.dropLast(".http".count))] = message
        }
        return samples
    }
}
