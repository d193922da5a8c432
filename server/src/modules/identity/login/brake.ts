// The brake on guessing passwords, one for all processes. Wrong guesses count against the account by its id, however it was
// spelled, but apart for every place that it logged in from of late: what strangers guess makes nobody wait there. After a hundred
// guesses in a row strangers are not heard any more, until the person shows by a mail who they are.
import { addressBlock, clientKey } from '../../../kernel/access/limit.ts'
import { type BrakeOptions, waitSeconds } from '../../../kernel/access/throttle.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type Account, clearFailures, countFailures, type Failure, findStanding } from './store.ts'

const hour = 3_600_000
/** Failures are forgotten after this long without another. */
const forgetMs = hour
const usual = { firstDelayMs: 1_000, forgetMs }

/** How each kind of count slows attempts down. */
export const brakes = {
  place: { ...usual, freeFailures: 10, maxDelayMs: 60_000 },
  strangers: { ...usual, freeFailures: 5, maxDelayMs: hour / 4 },
  address: { ...usual, freeFailures: 20, maxDelayMs: hour / 4 },
  /** Of strangers only: who spreads guesses over the addresses of a network is none to the accounts at home there. */
  network: { ...usual, freeFailures: 100, maxDelayMs: hour / 4 },
} satisfies Record<string, BrakeOptions>

/** Guesses of strangers at one account, without a success of one between them, that are heard (NIST SP 800-63B-4 §3.2.2). */
export const maxInARow = 100
/** They are forgotten when there was none for so long: a hundred a month are the most there can be. */
const inARowForgetMs = 30 * 24 * hour

/** A place is known this long after the last login from there. */
export const placeKnownMs = 30 * 24 * hour

/** What an attempt came with, beside the password. */
export type Attempt = {
  /** The account, or the name that was typed, as names of accounts are compared. */
  account: Pick<Account, 'account_id'> | undefined
  folded: string
  ip: string
  /** The device of the browser, when it proved one. */
  device: string | null
  nowMs: number
}

export type Brake = {
  /** Whole seconds until the attempt may be made; 0 when it may be made now. */
  waitSeconds: number
  /** Strangers guessed so often that no password of theirs is looked at, right or wrong. */
  isClosed: boolean
  /** Counts that it failed. For names without an account too, or the difference would reveal which exist. */
  failed(): Promise<void>
  /**
   * Clears the count of the account. Not that of the address: else a guesser could wipe it by logging in to an account of
   * his own now and then.
   */
  succeeded(): Promise<void>
}

/** Where an attempt stands. The same question to the database for an account that exists and for one that does not. */
export async function brakeOf({ db, keyring }: Pick<Services, 'db' | 'keyring'>, attempt: Attempt): Promise<Brake> {
  const { account, folded, ip, device, nowMs } = attempt
  const of = account === undefined ? `name ${folded}` : `account ${account.account_id}`
  const named = (text: string) => failuresName(keyring, text)
  const places = placesOf(keyring, ip, device)
  const names = {
    ...strangersNames(keyring, of),
    address: named(`address ${clientKey(ip)}`),
    network: named(`network ${addressBlock(ip)}`),
    places: places.map(place => named(`${of} at ${place}`)),
  }
  const all = [names.strangers, names.inARow, names.address, names.network, ...names.places]
  const { known, failures } = await findStanding(db, { account, places, sinceMs: nowMs - placeKnownMs, names: all })
  const wait = (name: string, options: BrakeOptions) => {
    const seen = failures.get(name)
    return seen === undefined ? 0 : waitSeconds(seen, options, nowMs)
  }
  const at = places.findIndex(place => known.has(place))
  const isStranger = at === -1
  const ofAccount = isStranger ? names.strangers : (names.places[at] as string)
  const waits = [wait(ofAccount, isStranger ? brakes.strangers : brakes.place)]
  // Nobody else has the device, so what others do at its address is not held against it.
  const isDevice = places[at]?.startsWith(devicePlace) === true
  if (!isDevice) waits.push(wait(names.address, brakes.address))
  if (isStranger) waits.push(wait(names.network, brakes.network))
  const inARow = failures.get(names.inARow)
  const counted: Failure[] = [
    ofAccount,
    ...(isDevice ? [] : [names.address]),
    ...(isStranger ? [names.network] : []),
  ].map(name => ({ name, forgetMs }))
  if (isStranger) counted.push({ name: names.inARow, forgetMs: inARowForgetMs })
  const cleared = [ofAccount, ...(isStranger ? [names.inARow] : [])].filter(name => failures.has(name))
  return {
    waitSeconds: Math.max(...waits),
    isClosed: isStranger && inARow !== undefined && inARow.count >= maxInARow && nowMs - inARow.lastMs < inARowForgetMs,
    failed: () => countFailures(db, counted, nowMs),
    succeeded: () => (cleared.length > 0 ? clearFailures(db, cleared) : Promise.resolve()),
  }
}

/** What strangers guessed at an account, each in the last hour and in a row. */
function strangersNames(keyring: Keyring, of: string): { strangers: string; inARow: string } {
  return {
    strangers: failuresName(keyring, `${of} strangers`),
    inARow: failuresName(keyring, `${of} strangers in a row`),
  }
}

/** What strangers guessed was another password: they begin again. */
export function forgetStrangers({ db, keyring }: Pick<Services, 'db' | 'keyring'>, accountId: number): Promise<void> {
  const { strangers, inARow } = strangersNames(keyring, `account ${accountId}`)
  return clearFailures(db, [strangers, inARow])
}

function failuresName(keyring: Keyring, text: string): string {
  return nameOf(keyring, `login failures ${text}`)
}

/** Where second factors of an account stand: anyone who tries has its password, so the place makes no difference. */
export function factorBrake(services: Pick<Services, 'db' | 'keyring'>, accountId: number, nowMs: number) {
  return failureBrake(services, `second factors of ${accountId}`, nowMs)
}

/** Where attempts stand that are counted under one name: five failures are free, then each wait is twice the one before. */
export async function failureBrake(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  what: string,
  nowMs: number,
): Promise<Brake> {
  const name = nameOf(keyring, what)
  const { failures } = await findStanding(db, { account: undefined, places: [], sinceMs: nowMs, names: [name] })
  const seen = failures.get(name)
  return {
    waitSeconds: seen === undefined ? 0 : waitSeconds(seen, brakes.strangers, nowMs),
    isClosed: false,
    failed: () => countFailures(db, [{ name, forgetMs }], nowMs),
    succeeded: () => (failures.has(name) ? clearFailures(db, [name]) : Promise.resolve()),
  }
}

/** Guesses have to wait. */
export function throttled(seconds: number): Problem {
  return new Problem('login_throttled', {
    message: `Too many failed logins. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    headers: { 'retry-after': String(seconds) },
  })
}

const devicePlace = 'device '

/** The places an attempt is made from, the surest first. */
export function placesOf(keyring: Keyring, ip: string, device: string | null): string[] {
  const block = `block ${addressBlock(ip)}`
  return device === null ? [block] : [`${devicePlace}${nameOf(keyring, `device ${device}`)}`, block]
}

/** The id of a device that has none yet. */
export function newDevice(): string {
  return randomToken(16)
}

/** The cookie of a device: its id with a MAC under the pepper in use, so that an invented one is recognized without a query. */
export function deviceCookieOf(keyring: Keyring, id: string): string {
  return `${id}.${keyring.mac(`device cookie ${id}`).toString('base64url')}`
}

/** The id of the device whose cookie this is, or null. */
export function readDevice(keyring: Keyring, cookie: string | undefined): string | null {
  const [, id = '', mac = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  return keyring.isMac(`device cookie ${id}`, mac) ? id : null
}

/** What counts and places are kept under. It proves nothing, so it stays when the pepper is rotated, and they with it. */
function nameOf(keyring: Keyring, text: string): string {
  return keyring.lastingMac(text).toString('base64url')
}
