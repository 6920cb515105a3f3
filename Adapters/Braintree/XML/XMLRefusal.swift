/// Why bytes are not read as XML.
package enum XMLRefusal: Error, Hashable, Sendable {
    /// More bytes than ``XMLReader/byteLimit``.
    case tooLarge
    /// Elements nested deeper than ``XMLReader/depthLimit``.
    case tooDeep
    /// More elements than ``XMLReader/elementLimit``, or more attributes than ``XMLReader/attributeLimit`` on one.
    case tooMany
    /// Not UTF-8, or a character that XML does not allow.
    case invalidCharacter
    /// A DOCTYPE, a comment, a CDATA section, a processing instruction: nothing that a notification needs.
    case forbidden
    /// A reference to an entity that is not one of the five.
    case unknownEntity
    /// Not well formed, or text beside elements.
    case malformed
}
