import StrictJSON

/// A page of a list.
///
/// Square leaves an empty list out, so that a page without anything is the last one.
struct SquarePage {
    var elements: [JSON]
    /// Where the next page begins; nil on the last one.
    var cursor: String?

    /// Reads a page; nil if the object has anything else in it than the list and the cursor.
    init?(_ json: JSON, of list: String) {
        guard let members = json.objectValue, members.allSatisfy({ [list, "cursor", "errors"].contains($0.key) }),
            let elements = json[list].map({ $0.arrayValue }) ?? []
        else { return nil }
        self.elements = elements
        cursor = json["cursor"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}
