import Foundation

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
