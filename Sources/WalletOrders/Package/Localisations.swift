import StrictJSON

/// Texts in the buyers' languages, as files of a package.
struct Localisations {
    /// What is wrong with them.
    let problems: [Violation]
    /// One `order.strings` a language, in the order of the languages.
    let files: [WalletOrderFile]

    /// Checks texts by language and key: languages have the same keys (Apple, "Creating the source for an order").
    init(_ texts: [String: [String: String]]) {
        let violations = Violations()
        let place = JSONPointer.root.appending("localisations")
        if texts.count > WalletOrderLimits.languages {
            violations.add(at: place, "too_many", "Must have at most \(WalletOrderLimits.languages) languages.")
        }
        let languages = texts.sorted { $0.key < $1.key }
        let keys = Set(languages.flatMap(\.value.keys))
        if keys.count > WalletOrderLimits.localisedTexts {
            violations.add(at: place, "too_many", "Must have at most \(WalletOrderLimits.localisedTexts) keys.")
        }
        for (language, texts) in languages {
            let place = place.appending(language)
            if !Self.isLanguage(language) {
                violations.add(at: place, "not_allowed", "Must be a language as en, pt-BR or zh-Hans.")
            }
            for key in keys.subtracting(texts.keys).sorted() {
                let detail = "Every language must have the same keys, and another one has this."
                violations.add(at: place.appending(key), "missing_field", detail)
            }
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
                let length = text.unicodeScalars.count
                if !(1...WalletOrderLimits.notes).contains(length) || key.isEmpty {
                    let detail = "Key and text must not be empty, and at most \(WalletOrderLimits.notes) characters."
                    violations.add(at: place.appending(key), "too_long", detail)
                }
                if (key + text).unicodeScalars.contains(where: StringsFile.cannotBeWritten) {
                    violations.add(at: place.appending(key), "invalid_character", "Must not have control characters.")
                }
            }
        }
        problems = violations.all
        files = languages.map { language, texts in
            WalletOrderFile(
                path: "\(language)\(PackagePath.languageSuffix)/\(PackagePath.strings)",
                bytes: StringsFile(texts).bytes
            )
        }
    }

    /// A language, maybe with a script and a region (BCP 47): `en`, `pt-BR`, `zh-Hans`.
    static func isLanguage(_ text: some StringProtocol) -> Bool {
        String(text).wholeMatch(of: /[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?/) != nil
    }
}

/// A table of texts by key as Apple's tools write it: `"key" = "text";`.
struct StringsFile: Hashable {
    /// The texts.
    let texts: [String: String]

    /// A table of these texts.
    init(_ texts: [String: String]) { self.texts = texts }

    /// Whether a character has no escape here.
    static func cannotBeWritten(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F: true
        default: false
        }
    }

    /// ASCII as it is; anything else as UTF-16, the lower byte first, with a byte order mark.
    var bytes: [UInt8] {
        let text = texts.sorted { $0.key < $1.key }.map { "\(quoted($0.key)) = \(quoted($0.value));\n" }.joined()
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return Array(text.utf8) }
        return [0xFF, 0xFE]
            + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Reading a table that somebody else wrote.
extension StringsFile {
    /// Why a table cannot be read.
    enum Refusal: Error, Hashable {
        /// It is neither UTF-8 nor UTF-16 with a byte order mark.
        case notText
        /// It is not pairs of quoted texts; the line on which it ends to be.
        case malformed(line: Int)
        /// A key stands in it twice.
        case duplicate(key: String)
    }

    /// Reads a table in UTF-8, or in UTF-16 with a byte order mark; comments are passed over.
    init(reading bytes: [UInt8]) throws(Refusal) {
        guard let text = Self.text(bytes) else { throw .notText }
        var cursor = StringsCursor(text)
        var texts: [String: String] = [:]
        while let pair = try cursor.next() {
            guard texts.updateValue(pair.text, forKey: pair.key) == nil else { throw .duplicate(key: pair.key) }
        }
        self.texts = texts
    }

    private static func text(_ bytes: [UInt8]) -> String? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
            let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            return String(validating: content, as: UTF8.self)
        }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (low, high) = isLittle ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return String(validating: units, as: UTF16.self)
    }
}

/// Goes through the pairs of a table.
private struct StringsCursor {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The next pair; nil at the end.
    mutating func next() throws(StringsFile.Refusal) -> (key: String, text: String)? {
        try skipSpace()
        guard place < scalars.count else { return nil }
        let key = try quoted()
        try skipSpace()
        try expect("=")
        try skipSpace()
        let text = try quoted()
        try skipSpace()
        try expect(";")
        return (key, text)
    }

    private var malformed: StringsFile.Refusal {
        .malformed(line: 1 + scalars[..<min(place, scalars.count)].count { $0 == "\n" })
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws(StringsFile.Refusal) {
        guard place < scalars.count, scalars[place] == scalar else { throw malformed }
        place += 1
    }

    /// White space and comments of both kinds.
    private mutating func skipSpace() throws(StringsFile.Refusal) {
        while place < scalars.count {
            if scalars[place].properties.isWhitespace {
                place += 1
            } else if starts("//") {
                while place < scalars.count, scalars[place] != "\n" { place += 1 }
            } else if starts("/*") {
                place += 2
                while !starts("*/") {
                    guard place < scalars.count else { throw malformed }
                    place += 1
                }
                place += 2
            } else {
                return
            }
        }
    }

    private func starts(_ mark: String) -> Bool { scalars[place...].starts(with: mark.unicodeScalars) }

    private mutating func quoted() throws(StringsFile.Refusal) -> String {
        try expect("\"")
        var text = ""
        while place < scalars.count, scalars[place] != "\"" {
            if scalars[place] == "\\" {
                place += 1
                text.unicodeScalars.append(try escaped())
            } else {
                text.unicodeScalars.append(scalars[place])
            }
            place += 1
        }
        try expect("\"")
        return text
    }

    private mutating func escaped() throws(StringsFile.Refusal) -> Unicode.Scalar {
        guard place < scalars.count else { throw malformed }
        switch scalars[place] {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "U", "u":
            let digits = String(String.UnicodeScalarView(scalars[(place + 1)...].prefix(4)))
            guard digits.utf8.count == 4, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
            else {
                throw malformed
            }
            place += 4
            return scalar
        case let other: return other
        }
    }
}
