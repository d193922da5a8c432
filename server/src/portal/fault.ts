// What the page says of a portal that could not be built: what failed, and what to do about it, in words that hold nothing of the
// machine but names below the checkout. The log has all of it.

export type PortalFault = { what: string; remedy: string }

type Known = { matches: RegExp; what: (found: RegExpExecArray) => string; remedy: string }

const startAgain = 'then start the server again'

/** The first that matches the code or the message of the error. */
const known: readonly Known[] = [
  {
    matches: /Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w.-]+)'/,
    what: ([, name]) => `The package “${name}” is not installed.`,
    remedy: `Run “npm ci” in the folder of the server, ${startAgain}.`,
  },
  {
    matches: /ERR_MODULE_NOT_FOUND/,
    what: () => 'A file of the build is missing.',
    remedy: `Restore it, or run “npm ci” in the folder of the server; ${startAgain}.`,
  },
  {
    matches: /\bENOSPC\b/,
    what: () => 'There is no space left on the disk.',
    remedy: `Free about 50 MB, ${startAgain}.`,
  },
  {
    matches: /\b(?:EACCES|EPERM|EROFS)\b/,
    what: () => 'The account of the server may not write to the folder “portal”.',
    remedy: `Give it that right, or start the server once as the owner of the folder; ${startAgain}.`,
  },
  {
    matches: /took too long/,
    what: () => 'The build took longer than five minutes and was ended.',
    remedy: 'Start the server again when the machine has less to do.',
  },
  {
    matches: /ended with a signal/,
    what: () => 'The build was killed; most often the machine had no memory left for it.',
    remedy: `Let it have 1 GB of free memory while it builds, ${startAgain}.`,
  },
  {
    matches: /neither a built portal/,
    what: () => 'This installation has neither a built portal nor its sources.',
    remedy: `Install the server from a whole checkout, ${startAgain}; or set TANDEM_PORTAL=0 to do without a portal.`,
  },
]

/** @param root the checkout, whose path is not shown */
export function portalFault(error: unknown, root: string): PortalFault {
  const { message, code = '' } = error as NodeJS.ErrnoException
  for (const { matches, what, remedy } of known) {
    const found = matches.exec(`${code} ${message}`)
    if (found !== null) return { what: what(found), remedy }
  }
  // The output of the build, below a line of ours.
  const lines = message.split('\n').map(line => line.trim())
  const first = lines.slice(1).find(line => line !== '') ?? lines[0] ?? ''
  const said = first
    .replaceAll(`${root}/`, '')
    .replaceAll(/(?<![\w.-])(?:\/[\w.@+-]+){2,}/g, path => path.slice(path.lastIndexOf('/') + 1))
  return {
    what: `The build says: ${said.slice(0, 300)}`,
    remedy: `The log of the server has the whole message. Correct the source it names, ${startAgain}.`,
  }
}
