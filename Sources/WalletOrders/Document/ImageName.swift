import StrictJSON

/// How an order names a picture: with or without its suffix.
struct ImageName {
    let text: String

    init(_ text: String) { self.text = text }

    /// Whether a file of that name is the picture, in any resolution.
    func isOf(_ fileName: String) -> Bool {
        let (wanted, wantedSuffix) = Self.parts(text.lowercased())
        let (stem, suffix) = Self.parts(fileName.lowercased())
        guard !suffix.isEmpty, wantedSuffix.isEmpty || wantedSuffix == suffix else { return false }
        return stem == wanted || stem == wanted + "@2x" || stem == wanted + "@3x"
    }

    /// The name without its suffix, as Apple's pages have it.
    var stem: String { hasSuffix ? String(text[..<(text.lastIndex(of: ".") ?? text.endIndex)]) : text }

    /// Whether it ends as a picture's file does.
    var hasSuffix: Bool { !Self.parts(text.lowercased()).suffix.isEmpty }

    /// The stem and one of the three suffixes, or nothing of them.
    private static func parts(_ name: String) -> (stem: String, suffix: String) {
        for suffix in [".png", ".jpg", ".jpeg"] where name.hasSuffix(suffix) {
            return (String(name.dropLast(suffix.utf8.count)), suffix)
        }
        return (name, "")
    }

    /// Where an order names pictures, and which.
    static func all(in document: JSON) -> [(pointer: JSONPointer, name: String)] {
        var names: [(JSONPointer, String)] = []
        func add(_ value: JSON?, _ keys: [String], at place: JSONPointer) {
            for key in keys {
                if let name = value?[key]?.stringValue { names.append((place.appending(key), name)) }
            }
        }
        func addItems(of value: JSON?, at place: JSONPointer) {
            let place = place.appending("lineItems")
            for (index, item) in (value?["lineItems"]?.arrayValue ?? []).enumerated() {
                add(item, ["image"], at: place.appending(index))
            }
        }
        add(document["merchant"], ["logo"], at: .root.appending("merchant"))
        add(
            document["orderProvider"],
            ["trackingLogoNameDarkColorScheme", "trackingLogoNameLightColorScheme"],
            at: .root.appending("orderProvider")
        )
        addItems(of: document, at: .root)
        for list in ["fulfillments", "returns"] {
            for (index, element) in (document[list]?.arrayValue ?? []).enumerated() {
                addItems(of: element, at: .root.appending(list).appending(index))
            }
        }
        return names
    }
}

/// Files beside pictures that an order names: receipts and return labels.
enum PaperName {
    static func all(in order: JSON) -> [(pointer: JSONPointer, path: String)] {
        let transactions = JSONPointer.root.appending("payment").appending("transactions")
        return named("receipt", in: order["payment"]?["transactions"], at: transactions)
            + named("returnLabel", in: order["returns"], at: .root.appending("returns"))
    }

    private static func named(_ key: String, in list: JSON?, at place: JSONPointer) -> [(JSONPointer, String)] {
        (list?.arrayValue ?? []).enumerated().compactMap { index, element in
            element[key]?.stringValue.map { (place.appending(index).appending(key), $0) }
        }
    }
}
