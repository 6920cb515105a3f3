/// Text that must not reach a log, an error or a dump: every description of it is a mask.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Wraps the text at the moment it is read.
    public init(_ text: String) { self.text = text }

    /// The text itself, for the one place that sends or signs with it.
    public func reveal() -> String { text }

    /// A mask.
    public var description: String { "•••" }
    /// A mask.
    public var debugDescription: String { "•••" }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
