import StrictJSON

/// Every language has `order.strings` that can be read, with the same keys.
struct LocalizationCheck {
    private let languages: [(folder: String, bytes: [UInt8]?)]
    private let order: JSON

    init(_ files: [String: [UInt8]], order: JSON) {
        let folders = files.keys.compactMap { path -> String? in
            guard let first = path.split(separator: "/").first, first.hasSuffix(PackagePath.languageSuffix) else {
                return nil
            }
            return String(first)
        }
        languages = Set(folders).sorted().map { ($0, files["\($0)/\(PackagePath.strings)"]) }
        self.order = order
    }

    /// What is unusual and no reason to refuse.
    func remarks() throws(FailedCheck) -> [String] {
        var reasons: [String] = []
        var remarks: [String] = []
        var tables: [(folder: String, texts: [String: String])] = []
        for (folder, bytes) in languages {
            let name = PackageArchive.quoted(folder)
            if !Localisations.isLanguage(folder.dropLast(PackagePath.languageSuffix.utf8.count)) {
                remarks.append("\(name) is named after no language")
            }
            guard let bytes else {
                reasons.append("\(name) has no \(PackagePath.strings)")
                continue
            }
            do throws(StringsFile.Refusal) {
                tables.append((folder, try StringsFile(reading: bytes).texts))
            } catch {
                reasons.append("\(name): \(PackagePath.strings) \(error)")
            }
            if !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]),
                bytes.contains(where: { $0 >= 0x80 })
            {
                remarks.append("\(name): texts that are not ASCII are written in UTF-16")
            }
        }
        let keys = tables.reduce(into: Set<String>()) { $0.formUnion($1.texts.keys) }
        for (folder, texts) in tables {
            for key in keys.subtracting(texts.keys).sorted() {
                let name = PackageArchive.quoted(folder)
                reasons.append("\(name) lacks the key \(PackageArchive.quoted(key)), which another language has")
            }
        }
        guard reasons.isEmpty else { throw FailedCheck(.localization, reasons) }
        return remarks + misspelt(keys)
    }

    /// Keys that differ from a text of the order in capital letters only: such a text is shown as it stands.
    private func misspelt(_ keys: Set<String>) -> [String] {
        var texts: Set<String> = []
        func collect(_ json: JSON) {
            switch json {
            case .string(let text): texts.insert(text)
            case .array(let elements): for element in elements { collect(element) }
            case .object(let members): for member in members { collect(member.value) }
            default: return
            }
        }
        collect(order)
        let lower = Set(texts.map { $0.lowercased() })
        return keys.subtracting(texts).filter { lower.contains($0.lowercased()) }.sorted().map { key in
            "the key \(PackageArchive.quoted(key)) is written in other capital letters in the order"
        }
    }
}

extension StringsFile.Refusal: CustomStringConvertible {
    /// The reason, completing "order.strings …".
    var description: String {
        switch self {
        case .notText: "is neither UTF-8 nor UTF-16 with a byte order mark"
        case .malformed(let line): "is not pairs of quoted texts, from line \(line) on"
        case .duplicate(let key): "has the key \(PackageArchive.quoted(key)) twice"
        }
    }
}
