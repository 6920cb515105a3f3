import ArgumentParser
import Settings

/// `--config` and `--database`, which every command that needs a database understands.
struct DatabaseOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The settings file; Config/tributary.yaml unless said, which may be absent.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database: sqlite:PATH or postgres://… (also TRIBUTARY_DATABASE_URL).",
            valueName: "url"
        )
    )
    var database: String?

    /// The settings: what was typed over the environment over the file over the defaults.
    ///
    /// - Parameters:
    ///   - options: what else was typed, as text.
    ///   - surroundings: the environment and the files.
    /// - Returns: the settings.
    /// - Throws: `InvalidConfiguration` with everything that is wrong.
    func settings(
        adding options: [Setting: String?] = [:],
        surroundings: Surroundings = .process
    ) throws -> ServerSettings {
        var typed = options.compactMapValues(\.self)
        typed[.databaseURL] = database
        return try ServerSettings.load(
            path: config ?? ServerSettings.defaultPath,
            isRequired: config != nil,
            options: typed,
            surroundings: surroundings
        )
    }
}
