package import StrictJSON

/// Documents that differ from another in one place.
extension JSON {
    /// The document with the value at a path of keys and indices set, or removed where it is nil.
    ///
    /// `contexts/0/amount` is an element's member; an index behind the last appends.
    package func with(_ path: String, _ value: JSON?) -> JSON {
        with(path.split(separator: "/", omittingEmptySubsequences: false)[...], value)
    }

    /// The value at a path of keys and indices.
    package func at(_ path: String) -> JSON? {
        path.split(separator: "/", omittingEmptySubsequences: false).reduce(self) { json, step in
            switch json {
            case .array: Int(step).flatMap { json?[$0] }
            default: json?[String(step)]
            }
        }
    }

    private func with(_ path: ArraySlice<Substring>, _ value: JSON?) -> JSON {
        guard let step = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch self {
        case .array(var elements):
            let index = Int(step) ?? elements.count
            let new = rest.isEmpty ? value : (self[index] ?? .object([])).with(rest, value)
            if let new, index < elements.count {
                elements[index] = new
            } else if let new {
                elements.append(new)
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        case .object(var members):
            let new = rest.isEmpty ? value : (self[String(step)] ?? .object([])).with(rest, value)
            let index = members.firstIndex { $0.key == step }
            switch (index, new) {
            case (let index?, let new?): members[index] = Member(String(step), new)
            case (let index?, nil): members.remove(at: index)
            case (nil, let new?): members.append(Member(String(step), new))
            case (nil, nil): break
            }
            return .object(members)
        default: return self
        }
    }
}
