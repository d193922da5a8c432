// The session description in the body of a message (RFC 3261 §13.2.1), which may be one of several parts (RFC 5621).
import { readOne } from '../headers.ts'
import type { SipRequest, SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import { partOf } from '../multipart.ts'
import { param } from '../scan.ts'

export const sdpType = 'application/sdp'

/** Undefined where there is none. */
export function bodyOf(message: SipRequest | SipResponse): string | undefined {
  if (message.body.length === 0) return undefined
  const media = readOne(message, 'Content-Type')
  if (media === undefined || isFault(media)) return undefined
  if (media.type === 'multipart') return partOf(message.body, param(media, 'boundary') ?? '', sdpType)
  return `${media.type}/${media.subtype}` === sdpType ? message.body.toString('utf8') : undefined
}
