/// Reads files of the tz database (TZif, RFC 9636), versions 2 to 4.
package enum TimeZoneFile {
    /// The last year for which the rule at a file's end is written out.
    private static let lastYear = 2150

    /// The calendar that a file describes; nil if it is no such file.
    package static func calendar(_ bytes: [UInt8], zone: String) -> LocalCalendar? {
        guard let old = Header(bytes[...]), old.version >= UInt8(ascii: "2") else { return nil }
        let rest = bytes.dropFirst(Header.length + old.bodyLength(timeLength: 4))
        guard let header = Header(rest) else { return nil }
        var body = Array(rest.dropFirst(Header.length))[...]
        guard body.count >= header.bodyLength(timeLength: 8), header.types > 0 else { return nil }
        let times = (0..<header.times).map { _ in number(&body, 8) }
        let kinds = (0..<header.times).map { _ in Int(number(&body, 1) & 0xFF) }
        let offsets = (0..<header.types).map { _ in
            let offset = number(&body, 4)
            body = body.dropFirst(2)
            return offset
        }
        guard kinds.allSatisfy(offsets.indices.contains) else { return nil }
        body = body.dropFirst(header.letters + header.leaps * 12 + header.standards + header.universals)
        var changes: [LocalCalendar.Change] = []
        for (time, kind) in zip(times, kinds) where time > -4_000_000_000 {
            let change = LocalCalendar.Change(at: Timestamp(seconds: time), offsetSeconds: offsets[kind])
            if let last = changes.last, last.at >= change.at { return nil }
            changes.append(change)
        }
        let footer = body.dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        if let rule = TimeZoneRule(Array(footer)) {
            let last = changes.last?.at ?? Timestamp(seconds: -4_000_000_000)
            let year = max(1970, CalendarDay(number: Int32(clamping: last.microseconds / 86_400_000_000)).year)
            changes += rule.changes(in: year...max(year, lastYear)).filter { $0.at > last }
        }
        return LocalCalendar(zone: zone, offsetSeconds: offsets[0], changes: changes)
    }

    /// A big-endian number of two's complement.
    private static func number(_ bytes: inout ArraySlice<UInt8>, _ length: Int) -> Int64 {
        let part = bytes.prefix(length)
        bytes = bytes.dropFirst(length)
        let start: Int64 = (part.first ?? 0) >= 0x80 ? -1 : 0
        return part.reduce(start) { $0 << 8 | Int64($1) }
    }

    /// What stands before each of a file's two blocks.
    private struct Header {
        static let length = 44
        let version: UInt8
        let universals: Int
        let standards: Int
        let leaps: Int
        let times: Int
        let types: Int
        let letters: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= Self.length, bytes.prefix(4).elementsEqual("TZif".utf8) else { return nil }
            let head = Array(bytes.prefix(Self.length))
            version = head[4]
            var rest = head[20...]
            let counts = (0..<6).map { _ in Int(number(&rest, 4)) }
            guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
            (universals, standards, leaps) = (counts[0], counts[1], counts[2])
            (times, types, letters) = (counts[3], counts[4], counts[5])
        }

        func bodyLength(timeLength: Int) -> Int {
            times * (timeLength + 1) + types * 6 + letters + leaps * (timeLength + 4) + standards + universals
        }
    }
}

/// The rule at the end of a tz file: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, with the hours that RFC 9636 adds).
struct TimeZoneRule: Hashable {
    /// When clocks are changed in each year.
    struct Turn: Hashable {
        enum Day: Hashable {
            /// The weekday of a week of a month; week 5 is the last.
            case weekday(month: Int, week: Int, day: Int)
            /// The day of the year, from 1; February 29th is never counted.
            case counted(Int)
            /// The day of the year, from 0; February 29th is counted.
            case ordinal(Int)
        }

        let day: Day
        /// Seconds behind local midnight.
        let seconds: Int64
    }

    /// Seconds east of UTC in standard time.
    let standard: Int64
    /// Seconds east of UTC in summer, and when that begins and ends; nil if clocks are not changed.
    let summer: Summer?

    struct Summer: Hashable {
        let offset: Int64
        let begin: Turn
        let end: Turn
    }

    /// Reads a rule; nil if it is none.
    init?(_ text: [UInt8]) {
        var rest = text[...]
        guard Self.skipName(&rest), let west = Self.time(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard Self.skipName(&rest) else { return nil }
        var offset = standard + 3600
        if rest.first != UInt8(ascii: ",") {
            guard let west = Self.time(&rest) else { return nil }
            offset = -west
        }
        guard let begin = Self.turn(&rest), let end = Self.turn(&rest), rest.isEmpty else { return nil }
        summer = Summer(offset: offset, begin: begin, end: end)
    }

    /// The changes of some years, the earliest first.
    func changes(in years: ClosedRange<Int>) -> [LocalCalendar.Change] {
        guard let summer else { return [LocalCalendar.Change(at: Timestamp(seconds: 0), offsetSeconds: standard)] }
        let all = years.flatMap { year in
            [
                LocalCalendar.Change(
                    at: Self.moment(summer.begin, year, offset: standard),
                    offsetSeconds: summer.offset
                ),
                LocalCalendar.Change(
                    at: Self.moment(summer.end, year, offset: summer.offset),
                    offsetSeconds: standard
                ),
            ]
        }
        return all.sorted { $0.at < $1.at }
    }

    private static func moment(_ turn: Turn, _ year: Int, offset: Int64) -> Timestamp {
        Timestamp(seconds: Int64(day(turn.day, year).number) * 86_400 + turn.seconds - offset)
    }

    private static func day(_ day: Turn.Day, _ year: Int) -> CalendarDay {
        let newYear = CalendarDay(year: year, month: 1, day: 1) ?? CalendarDay(number: 0)
        switch day {
        case .ordinal(let number): return newYear.adding(days: Int32(number))
        case .counted(let number):
            let isLeap = CalendarDay(year: year, month: 2, day: 29) != nil
            return newYear.adding(days: Int32(number - (isLeap && number >= 60 ? 0 : 1)))
        case .weekday(let month, let week, let weekday):
            let first = CalendarDay(year: year, month: month, day: 1) ?? newYear
            // 1970-01-01 was a Thursday, which is 4.
            let firstWeekday = Int((first.number % 7 + 7 + 4) % 7)
            var found = first.adding(days: Int32((weekday - firstWeekday + 7) % 7 + (week - 1) * 7))
            while found.month != first.month { found = found.adding(days: -7) }
            return found
        }
    }

    private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let name = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// `[+-]h[:mm[:ss]]`, in seconds.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        var sign: Int64 = 1
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            rest = rest.dropFirst()
        }
        guard let hours = number(&rest), hours <= 167 else { return nil }
        var seconds = Int64(hours) * 3600
        for unit: Int64 in [60, 1] where rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
            guard let part = number(&rest), part < 60 else { return nil }
            seconds += Int64(part) * unit
        }
        return sign * seconds
    }

    private static func turn(_ rest: inout ArraySlice<UInt8>) -> Turn? {
        guard rest.first == UInt8(ascii: ",") else { return nil }
        rest = rest.dropFirst()
        guard let day = turnDay(&rest) else { return nil }
        guard rest.first == UInt8(ascii: "/") else { return Turn(day: day, seconds: 7200) }
        rest = rest.dropFirst()
        return time(&rest).map { Turn(day: day, seconds: $0) }
    }

    private static func turnDay(_ rest: inout ArraySlice<UInt8>) -> Turn.Day? {
        switch rest.first {
        case UInt8(ascii: "M"):
            var numbers: [Int] = []
            for _ in 0..<3 {
                rest = rest.dropFirst()
                guard let number = number(&rest) else { return nil }
                numbers.append(number)
            }
            guard 1...12 ~= numbers[0], 1...5 ~= numbers[1], 0...6 ~= numbers[2] else { return nil }
            return .weekday(month: numbers[0], week: numbers[1], day: numbers[2])
        case UInt8(ascii: "J"):
            rest = rest.dropFirst()
            return number(&rest).flatMap { 1...365 ~= $0 ? .counted($0) : nil }
        default: return number(&rest).flatMap { 0...365 ~= $0 ? .ordinal($0) : nil }
        }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, digits.count <= 3 else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
