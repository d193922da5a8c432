// The versions of this installation: of Tandem, of the Node that runs it, and of the PostgreSQL that it brings.
import { execFileSync } from 'node:child_process'
import { embeddedProgram } from './kernel/boot/postgres_programs.ts'
import { version } from './kernel/values/version.ts'

export type Versions = {
  tandem: string
  node: string
  /** As in `18.4`; undefined where it is not installed, or does not run. */
  postgres: string | undefined
}

export function readVersions(): Versions {
  return { tandem: version, node: process.versions.node, postgres: postgresVersion() }
}

function postgresVersion(): string | undefined {
  try {
    const text = execFileSync(embeddedProgram('postgres'), ['--version'], { encoding: 'utf8' })
    return /\) (\d+\.\d+)/.exec(text)?.[1]
  } catch {
    return undefined
  }
}
