// What a release changes in texts: the section of the changelog, and the number in package.json and the lock file.

const form = /^(\d+)\.(\d+)\.(\d+)$/

/** Whether `version` is three numbers and comes after `former`. */
export function isNewer(version: string, former: string): boolean {
  const [now, before] = [form.exec(version), form.exec(former)]
  if (now === null || before === null) return false
  for (const part of [1, 2, 3]) {
    const difference = Number(now[part]) - Number(before[part])
    if (difference !== 0) return difference > 0
  }
  return false
}

/**
 * The changelog with what was unreleased as a section of its own, below a new empty one.
 * @param day as in 2026-11-28
 * @throws Error when nothing was unreleased
 */
export function changelogFor(text: string, version: string, day: string): string {
  const head = '\n## Unreleased\n'
  const start = text.indexOf(head)
  if (start === -1) throw new Error('CHANGELOG.md has no section "## Unreleased"')
  const behind = text.slice(start + head.length)
  const end = behind.search(/^## /m)
  if ((end === -1 ? behind : behind.slice(0, end)).trim() === '')
    throw new Error('CHANGELOG.md says nothing of what is new since the last version')
  return `${text.slice(0, start)}${head}\n## ${version} (${day})\n${behind}`
}

/**
 * A package.json, or a lock file, with another number of our own packages, and of what they ask of each other.
 * @param former the number that stands there
 */
export function withVersion(text: string, former: string, version: string): string {
  const json = JSON.parse(text) as Manifest & { packages?: Record<string, Manifest> }
  const own =
    json.packages === undefined
      ? [json]
      : [
          json,
          ...Object.entries(json.packages)
            .filter(isOwn)
            .map(([, one]) => one),
        ]
  for (const manifest of own) {
    if (manifest.version === former) manifest.version = version
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
      for (const [name, wanted] of Object.entries(manifest[kind] ?? {}))
        if (name.startsWith('@tandem/') && wanted === former) manifest[kind]![name] = version
  }
  return `${JSON.stringify(json, null, 2)}\n`
}

type Manifest = {
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Of a lock file: the folders of this repository. */
function isOwn([folder]: [string, Manifest]): boolean {
  return !folder.includes('node_modules')
}
