internal import LibCurl

/// libcurl cannot be used at all.
package enum EngineFailure: Error, Hashable, Sendable {
    /// The library that is loaded is older than what is in use here.
    case tooOld(version: String, needed: String)
    case cannotStart(call: String, text: String)

    init(_ error: CurlError) {
        self = .cannotStart(call: error.call, text: error.text)
    }

    /// Looks whether the library is new enough.
    static func checkVersion() throws(EngineFailure) {
        guard CurlLibrary.versionNumber < CurlLibrary.minimumVersion else { return }
        throw .tooOld(version: CurlLibrary.version, needed: "7.87")
    }
}
