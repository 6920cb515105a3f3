import StrictJSON

/// What a field of a request has to be.
indirect enum WorldpayField: Sendable {
    /// A text of so many characters, of these if they are restricted.
    case text(ClosedRange<Int>, of: Set<UInt8>? = nil)
    /// One of these words.
    case word(Set<String>)
    /// A whole number.
    case integer(ClosedRange<Int64>)
    /// `true` or `false`.
    case flag
    /// At least one of these.
    case array(WorldpayField)
    /// These fields and no others.
    case object([String: WorldpayField], required: Set<String> = [])
    /// Something that the simulator does not look into.
    case anything

    /// The ASCII digits.
    static let digits = Set("0123456789".utf8)
    /// The ASCII letters.
    static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// Digits, letters and the characters of `more`.
    static func plain(_ more: String) -> Set<UInt8> { digits.union(letters).union(more.utf8) }

    /// Checks a value.
    ///
    /// - Throws: ``Refusal`` whose code is the first violation in Worldpay's words and whose message is where it is,
    ///   as a JSONPath; never a value.
    func check(_ value: JSON, at path: String = "$") throws(Refusal) {
        if value.isNull { throw Self.violation("fieldIsNull", path) }
        switch self {
        case .text(let lengths, let alphabet): try Self.check(value, lengths, alphabet, path)
        case .word(let words):
            guard let text = value.stringValue else { throw Self.violation("fieldMustBeString", path) }
            guard words.contains(text) else { throw Self.violation("fieldHasInvalidValue", path) }
        case .integer(let range):
            guard let number = value.integerValue else { throw Self.violation("fieldMustBeInteger", path) }
            if number < range.lowerBound { throw Self.violation("numberIsTooSmall", path) }
            if number > range.upperBound { throw Self.violation("numberIsTooLarge", path) }
        case .flag: if value.boolValue == nil { throw Self.violation("fieldMustBeBoolean", path) }
        case .array(let field):
            guard let elements = value.arrayValue else { throw Self.violation("fieldMustBeArray", path) }
            guard !elements.isEmpty else { throw Self.violation("fieldIsEmpty", path) }
            for (index, element) in elements.enumerated() { try field.check(element, at: "\(path)[\(index)]") }
        case .object(let fields, let required): try Self.check(value, fields, required, path)
        case .anything: break
        }
    }

    /// A violation in Worldpay's words.
    static func violation(_ name: String, _ path: String) -> Refusal { Refusal(400, name, path) }

    private static func check(
        _ value: JSON,
        _ lengths: ClosedRange<Int>,
        _ alphabet: Set<UInt8>?,
        _ path: String
    ) throws(Refusal) {
        guard let text = value.stringValue else { throw violation("fieldMustBeString", path) }
        if text.isEmpty, lengths.lowerBound > 0 { throw violation("fieldIsEmpty", path) }
        if text.unicodeScalars.count < lengths.lowerBound { throw violation("stringIsTooShort", path) }
        if text.unicodeScalars.count > lengths.upperBound { throw violation("stringIsTooLong", path) }
        if let alphabet, !text.utf8.allSatisfy(alphabet.contains) { throw violation("stringFailedRegexCheck", path) }
    }

    private static func check(
        _ value: JSON,
        _ fields: [String: WorldpayField],
        _ required: Set<String>,
        _ path: String
    ) throws(Refusal) {
        guard let members = value.objectValue else { throw violation("fieldMustBeObject", path) }
        for name in required.sorted() where value[name] == nil { throw violation("fieldIsMissing", "\(path).\(name)") }
        for member in members {
            let inside = "\(path).\(member.key.prefix(60))"
            guard let field = fields[member.key] else { throw violation("fieldIsNotAllowed", inside) }
            try field.check(member.value, at: inside)
        }
    }
}
