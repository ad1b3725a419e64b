import RunnerJob

extension Transfer {
    /// Longest time for a step of a sweep, and for the whole.
    private static let sweepStep = Duration.seconds(5)
    private static let sweepTime = Duration.seconds(10)

    /// Takes away what an upload to an FTP or SFTP server has left under a name of its own, before the transfer ends.
    ///
    /// What comes of it changes nothing: a server that cannot be asked keeps it, and the next upload writes over it.
    /// - Returns: whether the transfer ends later, with that request.
    func startSweep(before ending: TransferMachine.Ending) -> Bool {
        guard record.sent > 0, ending != .succeeded, let name = setup.payload?.stagedName else { return false }
        var request = wireRequest(RequestGoal(source: 0), RequestMachine.Hop(url: machine.sources[0].url), on: main)
        request.naming = .removal(name)
        request.body = .none
        request.isHeadOnly = true
        request.timeout.connect = min(request.timeout.connect, Self.sweepStep)
        request.timeout.stall = min(request.timeout.stall, Self.sweepStep)
        request.timeout.attempt = Self.sweepTime
        do throws(Fault) {
            sweep = try HeadRequest(request, of: task, on: engine) { [self] _, _ in
                sweep = nil
                host.transfer(self, endedWith: result(ending))
            }
            return true
        } catch {
            return false
        }
    }
}
