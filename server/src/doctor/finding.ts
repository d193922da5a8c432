// What `tandem doctor` says: one finding for each thing that was looked at, and what to do about it.
import type { Config } from '../config/config.ts'
import type { DatabaseFacts } from './database_store.ts'

export type State = 'ok' | 'warning' | 'problem'

export type Finding = {
  /** What was looked at, as in `disk`. */
  check: string
  state: State
  /** One sentence. */
  found: string
  /** What to do, for anything but `ok`. */
  remedy?: string
}

export type Database =
  | { isThere: true; facts: DatabaseFacts }
  /** `why` is a sentence; `isStopped` where it is only stopped together with its server. */
  | { isThere: false; isStopped: boolean; why: string }

/** What the checks go by. */
export type Ground = {
  config: Config
  env: NodeJS.ProcessEnv
  nowMs: number
  database: Database
  /** Process number of the server that holds the data folder, if one does. */
  serverPid: number | undefined
  /** Addresses of this machine. */
  ownAddresses: readonly string[]
  names: NameServer
}

/** Questions to the DNS; each rejects with the code of Node's resolver, such as ENOTFOUND. */
export type NameServer = {
  addresses(name: string): Promise<string[]>
  mailServers(domain: string): Promise<{ exchange: string; priority: number }[]>
}

export type Check = (ground: Ground) => Finding[] | Promise<Finding[]>

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found })
export const warning = (check: string, found: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  found,
  remedy,
})
export const problem = (check: string, found: string, remedy: string): Finding => ({
  check,
  state: 'problem',
  found,
  remedy,
})

/** `3 days`, `2 hours`, `40 seconds`. */
export function inTime(ms: number): string {
  const [amount, unit] =
    ms >= 172_800_000
      ? [ms / 86_400_000, 'days']
      : ms >= 7_200_000
        ? [ms / 3_600_000, 'hours']
        : ms >= 120_000
          ? [ms / 60_000, 'minutes']
          : [ms / 1_000, 'seconds']
  return `${Math.round(amount)} ${unit}`
}
