/// One line of a PSP's settlement report.
///
/// Positive amounts raise our balance at the PSP, negative ones lower it. ``fee`` alone counts the other way round:
/// positive is what the PSP took, negative what it gave back, so that net = gross − fee. A line whose kind is
/// ``SettlementKind/fee`` is itself a fee: what it takes is its negative ``net``, wherever the report puts the amount.
public struct SettlementLine: Hashable, Sendable {
    /// Where it stands: in a table the row, the header being row 1; in pages the entry, the first being 1.
    public var row: Int
    /// What it is about.
    public var kind: SettlementKind
    /// The PSP's own word for that.
    public var type: String
    /// What it says in words and names.
    package internal(set) var texts = LineTexts()
    /// Our attempt, if the report repeats it.
    public var attempt: AttemptID?
    /// Our operation, if the report repeats it.
    public var operation: OperationID?
    /// What the buyer paid or got back, where the report tells it apart from ``gross``: in the payment's currency.
    ///
    /// A payment of ours is compared with this, and with ``gross`` where it is absent.
    public var presentment: SettlementAmount?
    /// The amount before fees, in the currency that the report gives it in.
    public var gross: SettlementAmount?
    /// What the PSP took of it (positive), in the currency that is settled.
    public var fee: SettlementAmount?
    /// What the balance changed by, in the currency that is settled; nil if the report does not say.
    public var net: SettlementAmount?
    /// When it happened.
    public var occurredOn: SettlementDate?
    /// When it was booked, became available, or was settled.
    public var bookedOn: SettlementDate?
    /// When it was paid out.
    public var paidOn: SettlementDate?

    /// Makes a line of which nothing but its place and kind is known.
    public init(row: Int, kind: SettlementKind, type: String) {
        self.row = row
        self.kind = kind
        self.type = type
    }

    /// What is left of the net amount over gross − fee: zero in a line that adds up.
    ///
    /// Nil if the amounts are not all there, not of one currency, or too large to compare.
    public var discrepancy: SettlementAmount? {
        guard let gross, let net else { return nil }
        let expected = try? gross.subtracting(fee ?? .zero(gross.currency))
        return expected.flatMap { try? net.subtracting($0) }
    }
}

/// What a line of a settlement report is about.
public enum SettlementKind: String, Hashable, Sendable, CaseIterable {
    /// Money taken from a buyer, or the part of it that was not captured after all (negative).
    case payment
    /// Money given back to a buyer, or given back to us because the refund failed (positive).
    case refund
    /// Money taken back by a dispute.
    case chargeback
    /// Money given back after a dispute.
    case chargebackReversal = "chargeback_reversal"
    /// The platform's share of a payment, or its return: Stripe's and Square's application fees.
    case commission
    /// What the PSP, a scheme or a tax office takes, apart from the fee of a payment's own line.
    case fee
    /// A correction, a top-up, or a balance carried over.
    case adjustment
    /// Money sent to a bank account (negative), or come back from it.
    case payout
    /// Money held back (negative) or released.
    case reserve
    /// Everything else, and every type we do not know.
    case other

    /// Whether our books expect such lines.
    package var isEffect: Bool {
        switch self {
        case .payment, .refund, .chargeback, .chargebackReversal: true
        case .commission, .fee, .adjustment, .payout, .reserve, .other: false
        }
    }
}

/// What a line says in words and names, each of which a report may lack.
extension SettlementLine {
    /// Which text.
    public enum Text: Int, Hashable, Sendable, CaseIterable {
        /// ``SettlementLine/account``.
        case account
        /// ``SettlementLine/submerchant``.
        case submerchant
        /// ``SettlementLine/reference``.
        case reference
        /// ``SettlementLine/paymentReference``.
        case paymentReference
        /// ``SettlementLine/objectReference``.
        case objectReference
        /// ``SettlementLine/entryReference``.
        case entryReference
        /// ``SettlementLine/batch``.
        case batch
        /// ``SettlementLine/exchangeRate``.
        case exchangeRate
    }

    /// Sets a text to bytes, which have to be UTF-8, without a copy between.
    public mutating func write(_ text: Text, utf8: ArraySlice<UInt8>) { texts.write(text, utf8) }

    /// Whether a text is there.
    public func has(_ text: Text) -> Bool { texts.range(of: text) != nil }

    /// The PSP's account that the money belongs to, as the report names it.
    public var account: String? {
        get { texts[.account] }
        set { texts[.account] = newValue }
    }

    /// The merchant below that account, as the report or our reference names it.
    public var submerchant: String? {
        get { texts[.submerchant] }
        set { texts[.submerchant] = newValue }
    }

    /// The reference that we gave the PSP, as the report repeats it.
    public var reference: String? {
        get { texts[.reference] }
        set { texts[.reference] = newValue }
    }

    /// The PSP's name of the payment.
    public var paymentReference: String? {
        get { texts[.paymentReference] }
        set { texts[.paymentReference] = newValue }
    }

    /// The PSP's name of the capture, refund or dispute that moved the money.
    public var objectReference: String? {
        get { texts[.objectReference] }
        set { texts[.objectReference] = newValue }
    }

    /// The PSP's name of this very line, if it has one: unique over all its reports.
    public var entryReference: String? {
        get { texts[.entryReference] }
        set { texts[.entryReference] = newValue }
    }

    /// The payout or batch that the line is part of.
    public var batch: String? {
        get { texts[.batch] }
        set { texts[.batch] = newValue }
    }

    /// The exchange rate as the report writes it; what it is from and to is the PSP's matter.
    public var exchangeRate: String? {
        get { texts[.exchangeRate] }
        set { texts[.exchangeRate] = newValue }
    }
}

/// The texts of a settlement line, in one stretch of memory: a report has half a dozen in every row.
package struct LineTexts: Hashable, Sendable {
    /// Where a text stands; nowhere if its length is below zero.
    private struct Place {
        var start: Int32 = 0
        var length: Int32 = -1
    }

    /// How much is made room for at once, in bytes; most lines need no more.
    private static let usualBytes = 192

    /// What the texts stand in, in UTF-8; some of it may mean nothing any more.
    package private(set) var bytes: [UInt8] = []
    private var places = InlineArray<8, Place>(repeating: Place())

    /// No texts.
    init() {}

    /// Where a text stands in ``bytes``; nil if there is none.
    package func range(of text: SettlementLine.Text) -> Range<Int>? {
        let place = places[text.rawValue]
        guard place.length >= 0 else { return nil }
        return Int(place.start)..<Int(place.start + place.length)
    }

    /// A text; nil if there is none.
    subscript(text: SettlementLine.Text) -> String? {
        get { range(of: text).map { String(decoding: bytes[$0], as: UTF8.self).withBoundedRuns } }
        set {
            if let newValue { write(text, newValue.utf8) } else { places[text.rawValue] = Place() }
        }
    }

    /// Writes a text, which has to be UTF-8.
    mutating func write(_ text: SettlementLine.Text, _ utf8: some Collection<UInt8>) {
        let start = bytes.count
        if bytes.isEmpty { bytes.reserveCapacity(Self.usualBytes) }
        bytes.append(contentsOf: utf8)
        places[text.rawValue] = Place(start: Int32(start), length: Int32(bytes.count - start))
    }

    private func content(of text: SettlementLine.Text) -> ArraySlice<UInt8>? { range(of: text).map { bytes[$0] } }

    /// Texts are equal if each is; where they stand does not matter.
    package static func == (left: LineTexts, right: LineTexts) -> Bool {
        SettlementLine.Text.allCases.allSatisfy { left.content(of: $0) == right.content(of: $0) }
    }

    /// Hashes each text.
    package func hash(into hasher: inout Hasher) {
        for text in SettlementLine.Text.allCases { hasher.combine(content(of: text)) }
    }
}
