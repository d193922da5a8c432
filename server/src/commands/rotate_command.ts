// Rotates the keys of the installation, one kind at a time.
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { ownFileName } from '../kernel/boot/root_key.ts'
import { type Call, type Command, type ExitCode, readWords, usageFault } from './command.ts'

const verbs = ['status', 'signing', 'pepper', 'sealing', 'root', 'jwks'] as const
type Verb = (typeof verbs)[number]

export const rotate: Command = {
  name: 'rotate',
  parameters: 'status|signing|pepper|sealing|root|jwks [options]',
  summary: 'replace the keys of this installation, while it runs',
  help: () => `  tandem rotate status      what keys there are, how old, and what is under way
  tandem rotate signing     the key of access tokens: the next one is published in the JWKS, and signs a day later
  tandem rotate pepper      the key of hashes: API keys, client secrets, refresh tokens, recovery codes
  tandem rotate sealing     the key of what lies sealed in the database; all of it is sealed again
  tandem rotate root        the key outside of the database, which seals the others
  tandem rotate jwks        print the public keys of all signatures there were, for "tandem audit verify --keys"

  --overlap <hours>         signing: how long the next key is published before it signs; 24 when not said
  --now                     signing: it signs in a few seconds, for an emergency
  --revoke-old              signing, with --now: tokens of the former key are refused at once
  --status                  pepper: what would stop to work when the earlier ones end
  --finish                  pepper: end the earlier ones; refused where something still needs them
  --yes                     pepper, sealing: end the former key all the same
  --to-file <file>          root: where the next key is, or is to be made
  --plain                   root: leave the secrets in plain, for the way back to a version without root keys
  --json                    print one JSON document

It works beside a server that runs, and without one; all nodes must be of this version. What is rotated goes on working:
docs/keys.md says what ends when.

Exit codes: 0 done, 1 failed or refused, 2 wrong usage.`,
  async run(call) {
    const { verb, flags } = read(call.args)
    const { loadConfig } = await import('../config/config.ts')
    const rotation = await import('../rotate.ts')
    const { withOwner } = await import('../operator.ts')
    const config = loadConfig(call.env)
    const { result, lines } = await withOwner(config, owner =>
      runs[verb](rotation, rotation.groundOf(config, owner), flags, config),
    )
    return show(call, flags, result, lines)
  },
}

type Flags = {
  overlap?: string
  now?: boolean
  'revoke-old'?: boolean
  status?: boolean
  finish?: boolean
  yes?: boolean
  'to-file'?: string
  plain?: boolean
  json?: boolean
}

/** Which options a verb has, beside --json. */
const optionsOf: Record<Verb, readonly (keyof Flags)[]> = {
  status: [],
  signing: ['overlap', 'now', 'revoke-old'],
  pepper: ['status', 'finish', 'yes'],
  sealing: ['yes'],
  root: ['to-file', 'plain'],
  jwks: [],
}

function read(args: readonly string[]): { verb: Verb; flags: Flags } {
  const [text, yes] = [{ type: 'string' }, { type: 'boolean' }] as const
  const { values, positionals } = readWords(args, {
    ...{
      overlap: text,
      now: yes,
      'revoke-old': yes,
      status: yes,
      finish: yes,
      yes,
      'to-file': text,
      plain: yes,
      json: yes,
    },
  })
  const flags: Flags = values
  const [word, ...more] = positionals
  const verb = verbs.find(one => one === word)
  if (verb === undefined || more.length > 0) throw usageFault(`rotate takes one of ${verbs.join(', ')}.`)
  const stray = (Object.keys(flags) as (keyof Flags)[]).find(one => one !== 'json' && !optionsOf[verb].includes(one))
  if (stray !== undefined) throw usageFault(`rotate ${verb} has no --${stray}.`)
  if (flags['revoke-old'] === true && flags.now !== true) throw usageFault('--revoke-old goes with --now.')
  if (flags.overlap !== undefined && (flags.now === true || !/^\d{1,4}$/.test(flags.overlap)))
    throw usageFault('--overlap takes hours, as in 24, and goes without --now.')
  return { verb, flags }
}

type Rotation = typeof import('../rotate.ts')
type GroundOf = Parameters<Rotation['statusOf']>[0]
type Outcome = { result: object; lines: readonly string[] }
const dateOf = (ms: number) => new Date(ms).toISOString()

type Run = (rotation: Rotation, ground: GroundOf, flags: Flags, config: Config) => Promise<Outcome>
const runs: Record<Verb, Run> = {
  async status(rotation, ground) {
    const status = await rotation.statusOf(ground)
    const { rootKey, secrets } = status
    const head =
      rootKey === null ? 'No root key: secrets lie in plain.' : `root key ${rootKey.fingerprint}, of ${rootKey.place}`
    const lines = secrets.map(({ kind, version, state, createdAt, dueAt }) => {
      const due = dueAt === null ? '' : state === 'next' ? `, signs from ${dueAt} on` : `, ends at ${dueAt}`
      return `${kind.padEnd(12)} version ${version}, ${state}, made ${createdAt}${due}`
    })
    return { result: status, lines: [head, ...lines] }
  },

  async signing(rotation, ground, flags) {
    const options = {
      ...{ overlapMs: Number(flags.overlap ?? 24) * 3_600_000, isNow: flags.now === true },
      revokesFormer: flags['revoke-old'] === true,
    }
    const { kid, version, activeAtMs, formerEndsAtMs } = await rotation.rotateSigning(ground, options)
    const result = {
      ...{ kid, version, activeAt: dateOf(activeAtMs) },
      formerEndsAt: formerEndsAtMs === null ? null : dateOf(formerEndsAtMs),
    }
    const when = options.isNow ? 'signs from now on' : `is published, and signs from ${result.activeAt} on`
    const former = options.revokesFormer
      ? 'Tokens of the former key are refused.'
      : 'The former key is taken until its last token has ended.'
    return { result, lines: [`The signing key ${kid} (version ${version}) ${when}.`, former] }
  },

  async pepper(rotation, ground, flags) {
    if (flags.finish === true) {
      const { ended, needs } = await rotation.finishPepper(ground, flags.yes === true)
      return { result: { ended, needs: asCounts(needs) }, lines: [`${ended} earlier peppers have ended.`] }
    }
    const needs = flags.status === true ? await rotation.needsOf(ground) : await rotation.rotatePepper(ground)
    const rest =
      needs.total === 0 ? ['Nothing needs an earlier pepper.'] : ['What needs an earlier pepper:', ...needs.lines]
    const done =
      flags.status === true
        ? []
        : ['A new pepper is in use; the earlier ones are accepted until: tandem rotate pepper --finish']
    return { result: asCounts(needs), lines: [...done, ...rest] }
  },

  async sealing(rotation, ground, flags) {
    const { version, resealed, unreadable, removedAtMs } = await rotation.rotateSealing(ground, flags.yes === true)
    const removedAt = removedAtMs === null ? null : dateOf(removedAtMs)
    const closed = unreadable.map(({ table, column, count }) => `${count} texts in ${table}.${column} do not open.`)
    const end =
      removedAt === null
        ? 'The former key stays for them; --yes ends it all the same.'
        : `A server that runs removes the former key after ${removedAt}, when nothing on its way needs it any more.`
    const lines = [`The sealing key ${version} is in use; ${resealed} texts were sealed again.`, ...closed, end]
    return { result: { version, resealed, unreadable, removedAt }, lines }
  },

  async root(rotation, ground, flags, config) {
    if (flags.plain === true) {
      await rotation.leaveInPlain(ground)
      return {
        result: { rootKey: null },
        lines: ['The secrets lie in plain. Start the former version; this one seals them again.'],
      }
    }
    const { fingerprint, place, isElsewhere } = await rotation.changeRoot(ground, flags['to-file'])
    const next = isElsewhere
      ? `Set TANDEM_ROOT_KEY_FILE=${place} on all nodes before their next start, and unset what gave the key until now.`
      : 'Other nodes on this database need the same key before their next start.'
    const base = isElsewhere ? undefined : await baseWithKey(ground().owner, config, place)
    return {
      result: { fingerprint, place, baseBackup: base?.path ?? null },
      lines: [`The secrets are sealed with the root key ${fingerprint}, of ${place}.`, next, ...(base?.lines ?? [])],
    }
  },

  async jwks(rotation, ground) {
    const keys = await rotation.publicKeys(ground)
    return { result: keys, lines: [JSON.stringify(keys)] }
  },
}

/** What the archive holds until now has the former key: without the next one its WAL would lead to secrets that nobody can open. */
async function baseWithKey(owner: ReturnType<GroundOf>['owner'], config: Config, place: string) {
  if (config.walTo === undefined || config.databaseUrl !== undefined || place !== join(config.dataDir, ownFileName))
    return undefined
  try {
    const { makeBaseBackup } = await import('../moments.ts')
    const { path } = await makeBaseBackup(owner, config)
    return { path, lines: [`A base backup with that key was made: ${path}.`] }
  } catch (error) {
    const why = (error as Error).message
    const lines = [
      `No base backup with that key could be made: ${why}.`,
      `Keep a copy of ${place} until there is one: a server that runs makes it within an hour, another at its start, and you by: tandem backup base`,
    ]
    return { path: null, lines }
  }
}

function asCounts({ lines: _, ...counts }: Awaited<ReturnType<Rotation['needsOf']>>) {
  return counts
}

function show({ print }: Call, { json }: Flags, result: object, lines: readonly string[]): ExitCode {
  if (json === true) print(JSON.stringify(result))
  else for (const line of lines) print(line)
  return 0
}
