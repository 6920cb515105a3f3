import Domain
import Foundation
import Keyring
import Settings
import StrictJSON

/// The temporary folder of a demonstration: database, settings, declaration.
struct DemoFolder {
    /// What the settings name the key-encrypting key's variable.
    private static let keyVariable = "TRIBUTARY_KEY"

    private let url: URL
    /// The variables that its gateway needs: the user's own without Tributary's, and the demonstration's.
    let environment: [String: String]

    /// Makes the folder, readable by nobody else.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be made.
    init() throws(CommandFailure) {
        let name = "tributary-demo-" + String(UInt64.random(in: .min ... .max), radix: 36)
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRIBUTARY_") }
        environment[Self.keyVariable] = Keyring.makeKey().reveal()
        for psp in DemoPSP.allCases { environment[psp.variable] = psp.key }
        self.environment = environment
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unusable("the folder \(url.path) cannot be made")
        }
    }

    /// Removes the folder with all it holds.
    func remove() { try? FileManager.default.removeItem(at: url) }

    /// Where its gateway's settings are.
    var settingsPath: String { url.appendingPathComponent("tributary.yaml").path }

    /// The variables as its gateway sees them, and the files.
    var surroundings: Surroundings {
        Surroundings(environment: environment, readFile: Surroundings.process.readFile)
    }

    /// The database, for commands beside the gateway.
    var settings: ServerSettings {
        var settings = ServerSettings()
        settings.database = .sqlite(path: databasePath)
        return settings
    }

    /// Writes the settings: times short enough to watch.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    func writeSettings() throws(CommandFailure) {
        let text = """
            log_level: error
            database: { url: \(JSON.string("sqlite:" + databasePath).text) }
            timings:
              psp_timeout: 3s
              psp_connect_timeout: 1s
              lease: 34s
              unknown_schedule: [300ms, 1s, 2s]
              poll: 50ms
            keyring: { current: k1, keys: { k1: "env:\(Self.keyVariable)" } }

            """
        guard FileManager.default.createFile(atPath: settingsPath, contents: Data(text.utf8)) else {
            throw .unusable("the file \(settingsPath) cannot be written")
        }
    }

    /// What `tributary apply` would be given.
    static func declaration(_ addresses: [DemoPSP: String]) throws(InvalidConfiguration) -> Declaration {
        let accounts = DemoPSP.allCases.map { psp in
            """
              - id: \(psp.rawValue)
                psp: simulator
                base_url: "\(addresses[psp] ?? "")"
                credentials: { api_key: "env:\(psp.variable)" }
            """
        }
        let text = """
            marketplace: { id: travel, name: Travel Now }
            psp_accounts:
            \(accounts.joined(separator: "\n"))
            merchants:
              - external_identifier: airline-1
                name: Skyways
                routes: [{ psp_account: alpha }]
                commission: { basis_points: 1000, fixed: { USD: 30 } }
              - external_identifier: hotel-7
                name: Grand Hotel
                routes: [{ psp_account: beta }]
                commission: { basis_points: 1250 }
              - external_identifier: travel
                name: Travel Now
                kind: marketplace
                routes: [{ psp_account: alpha }]
            """
        return try Declaration.parse(text, file: "the demonstration's declaration")
    }

    /// Where the database is.
    var databasePath: String { url.appendingPathComponent("tributary.sqlite").path }
}
