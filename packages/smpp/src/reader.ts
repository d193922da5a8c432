// From a stream of octets to PDUs: finds where each begins and ends, whatever the pieces it arrives in. PDUs that lie
// whole in a piece are read in place; only one that is split over pieces is copied.
import { commandName, statuses } from './commands.ts'
import type { PduFault } from './decode.ts'
import { decodePdu } from './decode.ts'
import type { Pdu } from './pdu.ts'

export const headerLength = 16

/** Room for the largest message_payload (65,535 octets) with its command. */
export const defaultMaxLength = 70_000

export type PduReader = {
  /** What became complete with this piece, in order. After a fatal fault nothing more is read. */
  push(chunk: Buffer): (Pdu | PduFault)[]
  /** Octets held of a PDU that is not complete yet. */
  readonly held: number
}

/**
 * Reads PDUs from pieces of any size. A command_length below 16 or above `maxLength` is a fatal fault (answer generic_nack
 * with its status, then close): what follows cannot be distinguished. Holds at most `maxLength` octets.
 */
export function createPduReader({ maxLength = defaultMaxLength }: { maxLength?: number } = {}): PduReader {
  // The beginning of a PDU that later pieces complete: `have` octets of `part`, whose size is what is needed next.
  let part: Buffer | undefined
  let have = 0
  let isBroken = false

  const isBadLength = (length: number) => length < headerLength || length > maxLength

  function stopAt(bytes: Buffer, start: number, length: number, items: (Pdu | PduFault)[]): void {
    isBroken = true
    part = undefined
    have = 0
    items.push(lengthFault(bytes, start, length, maxLength))
  }

  /** Completes the PDU in `part` from `chunk` and returns how much of the chunk that took. */
  function completePart(chunk: Buffer, items: (Pdu | PduFault)[]): number {
    let taken = 0
    while (part !== undefined && taken < chunk.length) {
      const count = Math.min(part.length - have, chunk.length - taken)
      chunk.copy(part, have, taken, taken + count)
      have += count
      taken += count
      if (have < part.length) break
      const length = part.readUInt32BE(0)
      if (isBadLength(length)) stopAt(part, 0, length, items)
      else if (length > part.length) part = grown(part, have, length)
      else {
        items.push(decodePdu(part, 0, length))
        part = undefined
        have = 0
      }
    }
    return taken
  }

  function push(chunk: Buffer): (Pdu | PduFault)[] {
    const items: (Pdu | PduFault)[] = []
    if (isBroken) return items
    let at = part === undefined ? 0 : completePart(chunk, items)
    const end = chunk.length
    while (end - at >= headerLength && !isBroken) {
      const length = chunk.readUInt32BE(at)
      if (isBadLength(length)) stopAt(chunk, at, length, items)
      else if (length > end - at) break
      else {
        items.push(decodePdu(chunk, at, at + length))
        at += length
      }
    }
    if (at < end && !isBroken) keepRest(chunk, at, items)
    return items
  }

  /** Keeps what is left of a chunk. A bad length is reported as soon as its four octets are there. */
  function keepRest(chunk: Buffer, start: number, items: (Pdu | PduFault)[]) {
    have = chunk.length - start
    const length = have >= 4 ? chunk.readUInt32BE(start) : 0
    if (have >= 4 && isBadLength(length)) return stopAt(chunk.subarray(start), 0, length, items)
    part = Buffer.allocUnsafeSlow(have < 4 ? 4 : length)
    chunk.copy(part, 0, start)
  }

  return {
    push,
    get held() {
      return have
    },
  }
}

function grown(part: Buffer, have: number, length: number): Buffer {
  const bigger = Buffer.allocUnsafeSlow(length)
  part.copy(bigger, 0, 0, have)
  return bigger
}

function lengthFault(bytes: Buffer, start: number, length: number, maxLength: number): PduFault {
  const isWhole = bytes.length - start >= headerLength
  const commandId = isWhole ? bytes.readUInt32BE(start + 4) : 0
  return {
    fault: 'length',
    commandId,
    command: isWhole ? commandName(commandId) : undefined,
    commandStatus: isWhole ? bytes.readUInt32BE(start + 8) : 0,
    // With a length below 16 the other header fields are not to be believed.
    sequence: isWhole && length >= headerLength ? bytes.readUInt32BE(start + 12) : 0,
    status: statuses.ESME_RINVCMDLEN,
    answer: 'generic_nack',
    fatal: true,
    detail: `command_length is ${length}, must be ${headerLength} to ${maxLength}`,
  }
}
