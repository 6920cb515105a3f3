/// Small messages to be changed.
enum MTMessageText {
    /// A statement that goes from 100.00 to where its entries lead.
    static func statement(_ entries: String, closing: String) -> String {
        """
        :20:REF-1
        :25:DE02120300000000202051
        :28C:7/1
        :60F:C261120EUR100,00
        \(entries)
        :62F:\(closing)
        :64:C261120EUR90,00
        -

        """
    }

    /// SWIFT's blocks around a message.
    static func inBlocks(_ text: String, type: String = "940") -> String {
        "{1:F01BANKDEFFAXXX0000000000}{2:O\(type)1200261120BANKDEFFAXXX00000000002611201200N}{4:\n"
            + text.replacing("\n-\n", with: "\n-}{5:{CHK:123456789ABC}}\n")
    }

    /// An MT942.
    static let report = """
        :20:INTRADAY
        :25:DE02120300000000202051
        :28C:1/1
        :34F:EURD0,00
        :13D:2611201030+0100
        :61:2611201120C3,50NTRFE2E-1//BANK-1
        :86:/EREF/E2E-1/CNTP/NL71RABO0123456789/RABONL2U/A. Buyer///REMI/USTD//Order 7/
        :61:2611201120ED1,25NTRFNONREF
        :90D:1EUR1,25
        :90C:1EUR3,50
        -

        """
}
