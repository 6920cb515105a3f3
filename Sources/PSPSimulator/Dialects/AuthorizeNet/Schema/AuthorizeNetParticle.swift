/// A place in a sequence of elements: an element, or one of several.
struct AuthorizeNetParticle: Sendable {
    /// The elements that may stand here.
    let options: [(name: String, content: AuthorizeNetContent)]
    /// Whether one of them must stand here.
    var isRequired = false
    /// How many of them may stand here.
    var greatestCount = 1

    /// The place of one element that may be left out.
    init(_ name: String, _ content: AuthorizeNetContent) { options = [(name, content)] }

    /// The place of one of several elements.
    init(anyOf options: [(name: String, content: AuthorizeNetContent)]) { self.options = options }

    /// The place of an element with text of at most so many characters.
    static func text(_ name: String, _ limit: Int = .max) -> Self { Self(name, .text(0...limit)) }

    /// The same place, which may not be left empty.
    var required: Self {
        var copy = self
        copy.isRequired = true
        return copy
    }

    /// The same place for several elements of the name.
    func repeated(_ limit: Int = .max) -> Self {
        var copy = self
        copy.greatestCount = limit
        return copy
    }

    /// The elements' names.
    var names: [String] { options.map(\.name) }
}
