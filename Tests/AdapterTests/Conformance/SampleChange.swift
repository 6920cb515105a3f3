import AdapterKit
import StrictJSON

/// One line of a conversation that says how a reply differs from its sample.
enum SampleChange: Equatable {
    /// `HTTP/2 409 Conflict`: the first line.
    case firstLine([String])
    /// `Name: value`: a header field.
    case header(Header)
    /// `without Name`: no such header field.
    case withoutHeader(String)
    /// `/path/to/member = JSON`: a value of the body, by its JSON pointer; the last part may be new.
    case value([String], JSON)
    /// `without /path/to/member`: no such value in the body.
    case withoutValue([String])
    /// `without body`: nothing after the header fields.
    case withoutBody
    /// `cut after 512 bytes`: as much of the body.
    case cut(Int)

    /// Reads a line; nil if it says nothing of the kind.
    init?(_ line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        if SampleMessage.isStatusLine(words) {
            self = .firstLine(words)
        } else if words.count == 4, words[0] == "cut", words[1] == "after", words[3] == "bytes",
            let count = Int(words[2])
        {
            self = .cut(count)
        } else if words.count == 2, words[0] == "without" {
            self =
                switch words[1] {
                case "body": .withoutBody
                case let word where word.hasPrefix("/"): .withoutValue(Self.keys(word))
                case let word: .withoutHeader(word)
                }
        } else if line.hasPrefix("/") {
            guard words.count > 2, words[1] == "=",
                let value = try? JSON.parse(text: words[2...].joined(separator: " "))
            else { return nil }
            self = .value(Self.keys(words[0]), value)
        } else {
            guard let header = SampleMessage.header(line), !header.name.contains(" ") else { return nil }
            self = .header(header)
        }
    }

    /// The message with the change; nil if it has nothing to change there, or is the same with it.
    func applied(to message: SampleMessage) -> SampleMessage? {
        var changed = message
        switch self {
        case .firstLine(let words): changed.firstLine = words
        case .header(let header):
            if let index = changed.headers.firstIndex(where: { $0.name == header.name }) {
                changed.headers[index] = header
            } else {
                changed.headers.append(header)
            }
        case .withoutHeader(let name): changed.headers.removeAll { $0.name == name }
        case .value(let keys, let value):
            guard let body = Self.body(message.body, replacing: keys[...], with: value) else { return nil }
            changed.body = body
        case .withoutValue(let keys):
            guard let body = Self.body(message.body, replacing: keys[...], with: nil) else { return nil }
            changed.body = body
        case .withoutBody: changed.body = []
        case .cut(let count): changed.body = Array(message.body.prefix(count))
        }
        return changed == message ? nil : changed
    }

    /// The reference tokens of a JSON pointer (RFC 6901).
    private static func keys(_ pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    /// A JSON body with another value at that place, written as samples are: indented, with the byte order mark and
    /// the last line's end that it had; nil if it is no JSON or has no such place.
    private static func body(_ body: [UInt8], replacing keys: ArraySlice<String>, with value: JSON?) -> [UInt8]? {
        let mark: [UInt8] = body.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        guard let document = try? JSON.parse(Array(body.dropFirst(mark.count))),
            let changed = replacing(keys, in: document, with: value)
        else { return nil }
        return mark + changed.prettyText.utf8 + (body.last == UInt8(ascii: "\n") ? [UInt8(ascii: "\n")] : [])
    }

    /// The document with another value at that place, or without one; nil if it has no such place.
    private static func replacing(_ keys: ArraySlice<String>, in document: JSON, with value: JSON?) -> JSON? {
        guard let key = keys.first else { return value }
        let rest = keys.dropFirst()
        switch document {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.key == key }) else {
                guard rest.isEmpty, let value else { return nil }
                return .object(members + [JSON.Member(key, value)])
            }
            if rest.isEmpty, value == nil {
                members.remove(at: index)
            } else {
                guard let inner = replacing(rest, in: members[index].value, with: value) else { return nil }
                members[index] = JSON.Member(key, inner)
            }
            return .object(members)
        case .array(var elements):
            guard let index = Int(key), 0...elements.count ~= index else { return nil }
            if index == elements.count {
                guard rest.isEmpty, let value else { return nil }
                return .array(elements + [value])
            }
            if rest.isEmpty, value == nil {
                elements.remove(at: index)
            } else {
                guard let inner = replacing(rest, in: elements[index], with: value) else { return nil }
                elements[index] = inner
            }
            return .array(elements)
        case .null, .bool, .integer, .number, .string: return nil
        }
    }
}
