import Foundation
import SeededRandom
import StrictJSON

/// Changes tokens: their text, the bytes of a field, the elements of the signature.
struct Mutator {
    private var random: SeededRandom
    private let specimens: [Specimen]

    init(seed: UInt64, _ specimens: [Specimen]) {
        random = SeededRandom(seed: seed)
        self.specimens = specimens
    }

    /// One of the tokens, and the text of a changed one.
    mutating func next() -> (specimen: Specimen, text: [UInt8]) {
        let specimen = specimens[Int.random(in: specimens.indices, using: &random)]
        var text = specimen.token.bytes
        switch Int.random(in: 0..<10, using: &random) {
        case 0: change(&text)
        case 1..<6: text = changingField(of: specimen).bytes
        default: text = changingElements(of: specimen).bytes
        }
        return (specimen, text)
    }

    /// Whether this one should also be opened by somebody who does not know the signer.
    mutating func asksFreshOpener() -> Bool { Int.random(in: 0..<25, using: &random) == 0 }

    private mutating func changingField(of specimen: Specimen) -> JSON {
        var path = Specimen.fields[Int.random(in: Specimen.fields.indices, using: &random)]
        if TokenFields.bytes(specimen.token, path) == nil { path = ["signature"] }
        var bytes = TokenFields.bytes(specimen.token, path) ?? []
        if Int.random(in: 0..<8, using: &random) == 0 {
            let other = specimens[Int.random(in: specimens.indices, using: &random)]
            bytes = TokenFields.bytes(other.token, path) ?? []
        } else {
            change(&bytes)
        }
        return TokenFields.setting(bytes, path, in: specimen.token)
    }

    private mutating func changingElements(of specimen: Specimen) -> JSON {
        guard let bytes = TokenFields.bytes(specimen.token, ["signature"]), var root = Element(bytes) else {
            return specimen.token
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) { change(&root) }
        return TokenFields.setting(root.bytes, ["signature"], in: specimen.token)
    }

    private mutating func change(_ root: inout Element) {
        let number = Int.random(in: 0..<root.count, using: &random)
        let kind = Int.random(in: 0..<9, using: &random)
        var source: Element?
        root.change(Int.random(in: 0..<root.count, using: &random)) { source = $0 }
        var generator = random
        root.change(number) { element in
            let place = element.children.isEmpty ? 0 : Int.random(in: element.children.indices, using: &generator)
            switch kind {
            case 0: element.isIndefinite.toggle()
            case 1: if !element.children.isEmpty { element.children.remove(at: place) }
            case 2: if !element.children.isEmpty { element.children.append(element.children[place]) }
            case 3: element.children.shuffle(using: &generator)
            case 4: if let source { element = source }
            case 5: if let source { element.children.insert(source, at: place) }
            case 6: element.tag ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 7:
                element.content = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                    UInt8.random(in: .min ... .max, using: &generator)
                }
            default:
                if !element.content.isEmpty {
                    element.content[Int.random(in: element.content.indices, using: &generator)] ^=
                        1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
        }
        random = generator
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = bytes.isEmpty ? 0 : Int.random(in: bytes.indices, using: &random)
            let count = min(Int.random(in: 1...16, using: &random), bytes.count - place)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: if !bytes.isEmpty { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
            case 3: bytes.removeSubrange(place..<place + count)
            case 4: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
            default: if !bytes.isEmpty { bytes[place] = [0, 0x7F, 0x80, 0xFF][Int.random(in: 0..<4, using: &random)] }
            }
        }
    }
}
