import HTTPTypes
import Hummingbird

/// Which methods each path has, to tell an unknown path from a wrong method.
struct MethodTable: Sendable {
    private struct Entry: Sendable {
        let segments: [String]
        let method: String
    }

    private let entries: [Entry]

    /// The table of a router's routes.
    init(_ routes: [Router<APIContext>.RouteDescription]) {
        entries = routes.map { route in
            Entry(
                segments: route.path.description.split(separator: "/").map(String.init),
                method: route.method.rawValue
            )
        }
    }

    /// The methods of a path, sorted; empty if there is no such path.
    ///
    /// Where `GET` is, `HEAD` is too.
    func methods(of path: String) -> [String] {
        let segments = path.split(separator: "/")
        let found = entries.filter { Self.matches($0.segments, segments) }.map(\.method)
        return Set(found.contains("GET") ? found + ["HEAD"] : found).sorted()
    }

    private static func matches(_ pattern: [String], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0.hasPrefix(":") || $0 == $1 }
    }
}
