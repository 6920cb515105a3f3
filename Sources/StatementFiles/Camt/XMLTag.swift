/// The elements of camt.052, .053 and .054 that are read; the others are passed over with all that is in them.
///
/// The raw value is the element's local name.
enum XMLTag: String, CaseIterable {
    /// The attribute `Ccy`, kept like a child element.
    case currencyAttribute = "@Ccy"
    case account = "Acct"
    case accountOwnerTransaction = "AcctOwnrTxId"
    case accountServicerReference = "AcctSvcrRef"
    case accountServicerTransaction = "AcctSvcrTxId"
    case additionalEntry = "AddtlNtryInf"
    case additionalNotification = "AddtlNtfctnInf"
    case additionalRemittance = "AddtlRmtInf"
    case additionalReport = "AddtlRptInf"
    case additionalStatement = "AddtlStmtInf"
    case additionalTransaction = "AddtlTxInf"
    case agent = "Agt"
    case amount = "Amt"
    case amountDetails = "AmtDtls"
    case anyBIC = "AnyBIC"
    case balance = "Bal"
    case batch = "Btch"
    case bban = "BBAN"
    case bic = "BIC"
    case bicfi = "BICFI"
    case bicOrBEI = "BICOrBEI"
    case bookingDate = "BookgDt"
    case bankTransactionCode = "BkTxCd"
    case charges = "Chrgs"
    case chargeIncluded = "ChrgInclInd"
    case chequeNumber = "ChqNb"
    case clearingReference = "ClrSysRef"
    case clearingMember = "ClrSysMmbId"
    case code = "Cd"
    case codeOrProprietary = "CdOrPrtry"
    case copyDuplicate = "CpyDplctInd"
    case countervalue = "CntrValAmt"
    case created = "CreDtTm"
    case creditDebit = "CdtDbtInd"
    case creditor = "Cdtr"
    case creditorAccount = "CdtrAcct"
    case creditorAgent = "CdtrAgt"
    case creditorReference = "CdtrRefInf"
    case creditorScheme = "CdtrSchmeId"
    case currency = "Ccy"
    case date = "Dt"
    case dateTime = "DtTm"
    case debtor = "Dbtr"
    case debtorAccount = "DbtrAcct"
    case debtorAgent = "DbtrAgt"
    case domain = "Domn"
    case electronicSequence = "ElctrncSeqNb"
    case endToEnd = "EndToEndId"
    case entry = "Ntry"
    case entryDetails = "NtryDtls"
    case entryReference = "NtryRef"
    case exchange = "CcyXchg"
    case exchangeRate = "XchgRate"
    case family = "Fmly"
    case financialInstitution = "FinInstnId"
    case from = "FrDtTm"
    case fromDate = "FrDt"
    case groupHeader = "GrpHdr"
    case iban = "IBAN"
    case identifier = "Id"
    case identifiedAmount = "InstdAmt"
    case instruction = "InstrId"
    case issuer = "Issr"
    case isLastPage = "LastPgInd"
    case legalSequence = "LglSeqNb"
    case mandate = "MndtId"
    case marketTransaction = "MktInfrstrctrTxId"
    case member = "MmbId"
    case message = "MsgId"
    case messagePages = "MsgPgntn"
    case name = "Nm"
    case nameAndAddress = "NmAndAdr"
    case netAmount = "TtlNetNtryAmt"
    case netEntry = "TtlNetNtry"
    case notification = "Ntfctn"
    case notificationPages = "NtfctnPgntn"
    case number = "Nb"
    case numberOfEntries = "NbOfNtries"
    case numberOfTransactions = "NbOfTxs"
    case other = "Othr"
    case owner = "Ownr"
    case page = "PgNb"
    case party = "Pty"
    case paymentInformation = "PmtInfId"
    case period = "FrToDt"
    case processing = "PrcgId"
    case proprietary = "Prtry"
    case proprietaryAccount = "PrtryAcct"
    case purpose = "Purp"
    case reason = "Rsn"
    case record = "Rcrd"
    case reference = "Ref"
    case references = "Refs"
    case referredDocument = "RfrdDocInf"
    case relatedAgents = "RltdAgts"
    case relatedParties = "RltdPties"
    case remittance = "RmtInf"
    case report = "Rpt"
    case reportPages = "RptPgntn"
    case returnInformation = "RtrInf"
    case reversal = "RvslInd"
    case scheme = "SchmeNm"
    case servicer = "Svcr"
    case statement = "Stmt"
    case statementPages = "StmtPgntn"
    case status = "Sts"
    case structured = "Strd"
    case subfamily = "SubFmlyCd"
    case subtype = "SubTp"
    case sum = "Sum"
    case to = "ToDtTm"
    case toDate = "ToDt"
    case totalAmount = "TtlAmt"
    case totalCredits = "TtlCdtNtries"
    case totalDebits = "TtlDbtNtries"
    case totalEntries = "TtlNtries"
    case transaction = "TxId"
    case transactionAmount = "TxAmt"
    case transactionDetails = "TxDtls"
    case transactionSummary = "TxsSummry"
    case type = "Tp"
    case uetr = "UETR"
    case ultimateCreditor = "UltmtCdtr"
    case ultimateDebtor = "UltmtDbtr"
    case unstructured = "Ustrd"
    case upic = "UPIC"
    case valueDate = "ValDt"
}

/// Finds an element by the bytes of its local name, without making text of them.
struct XMLTagTable {
    private static let slotCount = 1_024

    private var hashes = [UInt64](repeating: 0, count: slotCount)
    private var tags = [XMLTag?](repeating: nil, count: slotCount)

    init() {
        for tag in XMLTag.allCases where tag != .currencyAttribute {
            let name = Array(tag.rawValue.utf8)
            let hash = Self.hash(name.span)
            var slot = Int(hash % UInt64(Self.slotCount))
            while tags[slot] != nil { slot = (slot + 1) % Self.slotCount }
            hashes[slot] = hash
            tags[slot] = tag
        }
    }

    func tag(_ name: borrowing Span<UInt8>) -> XMLTag? {
        let hash = Self.hash(name)
        var slot = Int(hash % UInt64(Self.slotCount))
        while let tag = tags[slot] {
            if hashes[slot] == hash { return tag }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    /// FNV-1a with 64 bits: no two of the names collide, and a name that is none of them collides with none by chance.
    private static func hash(_ name: borrowing Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
