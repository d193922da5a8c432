// The versions of this installation: of Tandem, of the Node that runs it, and of the PostgreSQL that it brings.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedProgram } from './kernel/boot/postgres_programs.ts'

export type Versions = {
  tandem: string
  node: string
  /** As in `18.4`; undefined where it is not installed, or does not run. */
  postgres: string | undefined
}

export function readVersions(): Versions {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
  return { tandem: manifest.version, node: process.versions.node, postgres: postgresVersion() }
}

function postgresVersion(): string | undefined {
  try {
    const text = execFileSync(embeddedProgram('postgres'), ['--version'], { encoding: 'utf8' })
    return /\) (\d+\.\d+)/.exec(text)?.[1]
  } catch {
    return undefined
  }
}
