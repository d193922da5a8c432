// What a link has to send: PDUs are written one behind the other into large blocks, and everything that one turn of the
// event loop brings leaves in one write to the socket.
import type { Duplex } from 'node:stream'
import type { AnyFields, Head } from './encode.ts'
import { encodeInto, sizeBound } from './encode.ts'

const blockSize = 65_536

export type Outbox = {
  /** Adds a PDU and returns its octets' count. Throws RangeError, and adds nothing, when it cannot be encoded. */
  add(head: Head, fields: AnyFields): number
  /** Hands what there is to the socket now. */
  flush(): void
  /** Forgets what was not handed over. */
  drop(): void
  /** PDUs that were handed to the socket so far; those added later were not. */
  readonly flushed: number
  readonly added: number
  /** The socket holds more than it likes to: wait for its `drain`. */
  isBlocked: boolean
}

/** `onFlush` hears the octets of each write, before it is known whether the socket takes more. */
export function createOutbox(socket: Duplex, onFlush: (octets: number) => void): Outbox {
  let block = Buffer.allocUnsafeSlow(blockSize)
  let from = 0
  let to = 0
  let full: Buffer[] = []
  let scheduled: NodeJS.Immediate | undefined

  /** Blocks are never written again: the socket may hold on to what it was given. */
  function makeRoom(size: number): void {
    if (to > from) full.push(block.subarray(from, to))
    block = Buffer.allocUnsafeSlow(Math.max(blockSize, size))
    from = 0
    to = 0
  }

  const outbox: Outbox & { flushed: number; added: number } = {
    flushed: 0,
    added: 0,
    isBlocked: false,
    add(head, fields) {
      const bound = sizeBound(fields)
      if (to + bound > block.length) makeRoom(bound)
      const end = encodeInto(block, to, head, fields)
      const size = end - to
      to = end
      outbox.added += 1
      scheduled ??= setImmediate(outbox.flush)
      return size
    },
    flush() {
      clearImmediate(scheduled)
      scheduled = undefined
      // On a connection that was cut it stays what was never written.
      if (socket.destroyed || (to === from && full.length === 0)) return
      const last = block.subarray(from, to)
      from = to
      outbox.flushed = outbox.added
      let octets = last.length
      let isRoom = true
      if (full.length > 0) {
        socket.cork()
        for (const part of full) {
          octets += part.length
          socket.write(part)
        }
        full = []
        isRoom = socket.write(last)
        socket.uncork()
      } else isRoom = socket.write(last)
      outbox.isBlocked = !isRoom
      onFlush(octets)
    },
    drop() {
      clearImmediate(scheduled)
      scheduled = undefined
      full = []
      from = to
    },
  }
  return outbox
}
