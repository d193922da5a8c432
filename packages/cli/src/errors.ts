// What goes wrong, with the remedy, and the code the program ends with.
import { isTandemError, type TandemError } from '@tandem/sdk'

export const exitCodes = { ok: 0, failed: 1, usage: 2, refused: 3, unreachable: 4 } as const

/** Its state lives as long as it is thrown. */
export class CliError extends Error {
  /** What the program ends with. */
  readonly code: number

  constructor(message: string, code: number = exitCodes.failed) {
    super(message)
    this.code = code
  }
}

/** Options by the field of a request that they fill. */
const optionOf: Record<string, string> = {
  forwardTo: '--forward-to',
  eventTypes: '--events',
  webhookId: '--webhook',
}

/** What to say, and which code to end with. */
export function explain(error: unknown): { message: string; code: number } {
  if (error instanceof CliError) return { message: error.message, code: error.code }
  if (isTandemError(error)) return explainRefusal(error)
  // An address that is none, say.
  if (error instanceof TypeError) return { message: error.message, code: exitCodes.usage }
  return { message: (error as Error)?.message ?? String(error), code: exitCodes.failed }
}

function explainRefusal({ code, status, message, details, requestId }: TandemError): { message: string; code: number } {
  if (code === 'network_error' || code === 'timeout')
    return {
      message: `Tandem does not answer (${message}) Start it, or name its address with --server or TANDEM_URL.`,
      code: exitCodes.unreachable,
    }
  if (code === 'unexpected_reply')
    return { message: `That is no Tandem: ${message} Check --server or TANDEM_URL.`, code: exitCodes.unreachable }
  if (status === 401)
    return {
      message: `The key was refused: ${message} Create one on the page API keys of the portal, and give it with --key or TANDEM_KEY.`,
      code: exitCodes.refused,
    }
  if (status === 403)
    return {
      message: `The key may not do this: ${message} Use one with the scope that is named, from the page API keys of the portal.`,
      code: exitCodes.refused,
    }
  if (status === 400) {
    const faults = details.map(
      ({ field, message }) => `${optionOf[field.split('[')[0] as string] ?? field}: ${message}`,
    )
    return { message: faults.length === 0 ? message : faults.join('\n'), code: exitCodes.usage }
  }
  const found = status >= 500 && requestId !== undefined ? ` The request is ${requestId}.` : ''
  return { message: `${message}${found}`, code: exitCodes.failed }
}
