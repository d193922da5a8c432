// How long a request may take that carries a file: the half minute of other requests is too short for a large one on a slow line.
// Said once, for uploads and downloads.
export const fileTimeoutMs = 600_000
