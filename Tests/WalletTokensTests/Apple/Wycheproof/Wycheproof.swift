import Foundation
import StrictJSON
import Testing
import WireFormats

@testable import WalletTokens

/// A set of Project Wycheproof's test vectors.
struct Wycheproof {
    /// One vector with the group it stands in.
    struct Vector {
        /// What the group's vectors have in common.
        let group: JSON
        /// The vector.
        let test: JSON

        /// Its number in the set, for messages.
        var number: Int64 { test["tcId"]?.integerValue ?? 0 }
        /// Whether everybody has to take it.
        var isValid: Bool { test["result"]?.stringValue == "valid" }
        /// Whether nobody may take it.
        var isInvalid: Bool { test["result"]?.stringValue == "invalid" }

        /// A member of the vector as bytes.
        func bytes(_ key: String) throws -> [UInt8] {
            try #require(test[key]?.stringValue.flatMap(Hexadecimal.decode), "vector \(number)")
        }
    }

    /// All vectors.
    let vectors: [Vector]

    /// Reads a set among the fixtures.
    init(_ name: String) throws {
        let folder = try #require(Bundle.module.resourceURL)
        let bytes = try Array(Data(contentsOf: folder.appending(path: "Fixtures/wycheproof/\(name).json")))
        let file = try JSON.parse(bytes)
        vectors = try #require(file["testGroups"]?.arrayValue).flatMap { group in
            (group["tests"]?.arrayValue ?? []).map { Vector(group: group, test: $0) }
        }
        try #require(Int64(vectors.count) == file["numberOfTests"]?.integerValue)
    }
}
