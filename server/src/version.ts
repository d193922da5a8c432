// The release that runs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As package.json names it, for example 0.1.0. */
export const version = (
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string }
).version
