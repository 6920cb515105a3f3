import StrictJSON

/// A configuration's values, and for each the place where it was written.
struct ConfigurationDocument {
    /// The places of one value.
    struct Places {
        /// Where its key stands; for an element of a list, the element itself.
        let key: Place
        /// Where the value stands.
        let value: Place
    }

    /// The file, as it was named.
    let file: String
    private(set) var json: JSON
    private var places: [String: Places]
    private let composingProblems: [ConfigurationProblem]

    /// Reads YAML.
    init(yaml text: String, file: String) throws(InvalidConfiguration) {
        var composer = YAMLComposer(file: file)
        json = try composer.compose(text)
        places = composer.places
        composingProblems = composer.problems
        self.file = file
    }

    /// Where the value at a pointer, or the nearest value around it, was written.
    func place(of pointer: String, isKey: Bool = false) -> Place {
        var pointer = pointer
        while true {
            if let found = places[pointer] { return isKey ? found.key : found.value }
            guard let slash = pointer.utf8.lastIndex(of: UInt8(ascii: "/")) else {
                return .file(file, line: 1, column: 1)
            }
            pointer = String(pointer[..<slash])
        }
    }

    /// Writes a value over what the file has, or beside it, making the sections that it stands in.
    mutating func set(_ value: JSON, at path: [String], from place: Place) {
        places[path.reduce(JSONPointer.root) { $0.appending($1) }.text] = Places(key: place, value: place)
        json = Self.setting(value, at: path[...], in: json)
    }

    /// Reads the document through `body`.
    ///
    /// `body` may add violations of rules that concern several fields.
    ///
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    func read<Value>(_ body: (ObjectReader) -> Value?) throws(InvalidConfiguration) -> Value {
        do throws(InvalidDocument) {
            let value = try json.read(body)
            guard composingProblems.isEmpty else { throw InvalidDocument(violations: []) }
            return value
        } catch {
            throw InvalidConfiguration(composingProblems + error.violations.map(problem))
        }
    }

    private func problem(_ violation: Violation) -> ConfigurationProblem {
        let isKey = ["unknown_field", "missing_field"].contains(violation.code)
        return ConfigurationProblem(
            place: place(of: violation.pointer, isKey: isKey),
            path: Self.path(violation.pointer),
            code: violation.code,
            sentence: violation.detail
        )
    }

    /// A pointer as people write paths: `/merchants/0/name` is `merchants[0].name`.
    static func path(_ pointer: String) -> String {
        pointer.split(separator: "/").reduce("") { path, token in
            guard !token.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
                return "\(path)[\(token)]"
            }
            return path.isEmpty ? String(token) : "\(path).\(token)"
        }
    }

    private static func setting(_ value: JSON, at path: ArraySlice<String>, in json: JSON) -> JSON {
        guard let key = path.first else { return value }
        guard case .object(var members) = json.isNull ? .object([]) : json else { return json }
        let index = members.firstIndex { $0.key == key }
        let inner = setting(value, at: path.dropFirst(), in: index.map { members[$0].value } ?? .object([]))
        if let index {
            members[index] = JSON.Member(key, inner)
        } else {
            members.append(JSON.Member(key, inner))
        }
        return .object(members)
    }
}

/// One thing that is wrong with a configuration.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// Where it was written.
    package let place: Place
    /// The setting it concerns, for example `merchants[0].routes[1].psp_account`; empty for the whole document.
    package let path: String
    /// The rule that is broken, in snake case and stable: `unknown_field`, `literal_secret`.
    package let code: String
    /// What is wrong, as a sentence; never repeats the value.
    package let sentence: String

    init(place: Place, path: String, code: String, sentence: String) {
        self.place = place
        self.path = path
        self.code = code
        self.sentence = sentence
    }

    /// One line for a terminal: place, setting, sentence.
    package var description: String { path.isEmpty ? "\(place): \(sentence)" : "\(place): \(path): \(sentence)" }
}

/// A configuration that cannot be used, with everything that is wrong with it.
package struct InvalidConfiguration: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong: options and variables first, then the file from top to bottom; never empty.
    package let problems: [ConfigurationProblem]

    init(_ problems: [ConfigurationProblem]) {
        self.problems = problems.enumerated()
            .sorted {
                ($0.element.place.order + [$0.offset]).lexicographicallyPrecedes($1.element.place.order + [$1.offset])
            }
            .map(\.element)
    }

    init(file: String, line: Int = 1, column: Int = 1, code: String, _ sentence: String) {
        let place = Place.file(file, line: line, column: column)
        problems = [ConfigurationProblem(place: place, path: "", code: code, sentence: sentence)]
    }

    /// One problem a line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Where a setting was written.
package enum Place: Hashable, Sendable, CustomStringConvertible {
    /// In a file; line and column start from 1.
    case file(String, line: Int, column: Int)
    /// In an environment variable.
    case variable(String)
    /// In an option of the command line, with its dashes.
    case option(String)

    /// `Config/tributary.yaml:3:9`, `TRIBUTARY_PORT` or `--port`.
    package var description: String {
        switch self {
        case .file(let file, let line, let column): "\(file):\(line):\(column)"
        case .variable(let name), .option(let name): name
        }
    }

    /// The key by which problems are sorted: options, variables, then files from top to bottom.
    var order: [Int] {
        switch self {
        case .option: [0, 0, 0]
        case .variable: [1, 0, 0]
        case .file(_, let line, let column): [2, line, column]
        }
    }
}
