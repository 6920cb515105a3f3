import COpenAPI
import HTTPTypes
import Hummingbird
import StrictJSON
import Yams

/// The description of the API (OpenAPI 3.1), written by hand in `openapi.yaml`.
///
/// Of YAML it uses what stands for JSON: no anchors, no tags, text keys.
enum OpenAPIDocument {
    /// The document.
    ///
    /// - Throws: ``Malformed`` for anything that JSON cannot say.
    static func load() throws -> JSON {
        let embedded = (0..<tributary_openapi_length()).map(tributary_openapi_byte)
        let text = String(decoding: embedded, as: UTF8.self)
        guard let root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot() else {
            throw Malformed()
        }
        return try value(of: root)
    }

    /// The document is not JSON in YAML's clothes.
    struct Malformed: Error {}

    private static func value(of node: Node) throws(Malformed) -> JSON {
        switch node {
        case .scalar(let scalar): return scalar.style == .plain ? plain(scalar.string) : .string(scalar.string)
        case .sequence(let sequence):
            var items: [JSON] = []
            for item in sequence { items.append(try value(of: item)) }
            return .array(items)
        case .mapping(let mapping):
            var members: [JSON.Member] = []
            for (key, node) in mapping {
                guard let name = key.scalar?.string else { throw Malformed() }
                members.append(JSON.Member(name, try value(of: node)))
            }
            return .object(members)
        case .alias: throw Malformed()
        }
    }

    /// Numbers and the three words are what JSON says they are; everything else is text.
    private static func plain(_ text: String) -> JSON {
        switch try? JSON.parse(text: text) {
        case .some(.bool(let value)): .bool(value)
        case .some(.null): .null
        case .some(.integer(let value)): .integer(value)
        case .some(.number(let digits)): .number(digits)
        default: .string(text)
        }
    }
}

/// `/openapi.json`.
struct OpenAPIRoutes: Sendable {
    /// The document's bytes, made once.
    private static let document = Result { try OpenAPIDocument.load().bytes }

    func add(to router: Router<APIContext>) {
        router.get("/openapi.json") { _, _ in Response.json(try Self.document.get()) }
    }
}

/// `/schemas/callbacks/v1`.
struct SchemaRoutes: Sendable {
    /// The index and the schemas by file name, made once.
    private static let documents = Result {
        let schemas = try CallbackSchemas.load()
        let files = schemas.entries.map { ("\($0.type).json", $0.schema.bytes) }
        return (index: schemas.index.bytes, files: Dictionary(files) { first, _ in first })
    }

    func add(to router: Router<APIContext>) {
        router.get("\(CallbackSchemas.path)") { _, _ in Response.json(try Self.documents.get().index) }
        router.get("\(CallbackSchemas.path)/{file}") { _, context in
            guard let name = context.pathParameter("file"), let schema = try Self.documents.get().files[name] else {
                throw Problem.notFound
            }
            return Response(
                status: .ok,
                headers: [.contentType: "application/schema+json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: schema))
            )
        }
    }
}
