// Which moments a folder of archived WAL can lead back to, what a restore needs for one, and what is no longer needed. Pure.
import { type BaseFile, isSegment, nextSegment, numberOf, timelineOf, type WalFile } from './names.ts'

/** What there is of one database. */
export type Shelf = { bases: readonly BaseFile[]; wal: readonly WalFile[] }

/** A restore is possible to every moment from `fromMs` to `toMs`. */
export type Window = { fromMs: number; toMs: number }

/** A base backup with the segments behind it, as far as none is missing. */
export type Chain = Window & {
  base: BaseFile
  /** The first segment that is not there. */
  missing: string
  /** Later ones of its timeline are there: this one is lost, not yet to come. */
  isBroken: boolean
}

/** The chains that lead to a consistent database, the oldest first. */
export function chainsOf({ bases, wal }: Shelf): Chain[] {
  const segments = wal.filter(one => isSegment(one.wal))
  const times = new Map(segments.map(({ wal: name, atMs }) => [name, atMs]))
  const newest = new Map<number, number>()
  for (const { wal: name } of segments)
    newest.set(timelineOf(name), Math.max(newest.get(timelineOf(name)) ?? 0, numberOf(name)))
  const chains: Chain[] = []
  for (const base of [...bases].sort((a, b) => a.endMs - b.endMs)) {
    let toMs = 0
    let missing = base.first
    for (; times.has(missing); missing = nextSegment(missing)) toMs = Math.max(toMs, times.get(missing)!)
    if (numberOf(missing) <= numberOf(base.last) || toMs < base.endMs) continue
    const isBroken = (newest.get(timelineOf(base.first)) ?? 0) > numberOf(missing)
    chains.push({ base, fromMs: base.endMs, toMs, missing, isBroken })
  }
  return chains
}

/** What of all time can be come back to, the oldest first. */
export function windowsOf(shelf: Shelf): Window[] {
  const windows: Window[] = []
  for (const { fromMs, toMs } of chainsOf(shelf)) {
    const last = windows.at(-1)
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else windows.push({ fromMs, toMs })
  }
  return windows
}

/** The chain that leads to a moment: that of the newest base backup before it. Undefined where it does not reach that far. */
export function chainTo(shelf: Shelf, atMs: number): Chain | undefined {
  const chain = chainsOf(shelf).findLast(({ fromMs }) => fromMs <= atMs)
  return chain !== undefined && atMs <= chain.toMs ? chain : undefined
}

const dayMs = 86_400_000
/** Segments come in order; one that is missing behind later ones for so long will not come. */
const lateMs = 3_600_000

/**
 * Whether it is time for a base backup: a day after the last one, after a segment was lost, at the begin of each timeline, and when the root
 * key that goes along was made since the last one began.
 */
export function isBaseDue(shelf: Shelf, timeline: number, nowMs: number, keyMadeMs?: number): boolean {
  const newest = shelf.bases
    .filter(({ first }) => timelineOf(first) === timeline)
    .reduce<BaseFile | undefined>((max, one) => (max === undefined || one.endMs > max.endMs ? one : max), undefined)
  if (newest === undefined || nowMs - newest.endMs >= dayMs || nowMs < newest.endMs - lateMs) return true
  if (keyMadeMs !== undefined && keyMadeMs > newest.beginMs && keyMadeMs <= nowMs) return true
  const chain = chainsOf(shelf).find(({ base }) => base.file === newest.file)
  return chain?.isBroken === true && nowMs - chain.toMs > lateMs
}

/** What no restore to a moment of the last `keepMs` needs. */
export function needless(shelf: Shelf, nowMs: number, keepMs: number): Shelf {
  const anchor = chainsOf(shelf).findLast(({ fromMs }) => fromMs <= nowMs - keepMs)
  if (anchor === undefined) return { bases: [], wal: [] }
  const isOld = ({ endMs }: BaseFile) => endMs < anchor.fromMs
  const kept = shelf.bases.filter(base => !isOld(base))
  const first = Math.min(...kept.map(base => numberOf(base.first)))
  return {
    bases: shelf.bases.filter(isOld),
    // Histories of timelines are small, and name where each began.
    wal: shelf.wal.filter(({ wal }) => !wal.endsWith('.history') && numberOf(wal) < first),
  }
}
