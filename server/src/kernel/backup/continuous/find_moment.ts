// Finds what a restore to a moment begins with, and says in words why there is none.
import { basename, dirname, join } from 'node:path'
import { isoMs } from '../../values/clock.ts'
import { startFault } from '../../values/start_fault.ts'
import { readShelf, requireRoot, shelvesIn } from './shelf.ts'
import { type Chain, chainsOf, chainTo, type Shelf, type Window, windowsOf } from './windows.ts'

export type Found = {
  /** Path of the folder of the database in the archive. */
  shelf: string
  root: string
  chain: Chain
}

/** The databases in an archive. @param from the root, or the folder of one database in it */
export async function shelvesAt(from: string): Promise<{ root: string; shelves: string[] }> {
  await requireRoot(from)
  const isShelf = /^\d{10,20}$/.test(basename(from))
  const root = isShelf ? dirname(from) : from
  return { root, shelves: isShelf ? [from] : (await shelvesIn(from)).map(name => join(from, name)) }
}

/** @throws StartFault that says which moments are possible */
export async function findMoment(from: string, atMs: number): Promise<Found> {
  const { root, shelves } = await shelvesAt(from)
  if (shelves.length === 0)
    throw startFault(`${from} holds no archived WAL: name the folder of TANDEM_WAL_TO with --from, or its copy`)
  const read = await Promise.all(shelves.map(async shelf => ({ shelf, content: await readShelf(shelf) })))
  const found = read.flatMap(({ shelf, content }) => {
    const chain = chainTo(content, atMs)
    return chain === undefined ? [] : [{ shelf, root, chain }]
  })
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw startFault([
      `${from} holds several databases that can be restored to that moment: name one with --from`,
      ...found.map(({ shelf, chain }) => `  --from ${shelf}    ${windowText(chain)}`),
    ])
  throw startFault(read.map(({ shelf, content }) => whyNot(shelf, content, atMs)))
}

/** Why a moment is out of reach, and what is possible instead. */
export function whyNot(shelf: string, content: Shelf, atMs: number): string {
  const at = isoMs(atMs)
  const [windows, chains] = [windowsOf(content), chainsOf(content)]
  const last = windows.at(-1)
  if (last === undefined) {
    const { length } = content.bases
    const why =
      length === 0 ? 'it has no base backup' : 'the WAL behind its base backup is not archived as far as its end'
    return `nothing can be restored from ${shelf}: ${why}. Take a backup instead: tandem restore <backup>`
  }
  const possible = `possible is ${windows.map(windowText).join(', or ')}`
  if (atMs < windows[0]!.fromMs)
    return `${at} is before the first base backup in ${shelf}: ${possible}. For earlier moments take a backup: tandem restore <backup>`
  const broken = chains.findLast(({ fromMs }) => fromMs <= atMs)
  if (atMs > last.toMs && broken?.isBroken !== true)
    return (
      `${at} is after what is archived in ${shelf}: ${possible}. Take a moment until ${isoMs(last.toMs)}; ` +
      'where the server still runs, stop it first: what it wrote last is archived then'
    )
  return (
    `${at} is out of reach: the segment ${broken?.missing} is missing in ${shelf}; ${possible}. ` +
    'Take one of these moments, or bring that file back from a copy of the folder'
  )
}

export const windowText = ({ fromMs, toMs }: Window) => `from ${isoMs(fromMs)} to ${isoMs(toMs)}`
