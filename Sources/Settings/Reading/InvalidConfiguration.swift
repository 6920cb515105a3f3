/// A configuration that cannot be used, with everything that is wrong with it.
package struct InvalidConfiguration: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong: options and variables first, then the file from top to bottom; never empty.
    package let problems: [ConfigurationProblem]

    init(_ problems: [ConfigurationProblem]) {
        self.problems = problems.enumerated()
            .sorted {
                ($0.element.place.order + [$0.offset]).lexicographicallyPrecedes($1.element.place.order + [$1.offset])
            }
            .map(\.element)
    }

    init(file: String, line: Int = 1, column: Int = 1, code: String, _ sentence: String) {
        let place = Place.file(file, line: line, column: column)
        problems = [ConfigurationProblem(place: place, path: "", code: code, sentence: sentence)]
    }

    /// One problem a line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
