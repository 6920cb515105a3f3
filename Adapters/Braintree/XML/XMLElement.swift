/// An element of an XML document that holds either text or other elements.
package struct XMLElement: Hashable, Sendable {
    /// The name, letters, digits, `_`, `-` and `.`.
    package let name: String
    /// The attributes by name.
    package let attributes: [String: String]
    /// The text; empty where there are children.
    package let text: String
    /// The elements inside, in their order.
    package let children: [XMLElement]

    /// The only child of that name; nil if there is none or more than one.
    package subscript(name: String) -> XMLElement? {
        let found = children.filter { $0.name == name }
        return found.count == 1 ? found[0] : nil
    }

    /// The text of the only child of that name; nil if that is none, empty, has elements inside, or is marked
    /// `nil="true"`.
    package func value(_ name: String) -> String? {
        guard let child = self[name], child.children.isEmpty, child.attributes["nil"] != "true", !child.text.isEmpty
        else { return nil }
        return child.text
    }
}
