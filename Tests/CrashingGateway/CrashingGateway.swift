import Foundation
import PostgresDatabase
import SQL
import SQLiteDatabase

/// A gateway that places one order, dies where it is told to, and else ends once the order is at rest; or a deliverer
/// of callbacks that does the same.
///
/// Its only argument is a JSON document, ``Instructions``; or there are two, `deliver` and ``DeliveryInstructions``. It
/// writes the checkout's answer to standard output.
@main
enum CrashingGateway {
    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            let document = arguments.last ?? ""
            if arguments.first == "deliver" {
                let instructions = try DeliveryInstructions(text: document)
                Lifeline.hold()
                try await OneDelivery(instructions).run()
            } else {
                let instructions = try Instructions(text: document)
                Lifeline.hold()
                try await OneOrder(instructions).run()
            }
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// Standard input, held open by whoever started the program.
enum Lifeline {
    /// The program does not outlive whoever holds the other end.
    static func hold() {
        Thread.detachNewThread {
            while readLine(strippingNewline: false) != nil {}
            exit(3)
        }
    }
}

/// Opens the database that the instructions name.
enum OpenedDatabase {
    /// A file, which then belongs to this process alone, or a server's database over two connections.
    ///
    /// - Throws: `SQLError`, or `SQLiteFileInUse`.
    static func open(_ location: String) throws -> any Database {
        let sqlite = "sqlite:"
        guard location.hasPrefix(sqlite) else { return try PostgresDatabase(url: location, connections: 2) }
        let file = try SQLiteDatabase(path: String(location.dropFirst(sqlite.count)))
        try file.lockExclusively()
        return file
    }
}
