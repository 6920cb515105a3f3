import Domain
import SQL
import StrictJSON

/// The lines that a break is about, as JSON text in one column.
enum BreakPlaces {
    static func text(_ places: [LinePlace]) -> String {
        JSON.array(
            places.map { place in
                .object([
                    .init("file", .string(place.file)), .init("member", .integer(Int64(place.member))),
                    .init("row", .integer(Int64(place.row))),
                ])
            }
        ).text
    }

    static func read(_ text: String) throws(SQLError) -> [LinePlace] {
        guard let documents = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: "places")
        }
        var places: [LinePlace] = []
        for document in documents {
            guard let file = document["file"]?.stringValue, let member = document["member"]?.integerValue,
                let row = document["row"]?.integerValue
            else { throw .unexpectedValue(column: "places") }
            places.append(LinePlace(file: file, member: Int(member), row: Int(row)))
        }
        return places
    }
}
