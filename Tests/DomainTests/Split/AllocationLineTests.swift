import Domain
import SeededRandom
import Testing

@Suite("Allocation lines")
struct AllocationLineTests {
    private func lines(_ amounts: [Int64]) -> [AllocationLine] {
        amounts.enumerated().map { index, amount in
            AllocationLine(kind: index == 0 ? .merchant : .commission, party: "p\(index)", amount: amount)
        }
    }

    @Test("are drawn down in proportion, and answer the change of each") func drawsDown() {
        var lines = lines([880, 100, 20])
        #expect(lines.capture(upTo: 500) == [440, 50, 10])
        #expect(lines.capture(upTo: 500) == [0, 0, 0])
        #expect(lines.capture(upTo: 1000) == [440, 50, 10])
        #expect(lines.map(\.captured) == [880, 100, 20])
        #expect(lines.refund(upTo: 1) == [1, 0, 0])
        #expect(lines.refund(upTo: 1000) == [879, 100, 20])
        #expect(lines.map(\.refunded) == [880, 100, 20])
    }

    @Test("are the marketplace's as far as a PSP kept something for it, and the merchant's by the rest")
    func keepsWhatIsKept() {
        var lines = lines([880, 100, 20])
        #expect(lines.capture(upTo: 500, keeping: 120) == [380, 100, 20])
        #expect(lines.refund(upTo: 250) == [190, 50, 10])
        #expect(lines.capture(upTo: 1000, keeping: 120) == [500, 0, 0])
        var small = self.lines([880, 100, 20])
        #expect(small.capture(upTo: 90, keeping: 90) == [0, 75, 15])
        #expect(small.capture(upTo: 90, keeping: 0) == [90, -75, -15])
        var merchants = self.lines([50])
        #expect(merchants.capture(upTo: 50, keeping: 10) == [50])
    }

    @Test("give back of what is not the merchant's as much as a PSP gave back, and the rest of the merchant's")
    func givesBackWhatIsReturned() {
        var lines = lines([880, 100, 20])
        _ = lines.capture(upTo: 1000)
        #expect(lines.refund(upTo: 500, returning: 0) == [500, 0, 0])
        #expect(lines.refund(upTo: 1000, returning: 60) == [440, 50, 10])
        #expect(lines.refund(upTo: 1000, returning: 120) == [-60, 50, 10])
        #expect(lines.refund(upTo: 500) == [-440, -50, -10])
        #expect(lines.refund(upTo: 500, returning: 501) == [-60, 50, 10])
        var small = self.lines([880, 100, 20])
        _ = small.capture(upTo: 90, keeping: 90)
        #expect(small.refund(upTo: 90, returning: 0) == [90, 0, 0])
        #expect(small.refund(upTo: 90, returning: 60) == [-60, 50, 10])
        var merchants = self.lines([50])
        _ = merchants.capture(upTo: 50)
        #expect(merchants.refund(upTo: 50, returning: 10) == [50])
    }

    @Test("can move backwards by a unit, so that they end where one whole capture would") func canMoveBackwards() {
        var lines = lines([6, 6, 2])
        #expect(lines.capture(upTo: 10) == [4, 4, 2])
        #expect(lines.capture(upTo: 11) == [1, 1, -1])
        #expect(lines.capture(upTo: 14) == [1, 1, 1])
    }

    @Test("give back out of what each of them has captured") func givesBackWhatIsCaptured() {
        var lines = lines([6, 6, 2])
        #expect(lines.capture(upTo: 10) == [4, 4, 2])
        #expect(lines.refund(upTo: 9) == [4, 3, 2])
        #expect(lines.refund(upTo: 10) == [0, 1, 0])
    }

    @Test("end at the whole after any series of partial captures and refunds, and never leave their bounds")
    func endAtTheWhole() {
        var random = SeededRandom(seed: 1880)
        for _ in 0..<1500 {
            let amounts = (0..<Int(random.number(in: 1...4))).map { _ in
                random.number(in: 1...(1 << random.number(in: 1...20)))
            }
            let whole = amounts.reduce(0, +)
            let part = random.number(in: 1...whole)
            var (series, once) = (lines(amounts), lines(amounts))
            var sums = draw(upTo: part, by: &random) { series.capture(upTo: $0) }
            #expect(sums == once.capture(upTo: part))
            #expect(series == once)
            sums = draw(upTo: part, by: &random) {
                let changes = series.refund(upTo: $0)
                if series.contains(where: { $0.refunded > $0.captured }) { Issue.record("\(series) refunds too much") }
                return changes
            }
            #expect(sums == once.refund(upTo: part))
            #expect(series == once)
            #expect(series.allSatisfy { $0.refunded == $0.captured && $0.captured <= $0.amount })
        }
    }

    /// Steps up to a total in random parts, and sums the changes of each line.
    private func draw(upTo total: Int64, by random: inout SeededRandom, _ body: (Int64) -> [Int64]) -> [Int64] {
        var (done, sums): (Int64, [Int64]) = (0, [])
        while done < total {
            done = random.chance(30) ? total : random.number(in: (done + 1)...total)
            let changes = body(done)
            sums = sums.isEmpty ? changes : zip(sums, changes).map { $0 + $1 }
            if sums.reduce(0, +) != done { Issue.record("the lines moved by \(changes) on the way to \(done)") }
        }
        return sums
    }
}
