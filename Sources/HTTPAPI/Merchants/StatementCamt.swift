package import Domain
import Storage

/// Writes a statement as camt.053.001.08 (ISO 20022): the merchant's balance at the marketplace as an account at a bank.
///
/// What PSPs pay the merchant directly is no part of the balance, so movements of nothing else are left out. Source: ISO
/// 20022 message definition report "Bank-to-Customer Cash Management", and its external code sets of June 2025.
package enum StatementCamt {
    /// The namespace of the message.
    private static let namespace = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"

    /// The file.
    package static func text(_ paper: StatementPaper, _ lines: [StatementLine]) -> String {
        var xml = XMLWriter()
        xml.element("Document", with: (name: "xmlns", value: namespace)) { xml in
            xml.element("BkToCstmrStmt") { xml in
                xml.element("GrpHdr") { xml in
                    xml.element("MsgId", "\(tail(paper))-\(paper.madeAt.microseconds)", limit: 35)
                    xml.element("CreDtTm", paper.calendar.text(of: paper.madeAt))
                }
                xml.element("Stmt") { xml in write(paper, lines.filter { $0.amounts.net != 0 }, &xml) }
            }
        }
        return xml.text
    }

    private static func write(_ paper: StatementPaper, _ lines: [StatementLine], _ xml: inout XMLWriter) {
        let statement = paper.statement
        xml.element("Id", identifier(paper), limit: 35)
        xml.element("CreDtTm", paper.calendar.text(of: paper.madeAt))
        xml.element("FrToDt") { xml in
            xml.element("FrDtTm", paper.calendar.text(of: statement.scope.from))
            xml.element("ToDtTm", paper.calendar.text(of: statement.scope.to))
        }
        write(account: paper, &xml)
        balance("OPBD", statement.opening, on: paper.days.lowerBound, paper, &xml)
        balance("CLBD", statement.closing, on: paper.days.upperBound, paper, &xml)
        summary(paper, lines, &xml)
        for line in lines { entry(line, paper, &xml) }
    }

    private static func write(account paper: StatementPaper, _ xml: inout XMLWriter) {
        xml.element("Acct") { xml in
            xml.element("Id") { xml in
                xml.element("Othr") { xml in xml.element("Id", paper.merchant.id.text, limit: 34) }
            }
            xml.element("Ccy", paper.currency.code)
            xml.element("Nm", paper.merchant.name, limit: 70)
            xml.element("Ownr") { xml in
                xml.element("Nm", paper.merchant.profile.legal?.name ?? paper.merchant.name, limit: 140)
                if paper.merchant.externalIdentifier.utf8.count <= 35 {
                    xml.element("Id") { xml in
                        xml.element("OrgId") { xml in
                            xml.element("Othr") { xml in xml.element("Id", paper.merchant.externalIdentifier) }
                        }
                    }
                }
            }
            xml.element("Svcr") { xml in
                xml.element("FinInstnId") { xml in
                    xml.element("Nm", paper.marketplace.profile.legal?.name ?? paper.marketplace.name, limit: 140)
                }
            }
        }
    }

    private static func balance(
        _ code: String,
        _ amount: Int64,
        on day: CalendarDay,
        _ paper: StatementPaper,
        _ xml: inout XMLWriter
    ) {
        xml.element("Bal") { xml in
            xml.element("Tp") { xml in xml.element("CdOrPrtry") { xml in xml.element("Cd", code) } }
            write(amount, paper, &xml)
            xml.element("Dt") { xml in xml.element("Dt", day.description) }
        }
    }

    private static func summary(_ paper: StatementPaper, _ lines: [StatementLine], _ xml: inout XMLWriter) {
        let credits = lines.filter { $0.amounts.net > 0 }.map(\.amounts.net)
        let debits = lines.filter { $0.amounts.net < 0 }.map { -$0.amounts.net }
        let (credited, debited) = (credits.reduce(0, +), debits.reduce(0, +))
        xml.element("TxsSummry") { xml in
            xml.element("TtlNtries") { xml in
                xml.element("NbOfNtries", "\(lines.count)")
                xml.element("Sum", paper.currency.decimal(credited + debited))
                xml.element("TtlNetNtry") { xml in
                    xml.element("Amt", paper.currency.decimal(abs(credited - debited)))
                    xml.element("CdtDbtInd", direction(credited - debited))
                }
            }
            xml.element("TtlCdtNtries") { xml in
                xml.element("NbOfNtries", "\(credits.count)")
                xml.element("Sum", paper.currency.decimal(credited))
            }
            xml.element("TtlDbtNtries") { xml in
                xml.element("NbOfNtries", "\(debits.count)")
                xml.element("Sum", paper.currency.decimal(debited))
            }
        }
    }

    private static func entry(_ line: StatementLine, _ paper: StatementPaper, _ xml: inout XMLWriter) {
        let net = line.amounts.net
        xml.element("Ntry") { xml in
            xml.element("NtryRef", line.entry.text, limit: 35)
            write(net, paper, &xml)
            xml.element("Sts") { xml in xml.element("Cd", "BOOK") }
            xml.element("BookgDt") { xml in xml.element("Dt", paper.calendar.day(of: line.at).description) }
            if let paidAt = line.paidAt {
                xml.element("ValDt") { xml in xml.element("Dt", paper.calendar.day(of: paidAt).description) }
            }
            xml.element("AcctSvcrRef", line.entry.text, limit: 35)
            code(line, &xml)
            xml.element("NtryDtls") { xml in
                xml.element("TxDtls") { xml in
                    references(line, &xml)
                    write(net, paper, &xml)
                    remittance(line, &xml)
                }
            }
            xml.element("AddtlNtryInf", breakdown(line, in: paper.currency))
        }
    }

    private static func code(_ line: StatementLine, _ xml: inout XMLWriter) {
        let (family, subfamily) = family(of: line)
        xml.element("BkTxCd") { xml in
            xml.element("Domn") { xml in
                xml.element("Cd", "PMNT")
                xml.element("Fmly") { xml in
                    xml.element("Cd", family)
                    xml.element("SubFmlyCd", subfamily)
                }
            }
            xml.element("Prtry") { xml in
                xml.element("Cd", line.kind.rawValue, limit: 35)
                xml.element("Issr", "tributary")
            }
        }
    }

    /// The family and subfamily of ISO 20022's bank transaction codes; all are payments.
    private static func family(of line: StatementLine) -> (String, String) {
        switch line.kind {
        case .capture: ("MCRD", "POSC")
        case .refund: ("MCRD", "RIMB")
        case .chargeback: ("MCRD", "UPCT")
        case .pspFees, .disputeFee: ("MCRD", "FEES")
        case .payout: ("ICDT", "OTHR")
        case .payoutReversal: ("ICDT", "RRTN")
        default: ("MCRD", line.amounts.net > 0 ? "CAJT" : "DAJT")
        }
    }

    private static func references(_ line: StatementLine, _ xml: inout XMLWriter) {
        let own = line.reference.flatMap { $0.utf8.count <= 35 ? $0 : nil }
        let ids = [
            ("ORDER", line.order?.text), ("REFUND", line.refund?.text), ("DISPUTE", line.dispute?.text),
            ("PSP", line.pspReference.flatMap { $0.utf8.count <= 35 ? $0 : nil }),
        ]
        xml.element("Refs") { xml in
            xml.element("AcctSvcrRef", line.entry.text, limit: 35)
            xml.element("EndToEndId", own ?? "NOTPROVIDED", limit: 35)
            if let id = line.payment?.text ?? line.payout?.text { xml.element("TxId", id, limit: 35) }
            for (type, reference) in ids {
                guard let reference else { continue }
                xml.element("Prtry") { xml in
                    xml.element("Tp", type)
                    xml.element("Ref", reference, limit: 35)
                }
            }
        }
    }

    /// References that are longer than the message has room for elsewhere.
    private static func remittance(_ line: StatementLine, _ xml: inout XMLWriter) {
        let long = [line.reference, line.pspReference].compactMap(\.self).filter { $0.utf8.count > 35 }
        guard !long.isEmpty else { return }
        xml.element("RmtInf") { xml in
            for text in long { xml.element("Ustrd", text, limit: 140) }
        }
    }

    /// What the amount is made of: `gross 300.00, commission -30.30`.
    private static func breakdown(_ line: StatementLine, in currency: Currency) -> String {
        StatementItem.allCases.compactMap { item in
            line.amounts.balance[item].map { "\(item.rawValue) \(currency.decimal($0))" }
        }.joined(separator: ", ")
    }

    private static func write(_ amount: Int64, _ paper: StatementPaper, _ xml: inout XMLWriter) {
        xml.element("Amt", with: (name: "Ccy", value: paper.currency.code), paper.currency.decimal(abs(amount)))
        xml.element("CdtDbtInd", direction(amount))
    }

    private static func direction(_ amount: Int64) -> String { amount < 0 ? "DBIT" : "CRDT" }

    /// The statement's name, of at most 35 characters: currency, first and last day, and the end of the merchant's id.
    private static func identifier(_ paper: StatementPaper) -> String {
        func digits(_ day: CalendarDay) -> String {
            String(day.description.unicodeScalars.filter { $0 != "-" }.map(Character.init))
        }
        return "\(paper.currency)-\(digits(paper.days.lowerBound))-\(digits(paper.days.upperBound))-\(tail(paper))"
    }

    private static func tail(_ paper: StatementPaper) -> String { String(paper.merchant.id.text.suffix(13)) }
}
