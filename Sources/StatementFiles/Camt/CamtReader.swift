/// Reads camt.052, camt.053 and camt.054 (ISO 20022), versions 1 to 13, alone or in an envelope.
package final class CamtReader: BankReader {
    private let xml = XMLReader()

    /// Makes a reader at the beginning of a file.
    package init() {}

    /// Reads on.
    package func read(_ chunk: ArraySlice<UInt8>) throws(BankProblem) -> [BankItem] { try xml.read(chunk) }

    /// Ends the reading.
    package func finish() throws(BankProblem) -> (items: [BankItem], trailer: BankTrailer) {
        let items = try xml.read([], isFinal: true)
        do throws(BankProblem) {
            return (items, try xml.document.trailer())
        } catch {
            xml.fail(error)
            throw error
        }
    }

    /// Whether a file that begins with these bytes is ISO 20022's, of whatever message.
    ///
    /// UTF-16 is looked at without its zero bytes.
    static func recognises(_ head: [UInt8]) -> Bool {
        let text = head.filter { $0 != 0 }
        guard FileAppearance.startsLikeXML(text) else { return false }
        return text.firstRange(of: Array((CamtMessage.namespacePrefix + "camt.").utf8)) != nil
    }
}
