// Which way a message takes: its sender, whose service it is sent by, the carrier and the price, or the problem that is in the
// way. Every message of ours goes through here, whether a request asked for it, instructions of a call, or a keyword. Pure.
import type { ProblemCode } from '../../../kernel/values/problem.ts'
import { destinationRefusal, type Policy, policiesFor, refusedBy } from '../../destinations/index.ts'
import type { Directory, DirectoryService } from '../directory.ts'
import { liveWay, type Way } from '../routing.ts'
import { refusalProblem } from './refusals.ts'
import { refusalOf } from './rules.ts'

/** For whom a message is sent. */
export type RouteScope = {
  mode: 'live' | 'test'
  defaultCountry: string | null
  /** The API key that asks, whose destination policy counts. */
  keyId: string | null
}

/** Both ends of a message in their canonical form, and the service it was asked to be sent by. */
export type RouteRequest = { from: string; to: string; serviceId?: string | undefined }

export type MessageRoute = Way & {
  from: string
  to: string
  /** The service that the sender belongs to. */
  service: DirectoryService | undefined
  segmentsPerSecond: number | null
  /** The destination policies that hold. */
  policies: readonly Policy[]
}

/** In the test mode a segment has a cost, so that prices can be tried. */
const testWay: Way = { carrier: 'simulator', costMicros: 10_000, currency: 'USD' }

/**
 * The way of a message.
 * @throws Problem that says who may not send, or where nobody carries it
 */
export function routeMessage(
  directory: Directory,
  { from, to, serviceId }: RouteRequest,
  { mode, defaultCountry, keyId }: RouteScope,
): MessageRoute {
  const number = directory.numbers.get(from)
  if (serviceId !== undefined && number?.serviceId !== serviceId)
    throw refusalProblem('sender_not_owned', {
      message: 'The sender does not belong to the messaging service. Add it there, or leave from out.',
    })
  if (mode === 'live' && directory.hadCarrier && number === undefined)
    throw refusalProblem('sender_not_owned', {
      message:
        'The sender is not a number or sender id of the organization. Use one of GET /v2/numbers as from, or add it with POST /v2/numbers.',
    })
  if (number?.contested)
    throw refusalProblem('sender_not_owned', {
      message:
        'Another organization on this server has this number too. Prove that it is yours with POST /v2/numbers/{numberId}/verification.',
    })
  if (number?.sms === false) throw refusalProblem('sender_not_capable')
  const policies = policiesFor(directory.policies, { mode, keyId })
  const against = destinationRefusal(policies, to, defaultCountry)
  if (against !== undefined) throw refusedBy(against)
  const way = mode === 'test' ? testWay : liveWay(directory, to, { only: number?.carrierId ?? null })
  if (way === undefined) throw refusalProblem('no_route')
  const service = number?.serviceId == null ? undefined : directory.services.get(number.serviceId)
  return { from, to, service, segmentsPerSecond: number?.segmentsPerSecond ?? null, policies, ...way }
}

/**
 * Refuses what the numbers of the test mode with fixed outcomes are there to be refused for.
 * @param except refusals that do not count
 * @throws Problem
 */
export function refuseFixedOutcome(
  { from, to }: Pick<RouteRequest, 'from' | 'to'>,
  { mode }: Pick<RouteScope, 'mode'>,
  except: (code: ProblemCode) => boolean = () => false,
): void {
  const code = refusalOf(mode, from, to)
  if (code !== undefined && !except(code)) throw refusalProblem(code)
}
