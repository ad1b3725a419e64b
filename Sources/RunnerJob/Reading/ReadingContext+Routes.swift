extension ReadingContext {
    /// Where a URL of a task is asked for; an error where `hosts` forbids it.
    func route(_ url: SourceURL) -> SourceURL {
        let routes = layering.hosts.routes
        guard !routes.isEmpty else { return url }
        let routed = routes.rewritten(url)
        checkAccess(routed)
        if !routed.isOwn, holdsSecret(url) {
            fields.faults.error(
                "the URL holds a secret, which must not go to \(routed.origin), where `rewrite` leads", at: url.place)
        }
        return routed
    }

    /// Whether a URL has something in its path or query that must not be shown: a secret of the job, or a field whose
    /// name says that it lets somebody in.
    private func holdsSecret(_ url: SourceURL) -> Bool {
        let secrets = fields.secrets.union(fields.variables.secrets)
        return Redactor(secrets: secrets).url(url.url.text) != url.url.text
    }

    /// An error where `hosts` forbids requests to a URL.
    func checkAccess(_ url: SourceURL) {
        guard let barrier = layering.hosts.routes.barrier(for: url.origin) else { return }
        let place = url.rewritten == nil ? "" : ", where `rewrite` leads"
        fields.faults.error(
            "`hosts` forbids requests to \(url.origin)\(place)", at: url.place,
            notes: [Diagnostic.Note("\(shown(barrier.section)) is blocked here", at: barrier.place)])
    }
}
