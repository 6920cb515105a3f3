import StrictJSON

/// What became of payments.
struct SquareInquiries: Sendable {
    let document: SquareDocument

    /// `GET /v2/payments/{payment_id}`.
    func payment(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        guard let id = SquareName.bookName(payment: request.parameter("payment")) else { throw .notFound }
        return .inquire(account: account) { view throws(Refusal) in
            guard let found = view.authorization(id) else { throw .notFound }
            return PSPReply(200, ["payment": document.payment(found)])
        }
    }

    /// `GET /v2/payments`, of one location: the main one, which is that of the first payment, unless one is named.
    func payments(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        let page = try SquareCursor(
            request,
            knowing: [
                "location_id", "total", "last_4", "card_brand", "is_offline_payment", "offline_begin_time",
                "offline_end_time",
            ]
        )
        let total = request.query("total").map { Int64($0) }
        if let total, total == nil {
            throw SquareErrorDocument.refusal("EXPECTED_INTEGER", field: "total", "Expected an integer value.")
        }
        return .inquire(account: account) { view throws(Refusal) in
            var location = request.query("location_id")
            var entries: [SquareCursor.Entry] = []
            view.survey { authorization in
                location = location ?? SquareDocument.location(authorization)
                let facts: [(asked: String?, actual: String)] = [
                    (location, SquareDocument.location(authorization)),
                    (request.query("total"), String(document.total(of: authorization))),
                    (request.query("last_4"), authorization.command.method.last4),
                    (request.query("card_brand"), SquareDocument.brand(authorization)),
                    (request.query("is_offline_payment"), "false"),
                ]
                guard facts.allSatisfy({ $0.asked ?? $0.actual == $0.actual }) else { return }
                entries.append(
                    SquareCursor.Entry(
                        name: SquareName.payment(authorization.id),
                        createdAt: authorization.createdAt,
                        updatedAt: document.updatedAt(authorization),
                        id: authorization.id
                    )
                )
            }
            let (part, cursor) = try page.part(of: entries, at: view.now)
            let found = part.compactMap { view.authorization($0.id) }
            return SquareCursor.reply("payments", found.map { document.payment($0) }, cursor: cursor)
        }
    }

    /// `GET /v2/disputes`.
    func disputes(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        let page = try SquareCursor(request, knowing: ["states", "location_id"], usual: ["cursor"])
        let states = request.query.filter { $0.name == "states" }.flatMap { $0.value.split(separator: ",") }
        return .inquire(account: account) { view throws(Refusal) in
            let disputed = view.authorizations { authorization in
                let location = SquareDocument.location(authorization)
                return !authorization.disputes.isEmpty && request.query("location_id") ?? location == location
            }
            var documents: [String: JSON] = [:]
            var entries: [SquareCursor.Entry] = []
            for authorization in disputed {
                let meant = authorization.disputes.filter { dispute in
                    states.isEmpty || states.contains { $0 == SquareDocument.state(dispute) }
                }
                for dispute in meant {
                    let name = SquareName.dispute(dispute.id)
                    documents[name] = document.dispute(dispute, of: authorization)
                    entries.append(
                        SquareCursor.Entry(
                            name: name,
                            createdAt: dispute.at,
                            updatedAt: dispute.decidedAt ?? dispute.at,
                            id: dispute.id
                        )
                    )
                }
            }
            let (part, cursor) = try page.part(of: entries, at: view.now)
            return SquareCursor.reply("disputes", part.compactMap { documents[$0.name] }, cursor: cursor)
        }
    }

    /// `GET /v2/disputes/{dispute_id}`.
    func dispute(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        let name = request.parameter("dispute")
        return .inquire(account: account) { view throws(Refusal) in
            let meant = view.authorizations { authorization in
                authorization.disputes.contains { SquareName.dispute($0.id) == name }
            }
            guard let authorization = meant.first,
                let found = authorization.disputes.first(where: { SquareName.dispute($0.id) == name })
            else { throw .notFound }
            return PSPReply(200, ["dispute": document.dispute(found, of: authorization)])
        }
    }
}

extension BooksView {
    /// Shows every authorization of the account, the oldest first, without finding any: no trigger applies.
    mutating func survey(_ look: (Authorization) -> Void) {
        _ = authorizations { authorization in
            look(authorization)
            return false
        }
    }
}

/// A part of a list: a range of time, an order, a place to begin and a number.
struct SquareCursor: Sendable {
    /// Something that a list may show.
    struct Entry: Sendable {
        /// Square's name for it.
        var name: String
        /// In milliseconds since 1970.
        var createdAt: Int64
        /// In milliseconds since 1970.
        var updatedAt: Int64
        /// Where it is in the books.
        var id: String
    }

    private static let year: Int64 = 365 * 86_400_000
    private let begin: Int64?
    private let end: Int64?
    private let updatedBegin: Int64?
    private let updatedEnd: Int64?
    private let isAscending: Bool
    private let isByUpdate: Bool
    private let limit: Int
    private let cursor: String?

    /// The parameters that every list has.
    static let parameters: Set<String> = [
        "begin_time", "end_time", "updated_at_begin_time", "updated_at_end_time", "sort_order", "sort_field", "cursor",
        "limit",
    ]

    /// Reads the query.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the parameters of this list beside the usual ones.
    ///   - usual: the usual ones.
    /// - Throws: ``Refusal``.
    init(
        _ request: PSPRequest,
        knowing known: Set<String>,
        usual: Set<String> = Self.parameters
    ) throws(Refusal) {
        for (name, _) in request.query where !known.contains(name) && !usual.contains(name) {
            throw SquareErrorDocument.refusal(
                "UNKNOWN_QUERY_PARAMETER",
                field: String(name.prefix(60)),
                "The query parameter is not known."
            )
        }
        begin = try Self.time("begin_time", request)
        end = try Self.time("end_time", request)
        updatedBegin = try Self.time("updated_at_begin_time", request)
        updatedEnd = try Self.time("updated_at_end_time", request)
        if let begin, let end, begin > end {
            throw SquareErrorDocument.refusal(
                "INVALID_TIME_RANGE",
                field: "end_time",
                "The range ends before it begins."
            )
        }
        let order = request.query("sort_order") ?? "DESC"
        guard ["ASC", "DESC"].contains(order) else {
            throw SquareErrorDocument.refusal("INVALID_SORT_ORDER", field: "sort_order", "Must be ASC or DESC.")
        }
        isAscending = order == "ASC"
        let field = request.query("sort_field") ?? "CREATED_AT"
        guard ["CREATED_AT", "UPDATED_AT"].contains(field) else {
            throw SquareErrorDocument.refusal("INVALID_ENUM_VALUE", field: "sort_field", "The sort field is not valid.")
        }
        isByUpdate = field == "UPDATED_AT"
        limit = try Self.limit(request)
        cursor = request.query("cursor").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The part of the list, and where the next one begins.
    ///
    /// - Throws: ``Refusal`` if the cursor is not of this list.
    func part(of entries: [Entry], at now: Int64) throws(Refusal) -> (entries: [Entry], cursor: String?) {
        let earliest = begin ?? (updatedBegin == nil ? now - Self.year : 0)
        let meant = entries.filter { entry in
            entry.createdAt >= earliest && entry.createdAt <= end ?? .max && entry.updatedAt >= updatedBegin ?? .min
                && entry.updatedAt <= updatedEnd ?? .max
        }
        let ordered = meant.enumerated().sorted { left, right in
            let times =
                isByUpdate
                ? (left.element.updatedAt, right.element.updatedAt)
                : (left.element.createdAt, right.element.createdAt)
            return (times.0, left.offset) < (times.1, right.offset)
        }.map(\.element)
        var rest = (isAscending ? ordered : ordered.reversed())[...]
        if let cursor {
            guard let index = rest.firstIndex(where: { $0.name == cursor }) else {
                throw SquareErrorDocument.refusal(
                    "INVALID_CURSOR",
                    field: "cursor",
                    "The pagination cursor is not valid."
                )
            }
            rest = rest[(index + 1)...]
        }
        let part = Array(rest.prefix(limit))
        return (part, rest.count > limit ? part.last?.name : nil)
    }

    /// A list as it is answered: without what would be empty.
    static func reply(_ name: String, _ found: [JSON], cursor: String?) -> PSPReply {
        PSPReply(
            200,
            .object(omittingAbsent: [name: found.isEmpty ? .none : .array(found), "cursor": cursor.map(JSON.string)])
        )
    }

    private static func time(_ name: String, _ request: PSPRequest) throws(Refusal) -> Int64? {
        guard let text = request.query(name) else { return nil }
        guard let time = SquareMoment.milliseconds(text) else {
            throw SquareErrorDocument.refusal("INVALID_TIME", field: name, "The time is not in RFC 3339 format.")
        }
        return time
    }

    /// The default is 100; a greater value is ignored.
    private static func limit(_ request: PSPRequest) throws(Refusal) -> Int {
        guard let text = request.query("limit") else { return 100 }
        guard let limit = Int(text) else {
            throw SquareErrorDocument.refusal("EXPECTED_INTEGER", field: "limit", "Expected an integer value.")
        }
        guard limit >= 1 else {
            throw SquareErrorDocument.refusal("VALUE_TOO_LOW", field: "limit", "Must be at least 1.")
        }
        return min(limit, 100)
    }
}

/// Moments and durations as Square writes them (RFC 3339).
enum SquareMoment {
    /// A moment in UTC: `2026-05-27T08:30:00.250Z`.
    static func text(_ milliseconds: Int64) -> String {
        "\(Moment.text(milliseconds)).\(String(1000 + milliseconds % 1000).dropFirst())Z"
    }

    /// The milliseconds since 1970 of a moment; nil if it is none.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, [4, 7].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }), bytes[10] == UInt8(ascii: "T"),
            [13, 16].allSatisfy({ bytes[$0] == UInt8(ascii: ":") }),
            let year = number(bytes[0..<4], 1970...9999), let month = number(bytes[5..<7], 1...12),
            let day = number(bytes[8..<10], 1...31), let hour = number(bytes[11..<13], 0...23),
            let minute = number(bytes[14..<16], 0...59), let second = number(bytes[17..<19], 0...60)
        else { return nil }
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, digits.count <= 9 else { return nil }
            fraction = number(Array((Array(digits) + [0x30, 0x30]).prefix(3))[...], 0...999) ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = zone(rest) else { return nil }
        let minutes = (Moment.days(year, month, day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + fraction
    }

    /// The milliseconds of a duration in weeks, days, hours, minutes and seconds: `P2DT12H30M15S`; nil if it is none.
    static func milliseconds(ofDuration text: String) -> Int64? {
        guard text.hasPrefix("P"), text.utf8.count <= 30 else { return nil }
        var units: [(letter: Character, seconds: Int64)] = [("W", 604_800), ("D", 86_400)]
        var seconds: Int64 = 0
        var digits = ""
        var hasPart = false
        var isTime = false
        for character in text.dropFirst() {
            if character == "T" {
                guard !isTime, digits.isEmpty else { return nil }
                isTime = true
                hasPart = false
                units = [("H", 3600), ("M", 60), ("S", 1)]
            } else if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let index = units.firstIndex(where: { $0.letter == character }), digits.utf8.count <= 9,
                    let count = Int64(digits)
                else { return nil }
                seconds += count * units[index].seconds
                units.removeFirst(index + 1)
                digits = ""
                hasPart = true
            }
        }
        return hasPart && digits.isEmpty ? seconds * 1000 : nil
    }

    /// The minutes that a zone is ahead of UTC.
    private static func zone(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(bytes)
        if bytes == [UInt8(ascii: "Z")] { return 0 }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3], 0...23),
            let minutes = number(bytes[4..<6], 0...59)
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int64>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(String(decoding: digits, as: UTF8.self)), range.contains(number)
        else { return nil }
        return number
    }
}
