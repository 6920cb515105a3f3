import Domain
import StrictJSON
import Yams

/// Turns a YAML document into values and the places where they stand.
///
/// Plain scalars are read by one short rule: `true`, `false`, `null` (also `~` and nothing), integers and decimals
/// are what they look like; everything else, and everything in quotes, is text. `no` and `1_000` are text.
struct YAMLComposer {
    /// The most nodes a document may have, aliases counted each time, so that a few lines cannot become millions.
    private static let nodeLimit = 100_000

    private let file: String
    private var nodeCount = 0
    private(set) var places: [String: ConfigurationDocument.Places] = [:]
    private(set) var problems: [ConfigurationProblem] = []

    init(file: String) { self.file = file }

    /// Reads a document; an empty one is an empty object.
    mutating func compose(_ text: String) throws(InvalidConfiguration) -> JSON {
        guard !YAMLRuns.areLong(in: text) else {
            let sentence = "Text may not have more than 30 combining marks, or escapes, in a row."
            throw InvalidConfiguration(file: file, code: "combining_run", sentence)
        }
        let root: Node?
        do {
            root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw refusal(error)
        } catch {
            throw InvalidConfiguration(file: file, code: "malformed_yaml", "The file is not YAML.")
        }
        let start = Place.file(file, line: 1, column: 1)
        guard let root else {
            places[""] = .init(key: start, value: start)
            return .object([])
        }
        let json = value(of: root, at: .root, key: nil)
        guard nodeCount <= Self.nodeLimit else {
            throw InvalidConfiguration(file: file, code: "too_large", "The file has too many values.")
        }
        return json.isNull ? .object([]) : json
    }

    private func place(_ node: Node) -> Place {
        .file(file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    private mutating func value(of node: Node, at pointer: JSONPointer, key: Node?) -> JSON {
        nodeCount += 1
        guard nodeCount <= Self.nodeLimit else { return .null }
        places[pointer.text] = .init(key: place(key ?? node), value: place(node))
        switch node {
        case .scalar(let scalar): return Self.value(of: scalar)
        case .sequence(let sequence):
            return .array(
                sequence.enumerated().map { index, node in
                    value(of: node, at: pointer.appending(index), key: nil)
                }
            )
        case .mapping(let mapping):
            return .object(
                mapping.compactMap { key, node in
                    guard let name = key.scalar?.string else {
                        refuse(key, at: pointer, "malformed_key", "A key must be text.")
                        return nil
                    }
                    return JSON.Member(name, value(of: node, at: pointer.appending(name), key: key))
                }
            )
        case .alias:
            refuse(node, at: pointer, "malformed_yaml", "An alias names nothing.")
            return .null
        }
    }

    private mutating func refuse(_ node: Node, at pointer: JSONPointer, _ code: String, _ sentence: String) {
        let path = ConfigurationDocument.path(pointer.text)
        problems.append(ConfigurationProblem(place: place(node), path: path, code: code, sentence: sentence))
    }

    private static func value(of scalar: Node.Scalar) -> JSON {
        scalar.style == .plain || scalar.style == .any ? plainValue(scalar.string) : .string(scalar.string)
    }

    /// What text without quotes stands for; also how environment variables are read.
    static func plainValue(_ text: String) -> JSON {
        switch text {
        case "", "~", "null": return .null
        case "true": return true
        case "false": return false
        default: break
        }
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || first <= UInt8(ascii: "9"),
            let json = try? JSON.parse(text: text)
        else { return .string(text) }
        switch json {
        case .integer, .number: return json
        default: return .string(text)
        }
    }

    /// The same error without the excerpt, which could hold a secret written where none belongs.
    private func refusal(_ error: YamlError) -> InvalidConfiguration {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            InvalidConfiguration(
                file: file,
                line: mark.line,
                column: mark.column,
                code: "malformed_yaml",
                "The file is not YAML: \(problem)."
            )
        case .duplicatedKeysInMapping(let duplicates, let context):
            InvalidConfiguration(
                file: file,
                line: context.mark.line,
                column: context.mark.column,
                code: "duplicate_key",
                "A key stands here twice: \(duplicates.joined(separator: ", "))."
            )
        default:
            InvalidConfiguration(file: file, code: "malformed_yaml", "The file is not YAML.")
        }
    }
}

/// Runs of combining marks in YAML, found before it is parsed: the parser compares keys as Swift compares text, in a time
/// that grows with the square of such a run.
enum YAMLRuns {
    /// Whether more than 30 combining marks, or escapes that could stand for them, follow one another.
    ///
    /// White space between them does not end a run: an escaped line break joins what stands around it.
    static func areLong(in text: String) -> Bool {
        guard !text.hasLongCombiningRun else { return true }
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return false }
        var run = 0
        var digits = 0
        var isEscape = false
        for scalar in text.unicodeScalars {
            if isEscape {
                isEscape = false
                digits = scalar == "u" ? 4 : scalar == "U" ? 8 : scalar == "x" ? 2 : 0
                if digits > 0 { run += 1 } else if !scalar.properties.isWhitespace { run = 0 }
            } else if digits > 0 {
                digits -= 1
            } else if scalar == "\\" {
                isEscape = true
            } else if scalar.isCombining {
                run += 1
            } else if !scalar.properties.isWhitespace {
                run = 0
            }
            if run > String.combiningRunLimit { return true }
        }
        return false
    }
}
