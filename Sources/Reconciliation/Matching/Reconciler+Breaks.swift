import Domain

/// Saying what differs.
extension Reconciler {
    /// The most lines that a break lists.
    static let lineLimit = 100

    /// Reports lines that belong to expectations and differ from them.
    func report(_ type: BreakType, _ lines: [LineRecord], _ expectations: [ExpectationRecord]) {
        guard let line = lines.first, let expectation = expectations.first else { return }
        let isOfMoney = !BreakText.leavesMatched.contains(type)
        if isOfMoney { for line in lines { tallies.add(line.header, .broken) } }
        let ours = expectations.reduce(0) { $0 + $1.trillionths }
        let isComparable = lines.allSatisfy { $0.header.currency == expectation.header.currency }
        let theirs = lines.reduce(0) { $0 + $1.header.trillionths }
        let shownTheirs =
            isComparable
            ? Scale.amount(theirs, expectation.currency).description
            : lines.map { Scale.amount($0.header.trillionths, $0.currency).description }.joined(separator: " + ")
        let text = BreakText.of(
            type,
            theirs: shownTheirs,
            ours: Scale.amount(ours, expectation.currency).description,
            line: line,
            expectation: expectation
        )
        let amount =
            switch (isOfMoney, isComparable) {
            case (false, _): Int64(0)
            case (true, true): Scale.minorUnits(theirs - ours, expectation.currency)
            case (true, false): Scale.minorUnits(-ours, expectation.currency)
            }
        add(type, lines, expectation, currency: expectation.currency, amount: amount, text)
    }

    /// Reports a line that tells again what another tells.
    func report(
        _ line: LineRecord,
        repeating first: LineRecord,
        _ expectation: ExpectationRecord?
    ) throws(ReconciliationFailure) {
        tallies.add(line.header, .broken)
        try batches.add(repeated: line, seed: accounts.seeds[Int(line.header.account)])
        let amount = Scale.amount(line.header.trillionths, line.currency)
        let what = line.text(line.entry).map { "The entry \($0)" } ?? "The movement"
        add(
            .duplicateLine,
            [line, first],
            expectation,
            currency: line.currency,
            amount: Self.amount(.duplicateLine, line),
            (
                "\(what) of \(amount) is reported again.",
                "Ask the PSP whether the money moved twice; if not, the line is the report's error."
            )
        )
    }

    /// Reports a fee that does not fit.
    func reportFee(_ line: LineRecord, _ expectation: ExpectationRecord?) {
        guard let note = line.text(line.note), let parts = FeeCheck.parts(of: note) else { return }
        add(
            .feeMismatch,
            [line],
            expectation,
            currency: parts.currency,
            amount: parts.difference,
            (parts.sentence, "Compare the fee with the PSP's contract, and claim the difference.")
        )
    }

    /// Reports commissions that are not the frozen ones.
    func reportSplit(_ lines: [LineRecord], _ expectations: [ExpectationRecord], excess: Int128) {
        guard let expectation = expectations.first else { return }
        for line in lines { tallies.add(line.header, .broken) }
        let frozen = expectations.reduce(0) { $0 + $1.commissionTrillionths }
        let ours = Scale.amount(frozen, expectation.currency)
        let theirs = Scale.amount(frozen + excess, expectation.currency)
        add(
            .splitMismatch,
            lines,
            expectation,
            currency: expectation.currency,
            amount: Scale.minorUnits(excess, expectation.currency),
            (
                "The PSP kept a commission of \(theirs) for us where \(ours) was frozen.",
                "Correct the commission at the PSP, or settle the difference with the merchant."
            )
        )
    }

    /// Reports an expectation that no line confirms.
    func reportUnmatched(_ expectation: ExpectationRecord, day: CalendarDay, ageDays: Int64, isMissing: Bool) {
        let amount = Scale.amount(expectation.trillionths, expectation.currency)
        add(
            isMissing ? .missingAtPSP : .late,
            [],
            expectation,
            currency: expectation.currency,
            amount: expectation.header.amount,
            (
                "The \(expectation.header.expectationKind.rawValue) of \(amount) of \(day) is in no report, "
                    + "\(ageDays) days later.",
                isMissing
                    ? "Ask the PSP what became of it: one that is voided before it settles is in no report. Import the "
                        + "reports that are missing."
                    : "Import the next reports; it becomes missing if they do not have it."
            )
        )
    }

    /// Reports a line for which there is no expectation.
    func report(_ type: BreakType, _ line: LineRecord, _ known: PaymentMatchCandidate?, _ text: BreakText.Sentences) {
        tallies.add(line.header, .broken)
        var finding = make(
            type,
            [line],
            nil,
            currency: line.header.has(LineHeader.hasAmount) ? line.currency : nil,
            amount: line.header.has(LineHeader.hasAmount) ? Self.amount(type, line) : 0,
            text
        )
        finding.merchant = known?.merchant
        finding.order = known?.order
        finding.payment = known?.payment
        findings.add(finding)
    }

    /// What a line moved that nothing of ours explains: as it is compared; or of one that tells again what another tells, net,
    /// where it says so in that currency, because the PSP's fee of it is posted no more than the rest.
    private static func amount(_ type: BreakType, _ line: LineRecord) -> Int64 {
        let isNet =
            type == .duplicateLine && line.header.has(LineHeader.hasNet)
            && line.header.netCurrency == line.header.currency
        return Scale.minorUnits(isNet ? line.header.netTrillionths : line.header.trillionths, line.currency)
    }

    // MARK: One break

    private func add(
        _ type: BreakType,
        _ lines: [LineRecord],
        _ expectation: ExpectationRecord?,
        currency: Currency?,
        amount: Int64,
        _ text: BreakText.Sentences
    ) {
        findings.add(make(type, lines, expectation, currency: currency, amount: amount, text))
    }

    private func make(
        _ type: BreakType,
        _ lines: [LineRecord],
        _ expectation: ExpectationRecord?,
        currency: Currency?,
        amount: Int64,
        _ text: BreakText.Sentences
    ) -> Break {
        let account = lines.first?.header.account ?? expectation?.header.account
        let name = account.map { accounts.names[Int($0)] }
        let owner = expectation?.owner
        let moment = expectation.map { Timestamp(microseconds: $0.header.at) }
        let day = lines.first?.day ?? moment.map { scope.calendar.day(of: $0) }
        return Break(
            type: type,
            key: key(type, lines, expectation, name),
            currency: currency,
            amount: amount,
            day: day?.description,
            psp: name?.psp,
            pspAccount: name?.account,
            merchant: owner?.merchant,
            order: owner?.order,
            payment: owner?.payment,
            subject: expectation?.identity,
            lines: lines.prefix(Self.lineLimit).map { place(of: $0) },
            explanation: text.explanation,
            suggestion: text.suggestion
        )
    }

    /// What it is about: the expectation, or the line by the PSP's name of it, else by its place.
    ///
    /// Of lines that repeat one another the place tells one from the next, of a dispute that took several times the number.
    private func key(
        _ type: BreakType,
        _ lines: [LineRecord],
        _ expectation: ExpectationRecord?,
        _ account: PSPAccountName?
    ) -> String {
        let prefix = "\(type.rawValue)/\(account?.description ?? "")/"
        let isOfOneLine = [.duplicateLine, .feeMismatch, .wrongMerchantAccount, .referenceMismatch].contains(type)
        if !isOfOneLine, let expectation {
            let reversal = expectation.header.subjectKind == 2 ? "/reversal" : ""
            let key = prefix + expectation.subjectText + reversal + (expectation.header.isReturn ? "/return" : "")
            guard expectation.header.subjectKind != 0 else { return key }
            disputeKeys[key, default: 0] += 1
            return disputeKeys[key].map { $0 > 1 ? "\(key)/\($0)" : key } ?? key
        }
        guard let line = lines.first else { return prefix }
        if type != .duplicateLine, let entry = line.text(line.entry) { return prefix + entry }
        let place = place(of: line)
        return prefix + "\(place.file)/\(place.member)/\(place.row)"
    }
}

/// The sentences of breaks.
enum BreakText {
    /// What differs, and what would fix it.
    typealias Sentences = (explanation: String, suggestion: String)

    /// The breaks of lines whose money is confirmed all the same.
    static let leavesMatched: Set<BreakType> = [.wrongMerchantAccount, .referenceMismatch]

    static func of(
        _ type: BreakType,
        theirs: String,
        ours: String,
        line: LineRecord,
        expectation: ExpectationRecord
    ) -> Sentences {
        switch type {
        case .currencyMismatch:
            (
                "The PSP reports \(theirs) where we have \(ours).",
                "Compare the currency of the request with the PSP account's settings."
            )
        case .directionMismatch:
            (
                "The PSP reports \(theirs) where we have \(ours): the money goes the other way.",
                "Ask the PSP whether it took what it should have given."
            )
        case .roundingResidue:
            ("The PSP reports \(theirs) where we have \(ours): no more than rounding.", "Write the residue off.")
        case .wrongMerchantAccount:
            (
                "The line is of the account \(line.text(line.merchantAccount) ?? "–"), the payment's route of "
                    + "\(expectation.text(expectation.merchantAccount) ?? "–").",
                "Find out which merchant was paid, and move the money if it was the wrong one."
            )
        case .referenceMismatch:
            (
                "The line names \(line.attemptID?.text ?? line.text(line.reference) ?? "–") where we have "
                    + "\(expectation.owner.attempt).",
                "The money is right; find out who changed the reference at the PSP."
            )
        default:
            (
                "The PSP reports \(theirs) where we have \(ours).",
                "Ask the PSP for the difference, or correct our books by a refund or an adjustment."
            )
        }
    }
}
