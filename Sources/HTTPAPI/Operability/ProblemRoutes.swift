import Hummingbird
import StrictJSON

/// `/problems`: what a problem's `type` leads to, for everybody.
struct ProblemRoutes: Sendable {
    func add(to router: Router<APIContext>) {
        router.get("\(ProblemCode.path)") { _, _ in
            Response.json(["data": .array(ProblemCode.all.map(\.json))])
        }
        router.get("\(ProblemCode.path)/{code}") { _, context in
            guard let known = context.pathParameter("code").flatMap({ ProblemCode.byCode[$0] }) else {
                throw Problem.notFound
            }
            return Response.json(known.json)
        }
    }
}
