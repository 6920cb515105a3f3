package import StrictJSON

/// JSON Schemas (draft 2020-12) of what callbacks carry, each complete in itself.
///
/// They are made of the API's description, whose `webhooks` say what each callback carries and whose components are the
/// orders and payments of answers too (the schemas of OpenAPI 3.1 are of that draft), so that there is one truth.
package struct CallbackSchemas: Sendable {
    /// The version that is in the path of every schema: the next one once what is there means something else.
    package static let version = "v1"
    /// Where the schemas are.
    static let path = "/schemas/callbacks/\(version)"

    /// A callback's type and the schema of its body.
    package struct Entry: Hashable, Sendable {
        /// The type, for example `order.accepted`.
        package let type: String
        /// What it tells, in a sentence.
        package let summary: String
        /// The schema.
        package let schema: JSON
    }

    /// What there is, in the order of the description.
    package let entries: [Entry]

    /// The schemas of this build.
    ///
    /// - Throws: if the embedded description cannot be read.
    package static func load() throws -> CallbackSchemas { CallbackSchemas(of: try OpenAPIDocument.load()) }

    /// The schemas of a description.
    init(of description: JSON) {
        let components = description["components"]?["schemas"] ?? .object([])
        entries = (description["webhooks"]?.objectValue ?? []).map { webhook in
            let operation = webhook.value["post"]
            let summary = operation?["summary"]?.stringValue ?? ""
            let body = operation?["requestBody"]?["content"]?["application/json"]?["schema"] ?? .bool(false)
            let schema = Self.schema(webhook.key, summary, body, components)
            return Entry(type: webhook.key, summary: summary, schema: schema)
        }
    }

    /// The schema of a type; nil if there is no such type.
    package subscript(type: String) -> JSON? { entries.first { $0.type == type }?.schema }

    /// Every type, with where its schema is.
    var index: JSON {
        let data = entries.map { entry -> JSON in
            [
                "type": .string(entry.type), "summary": .string(entry.summary),
                "schema": .string("\(Self.path)/\(entry.type).json"),
            ]
        }
        return ["version": .string(Self.version), "data": .array(data)]
    }

    private static func schema(_ type: String, _ summary: String, _ body: JSON, _ components: JSON) -> JSON {
        var open: Set<String> = []
        let root = localized(body, &open)
        var definitions: [String: JSON] = [:]
        while let name = open.popFirst() {
            var found: Set<String> = []
            definitions[name] = localized(components[name] ?? .bool(false), &found)
            open.formUnion(found.filter { definitions[$0] == nil })
        }
        let sorted = definitions.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }
        return .object(
            [
                .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
                .init("$id", .string("urn:tributary:callback:\(version):\(type)")), .init("title", .string(type)),
                .init("description", .string(summary)),
            ] + (root.objectValue ?? []) + [.init("$defs", .object(sorted))]
        )
    }

    /// A schema that refers to definitions of its own document, whose names are noted; without what only OpenAPI knows.
    private static func localized(_ json: JSON, _ names: inout Set<String>) -> JSON {
        switch json {
        case .array(let elements): return .array(elements.map { localized($0, &names) })
        case .object(let members):
            return .object(
                members.filter { $0.key != "discriminator" }.map { member in
                    let prefix = "#/components/schemas/"
                    guard member.key == "$ref", let target = member.value.stringValue, target.hasPrefix(prefix) else {
                        return JSON.Member(member.key, localized(member.value, &names))
                    }
                    let name = String(target.dropFirst(prefix.count))
                    names.insert(name)
                    return JSON.Member("$ref", .string("#/$defs/\(name)"))
                }
            )
        default: return json
        }
    }
}
