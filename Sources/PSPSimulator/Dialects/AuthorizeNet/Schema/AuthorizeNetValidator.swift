import StrictJSON

/// Compares a request with Authorize.Net's schema, as its XML parser does once the JSON is XML.
///
/// The first thing that is wrong is refused as `E00003`, in the parser's words and without the value.
enum AuthorizeNetValidator {
    /// Reads the members of an element in the order of its places.
    ///
    /// - Throws: ``Refusal``.
    static func check(_ json: JSON, _ name: String, _ places: [AuthorizeNetParticle]) throws(Refusal) {
        guard let members = json.objectValue ?? (json.elementText == "" ? [] : nil) else {
            throw refusal("The element '\(name)' in namespace '\(namespace)' cannot contain text.")
        }
        var rest = places[...]
        for member in members {
            guard let index = rest.firstIndex(where: { $0.names.contains(member.key) }),
                rest[..<index].allSatisfy({ !$0.isRequired }),
                let content = rest[index].options.first(where: { $0.name == member.key })?.content
            else { throw invalid(child: member.key, of: name, rest) }
            let values = member.value.elements
            guard values.count <= rest[index].greatestCount else {
                throw invalid(child: member.key, of: name, rest[(index + 1)...])
            }
            for value in values { try check(value, member.key, content) }
            rest = rest[(index + 1)...]
        }
        guard rest.allSatisfy({ !$0.isRequired }) else {
            throw refusal(
                "The element '\(name)' in namespace '\(namespace)' has incomplete content.\(expectation(rest))"
            )
        }
    }

    private static func check(_ json: JSON, _ name: String, _ content: AuthorizeNetContent) throws(Refusal) {
        switch content {
        case .anything: return
        case .sequence(let places): return try check(json, name, places)
        default: break
        }
        guard let text = json.elementText else {
            throw refusal("The element '\(name)' cannot contain child elements, because its content is text.")
        }
        let length = text.utf16.count
        switch content {
        case .text(let range):
            guard length <= range.upperBound else {
                throw invalid(name, "String", "The actual length is greater than the MaxLength value.")
            }
            guard length >= range.lowerBound else {
                throw invalid(name, "String", "The actual length is less than the MinLength value.")
            }
        case .decimal:
            if !isDecimal(text) { throw invalid(name, "decimal", "The string is not a valid Decimal value.") }
        case .boolean:
            guard ["true", "false", "1", "0"].contains(text) else {
                throw invalid(name, "boolean", "The string is not a valid Boolean value.")
            }
        case .integer(let range):
            guard let number = Int64(text), range.contains(number) else {
                throw invalid(name, "int", "The string is not a valid Int32 value of its range.")
            }
        case .digits:
            guard !text.isEmpty, isDigits(text) else {
                throw invalid(name, "String", "The Pattern constraint failed.")
            }
        case .moment:
            guard AuthorizeNetDate.milliseconds(text) != nil else {
                throw invalid(name, "dateTime", "The string is not a valid DateTime value.")
            }
        case .words(let words):
            guard words.contains(text) else { throw invalid(name, "String", "The Enumeration constraint failed.") }
        case .sequence, .anything: return
        }
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A sign, digits and a point with digits, of which some must be there.
    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy(isDigits) && parts.contains { !$0.isEmpty }
    }

    private static let namespace = "AnetApi/xml/v1/schema/AnetApiSchema.xsd"

    private static func invalid(
        child: String,
        of name: String,
        _ rest: ArraySlice<AuthorizeNetParticle>
    ) -> Refusal {
        refusal(
            "The element '\(name)' in namespace '\(namespace)' has invalid child element '\(child.prefix(60))' in "
                + "namespace '\(namespace)'.\(expectation(rest))"
        )
    }

    private static func invalid(_ name: String, _ type: String, _ why: String) -> Refusal {
        refusal(
            "The '\(namespace):\(name)' element is invalid - The value XXXXX is invalid according to its datatype "
                + "'\(type)' - \(why)"
        )
    }

    /// What could have come: everything up to the first that must.
    private static func expectation(_ rest: ArraySlice<AuthorizeNetParticle>) -> String {
        let end = rest.firstIndex(where: \.isRequired).map { $0 + 1 } ?? rest.endIndex
        let names = rest[rest.startIndex..<end].flatMap(\.names)
        guard !names.isEmpty else { return "" }
        return " List of possible elements expected: '\(names.joined(separator: ", "))' in namespace '\(namespace)'."
    }

    private static func refusal(_ text: String) -> Refusal { Refusal(400, "E00003", text) }
}
