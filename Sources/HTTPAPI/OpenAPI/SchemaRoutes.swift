import HTTPTypes
import Hummingbird
import StrictJSON

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
