import StrictJSON

/// A command as the parser describes it.
struct CommandPage: Hashable {
    /// An option, a flag or an argument.
    struct Item: Hashable {
        /// As it is typed: `--limit <limit>`, `<order>`.
        let usage: String
        /// What it is for.
        let abstract: String
        /// What it is unless it is said; nil if nothing.
        let byDefault: String?
    }

    /// Its name.
    let name: String
    /// What it does, in a sentence.
    let abstract: String
    /// The rest of its help.
    let discussion: String
    /// What it takes, `--help` and `--version` aside.
    let items: [Item]
    /// What stands below it, `help` aside.
    let subcommands: [CommandPage]

    /// Makes a description.
    init(name: String, abstract: String, discussion: String = "", items: [Item] = [], subcommands: [CommandPage] = []) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.items = items
        self.subcommands = subcommands
    }

    /// Reads the parser's description, without what is hidden; nil if it has no name.
    init?(_ json: JSON) {
        guard let name = json["commandName"]?.stringValue else { return nil }
        self.init(
            name: name,
            abstract: json["abstract"]?.stringValue ?? "",
            discussion: json["discussion"]?.stringValue ?? "",
            items: (json["arguments"]?.arrayValue ?? []).compactMap(Item.init),
            subcommands: (json["subcommands"]?.arrayValue ?? []).compactMap(CommandPage.init).filter {
                $0.name != "help"
            }
        )
    }
}

extension CommandPage.Item {
    /// Reads the parser's description; nil for what is hidden, and for `--help` and `--version`.
    init?(_ json: JSON) {
        guard json["shouldDisplay"] != false else { return nil }
        let name = json["preferredName"]?["name"]?.stringValue
        if let name, ["help", "version"].contains(name) { return nil }
        let value = json["valueName"]?.stringValue ?? "value"
        switch (json["kind"]?.stringValue, name) {
        case ("positional", _): usage = "<\(value)>"
        case ("flag", let name?): usage = "--\(name)"
        case (_, let name?): usage = "--\(name) <\(value)>"
        default: return nil
        }
        abstract = json["abstract"]?.stringValue ?? ""
        byDefault = json["defaultValue"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}
