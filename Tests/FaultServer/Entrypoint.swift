import Glibc
import TestSupport

/// Serves demo files, or a folder, on loopback until it is ended by a signal.
///
///     fault-server demo          the files of jobs/nightly.yaml, for any date
///     fault-server folder DIR    the regular files below DIR
///
/// The first line on standard output is the server's origin, such as `http://127.0.0.1:41234`.
@main
struct Entrypoint {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do throws(SystemFailure) {
            let server = try FaultServer()
            switch (arguments.first, arguments.count) {
            case ("demo", 1): Demo.prepare(server)
            case ("folder", 2): server.serve(folder: arguments[1])
            default:
                print("usage: fault-server demo | folder DIR")
                exit(2)
            }
            print(server.origin)
            // Whoever started this waits for the line, and standard output may be a pipe.
            fflush(nil)
            withExtendedLifetime(server) { _ = pause() }
        } catch {
            print("fault-server: \(error)")
            exit(1)
        }
    }
}
