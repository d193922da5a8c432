// Names in the folder of archived WAL. All that has to be known to choose what a restore needs stands in them, so that a listing opens
// nothing and needs no key:
//
//   <folder>/<system identifier>/wal/<timeline and log>/<name of PostgreSQL>-<time>-<sum>.zst[.age]
//   <folder>/<system identifier>/base/base-<begin>-<end>-<first segment>-<last segment>.tar.zst[.age]
//
// `time` is that of the last write to a segment: what was committed before is in it, or in one before it.

/** What PostgreSQL archives: whole segments, the last one of a timeline that was left, histories of timelines, marks of base backups. */
const walPattern = /^[0-9A-F]{8}(?:\.history|[0-9A-F]{16}(?:\.partial|\.[0-9A-F]{8}\.backup)?)$/
const filePattern = /^([0-9A-F]{8}[0-9A-Fa-z.]*)-(\d{8}T\d{9}Z)-([0-9a-f]{16})\.zst(\.age)?$/
const basePattern = /^base-(\d{8}T\d{9}Z)-(\d{8}T\d{9}Z)-([0-9A-F]{24})-([0-9A-F]{24})\.tar\.zst(\.age)?$/

/** Segments of 16 MiB, as initdb makes them: 256 of them have a log number in common. */
export const segmentBytes = 16 * 1024 * 1024
const segmentsInLog = 256

export type WalFile = {
  file: string
  /** As PostgreSQL says it. */
  wal: string
  atMs: number
  sum: string
  isSealed: boolean
}

export type BaseFile = {
  file: string
  beginMs: number
  /** From here on a restore of it is possible. */
  endMs: number
  /** The segment that recovery begins with. */
  first: string
  /** The segment without which it is not consistent. */
  last: string
  isSealed: boolean
}

export const isWalName = (name: string) => walPattern.test(name)
export const isSegment = (name: string) => /^[0-9A-F]{24}$/.test(name)

/** The folder of a WAL file below `wal`. */
export const walFolder = (wal: string) => (wal.endsWith('.history') ? 'history' : wal.slice(0, 16))

export function walFileName({ wal, atMs, sum, isSealed }: Omit<WalFile, 'file'>): string {
  return `${wal}-${stampOf(atMs)}-${sum}.zst${isSealed ? '.age' : ''}`
}

export function readWalFileName(file: string): WalFile | undefined {
  const [, wal, stamp, sum, seal] = filePattern.exec(file) ?? []
  if (wal === undefined || !isWalName(wal)) return undefined
  return { file, wal, atMs: timeOf(stamp!), sum: sum!, isSealed: seal !== undefined }
}

export function baseFileName({ beginMs, endMs, first, last, isSealed }: Omit<BaseFile, 'file'>): string {
  return `base-${stampOf(beginMs)}-${stampOf(endMs)}-${first}-${last}.tar.zst${isSealed ? '.age' : ''}`
}

export function readBaseFileName(file: string): BaseFile | undefined {
  const [, begin, end, first, last, seal] = basePattern.exec(file) ?? []
  if (begin === undefined) return undefined
  return {
    file,
    beginMs: timeOf(begin),
    endMs: timeOf(end!),
    first: first!,
    last: last!,
    isSealed: seal !== undefined,
  }
}

export const timelineOf = (segment: string) => Number.parseInt(segment.slice(0, 8), 16)

/** How many segments are before it, on any timeline. */
export function numberOf(segment: string): number {
  return Number.parseInt(segment.slice(8, 16), 16) * segmentsInLog + Number.parseInt(segment.slice(16, 24), 16)
}

/** The segment after it on its timeline. */
export function nextSegment(segment: string): string {
  const next = numberOf(segment) + 1
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return `${segment.slice(0, 8)}${hex(Math.floor(next / segmentsInLog))}${hex(next % segmentsInLog)}`
}

/** `20261128T024500123Z` */
const stampOf = (atMs: number) => new Date(Math.floor(atMs)).toISOString().replaceAll(/[-:.]/g, '')

function timeOf(stamp: string): number {
  const [, year, month, day, hour, minute, second, ms] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})/.exec(stamp)!
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
}
