/// Reads the conversations about one operation from their text.
///
/// A name at the line's beginning starts a conversation. Replies follow by the names of their samples, indented by
/// four: one, or several with their numbers. What is indented by eight changes the reply above it
/// (``SampleChange``). Empty lines and lines that begin with `#` are for people.
struct ConversationReader {
    /// A conversation as it stands in the text.
    struct Script: Equatable {
        let name: String
        /// Whether the replies are numbered.
        var isNumbered = false
        /// The names of the samples.
        var samples: [String] = []
        /// The replies, with what is changed in them.
        var messages: [SampleMessage] = []
    }

    private let path: String
    private let samples: [String: SampleMessage]
    private var scripts: [Script] = []
    private var line = 0

    private init(path: String, samples: [String: SampleMessage]) {
        self.path = path
        self.samples = samples
    }

    /// The conversations in the order of the text.
    ///
    /// - Throws: ``SampleProblem`` with the line of the first thing that is wrong.
    static func scripts(
        in text: String,
        path: String,
        samples: [String: SampleMessage]
    ) throws(SampleProblem) -> [Script] {
        var reader = ConversationReader(path: path, samples: samples)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            reader.line += 1
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let indentation = line.prefix { $0 == " " }.count
            let rest = String(line.dropFirst(indentation))
            switch indentation {
            case 0: try reader.start(rest)
            case 4: try reader.reply(rest)
            case 8: try reader.change(rest)
            default: throw reader.problem("is indented by \(indentation)")
            }
        }
        try reader.requireReply()
        guard !reader.scripts.isEmpty else { throw reader.problem("has no conversation") }
        return reader.scripts
    }

    private mutating func start(_ name: String) throws(SampleProblem) {
        try requireReply()
        guard !scripts.contains(where: { $0.name == name }) else { throw problem("there are two of \(name)") }
        scripts.append(Script(name: name))
    }

    private mutating func reply(_ text: String) throws(SampleProblem) {
        guard var script = scripts.popLast() else { throw problem("belongs to no conversation") }
        let words = text.split(separator: " ").map { String($0) }
        let number = words.count == 2 && words[0].hasSuffix(".") ? Int(words[0].dropLast()) : nil
        guard words.count == (number == nil ? 1 : 2) else { throw problem("is neither NAME nor NUMBER. NAME") }
        let isNext = number.map { $0 == script.messages.count + 1 } ?? true
        guard isNext, script.messages.isEmpty || script.isNumbered == (number != nil),
            number != nil || script.messages.isEmpty
        else { throw problem("does not follow reply \(script.messages.count)") }
        let name = words[words.count - 1]
        guard let message = samples[name] else { throw problem("there is no reply \(name)") }
        script.isNumbered = number != nil
        script.samples.append(name)
        script.messages.append(message)
        scripts.append(script)
    }

    private mutating func change(_ text: String) throws(SampleProblem) {
        guard var script = scripts.popLast(), let message = script.messages.popLast() else {
            throw problem("belongs to no reply")
        }
        guard let change = SampleChange(text) else { throw problem("is no change") }
        guard let changed = change.applied(to: message) else { throw problem("changes nothing") }
        script.messages.append(changed)
        scripts.append(script)
    }

    /// Checks that the conversation so far has a reply.
    private func requireReply() throws(SampleProblem) {
        guard let script = scripts.last, script.messages.isEmpty else { return }
        throw problem("\(script.name), before this line, has no reply")
    }

    private func problem(_ text: String) -> SampleProblem { SampleProblem(path: path, line: line, problem: text) }
}
