import Domain
import SeededRandom
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test("parse with their prefix, an underscore and 26 digits")
    func parse() throws {
        let text = "ord_01jd7zq8f0000000000000abcd"
        let order = try #require(OrderID(text))
        #expect(order.text == text)
        #expect("\(order)" == text)
        #expect(OrderID("ord_7zzzzzzzzzzzzzzzzzzzzzzzzz") != nil)
    }

    @Test(
        "do not parse otherwise",
        arguments: [
            "", "ord", "ord_", "01jd7zq8f0000000000000abcd", "ord01jd7zq8f0000000000000abcd",
            "pay_01jd7zq8f0000000000000abcd", "ORD_01jd7zq8f0000000000000abcd", "ord_01JD7ZQ8F0000000000000ABCD",
            "ord_01jd7zq8f0000000000000abc", "ord_01jd7zq8f0000000000000abcde", "ord_01jd7zq8f0000000000000abci",
            "ord_01jd7zq8f0000000000000abcl", "ord_01jd7zq8f0000000000000abco", "ord_01jd7zq8f0000000000000abcu",
            "ord_8zzzzzzzzzzzzzzzzzzzzzzzzz", "ord_01jd7zq8f0000000000000abc ", "ord_01jd7zq8f000000000000\u{e9}abcd",
        ]
    )
    func doNotParseOtherwise(_ text: String) { #expect(OrderID(text) == nil) }

    @Test("have the prefix of what they name, and fit a PSP's key of 36 characters")
    func havePrefixes() {
        var ids = IdentifierSource(random: SeededRandom(seed: 1))
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        let order: OrderID = ids.make(at: now)
        let payment: PaymentID = ids.make(at: now)
        let attempt: AttemptID = ids.make(at: now)
        let operation: OperationID = ids.make(at: now)
        let merchant: MerchantID = ids.make(at: now)
        let event: EventID = ids.make(at: now)
        let texts = [order.text, payment.text, attempt.text, operation.text, merchant.text, event.text]
        #expect(texts.map { $0.prefix { $0 != "_" } } == ["ord", "pay", "att", "op", "mer", "evt"])
        #expect(texts.allSatisfy { $0.utf8.count <= 31 && $0.utf8.allSatisfy { $0 < 128 } })
        #expect(OrderID(order.text) == order)
        #expect(OperationID(operation.text) == operation)
    }

    @Test("are UUIDs of version 7 that carry their millisecond")
    func areVersion7() throws {
        var ids = IdentifierSource()
        let order: OrderID = ids.make(at: Timestamp(microseconds: 1_645_557_742_123_456))
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        let value = try order.text.dropFirst(4).reduce(UInt128(0)) {
            try $0 << 5 | UInt128(#require(digits.firstIndex(of: $1)))
        }
        #expect(UInt64(value >> 80) == 1_645_557_742_123)
        #expect(UInt64(value >> 76) & 0xF == 7)
        #expect(UInt64(truncatingIfNeeded: value) >> 62 == 0b10)
    }

    @Test("keep the order in which they are made, even thousands in one millisecond or under a clock that goes back")
    func keepTheirOrder() {
        for seed in 0..<3 as Range<UInt64> {
            var ids = IdentifierSource(random: SeededRandom(seed: seed))
            let moments = (0..<10_000).map { Timestamp(microseconds: 1_800_000_000_000_000 - Int64($0 / 5000) * 9000) }
            let made: [OrderID] = moments.map { ids.make(at: $0) }
            #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("of a later millisecond come later") func followTime() {
        var early = IdentifierSource()
        var late = IdentifierSource()
        let first: EventID = early.make(at: Timestamp(microseconds: 1_800_000_000_000_999))
        let second: EventID = late.make(at: Timestamp(microseconds: 1_800_000_000_001_000))
        #expect(first < second)
    }

    @Test("are different in different sources of one millisecond") func areUnique() {
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        var made: Set<OrderID> = []
        for _ in 0..<10_000 {
            var ids = IdentifierSource()
            made.insert(ids.make(at: now))
        }
        #expect(made.count == 10_000)
    }

    @Test("are the same again from the same seed") func repeatFromSeed() {
        var first = IdentifierSource(random: SeededRandom(seed: 7))
        var second = IdentifierSource(random: SeededRandom(seed: 7))
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        for _ in 0..<100 {
            let one: OrderID = first.make(at: now)
            #expect(one == second.make(at: now))
        }
    }

    @Test("are well-formed even for a moment before 1970") func standEarlyClocks() throws {
        var ids = IdentifierSource()
        let first: OrderID = ids.make(at: Timestamp(microseconds: -5_000_000))
        let second: OrderID = ids.make(at: Timestamp(microseconds: -4_000_000))
        #expect(OrderID(first.text) == first)
        #expect(first < second)
        #expect(first.text.hasPrefix("ord_0000000000"))
    }

    @Test("of an order's parts begin with the order's, and are others at each step")
    func parts() {
        var source = IdentifierSource()
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        let order = OrderID.make(from: &source, at: now)
        #expect(OrderID(of: order) == order)
        var all: Set<UInt128> = [order.bits]
        var count = 1
        for step: Int64 in [1, 2, 3, 500, IdentifierSource.stepLimit - 1] {
            var ids = IdentifierSource(of: order, step: step)
            for _ in 0..<100 {
                let operation: OperationID = ids.make(at: now)
                #expect(OrderID(of: operation) == order && operation > OperationID(bits: order.bits))
                all.insert(operation.bits)
                count += 1
            }
        }
        #expect(all.count == count)
        let other = OrderID.make(from: &source, at: now)
        #expect(other != order && other > order)
    }
}
