package import Domain
package import Logging
import StrictJSON

/// Writes each event of the log as a line of JSON: `time` (RFC 3339), `level`, `message`, and a member for each thing that
/// belongs to it.
///
/// What is nested has its members' names joined by points. What is called like one of the first three has an underscore
/// before its name. Every value is text.
package struct JSONLogHandler: LogHandler {
    private static let own: Set<String> = ["time", "level", "message"]

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info
    package var metadataProvider: Logger.MetadataProvider?
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable (_ line: [UInt8]) -> Void

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - now: what time it is.
    ///   - write: writes a line, its end included, at once.
    package init(now: @escaping @Sendable () -> Timestamp, write: @escaping @Sendable (_ line: [UInt8]) -> Void) {
        self.now = now
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, newer in newer } }
        if let own = event.metadata { all.merge(own) { _, newer in newer } }
        if let error = event.error, all["error"] == nil { all["error"] = "\(error)" }
        var members: [JSON.Member] = [
            .init("time", .string(now().description)), .init("level", .string(event.level.rawValue)),
            .init("message", .string(event.message.description)),
        ]
        var names = Self.own
        Self.flatten(all, below: "", into: &members, &names)
        write(JSON.object(members).bytes + [UInt8(ascii: "\n")])
    }

    /// Adds members in the order of their names, none twice.
    private static func flatten(
        _ metadata: Logger.Metadata,
        below path: String,
        into members: inout [JSON.Member],
        _ names: inout Set<String>
    ) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            var name = path + key
            while names.contains(name) { name = "_" + name }
            switch value {
            case .dictionary(let inner) where !inner.isEmpty: flatten(inner, below: name + ".", into: &members, &names)
            default:
                names.insert(name)
                members.append(JSON.Member(name, .string(text(value))))
            }
        }
    }

    private static func text(_ value: Logger.Metadata.Value) -> String {
        switch value {
        case .string(let text): text
        case .stringConvertible(let value): value.description
        case .dictionary, .array: "\(value)"
        }
    }
}
