// The handlers of a call, as the agent calls them: what one of them throws is reported and goes no further, and of a call that is
// over no event is emitted.
import type { Referral } from '../dialog/refer.ts'
import type { CallHandlers } from './types.ts'

/** `onEnded` is called once, by the side that ends the call; the others only while it lasts. */
export function guardHandlers(
  handlers: CallHandlers,
  isOver: () => boolean,
  onError: (error: unknown) => void,
): CallHandlers {
  function guarded<Args extends unknown[]>(handler: ((...args: Args) => void) | undefined) {
    if (handler === undefined) return undefined
    return (...args: Args) => {
      if (!isOver()) attempt(() => handler.apply(handlers, args), onError)
    }
  }

  /** What cannot be checked is refused. */
  function screened(screen: NonNullable<CallHandlers['screenRefer']>, referral: Referral): number | undefined {
    let status: number | undefined = 500
    attempt(() => {
      status = screen.call(handlers, referral)
    }, onError)
    return status
  }

  const { onProgress, onAnswered, onInfo, onRefer, screenRefer } = handlers
  return {
    onMedia: guarded(handlers.onMedia) ?? (() => {}),
    onEnded: end => attempt(() => handlers.onEnded(end), onError),
    ...(onProgress && { onProgress: guarded(onProgress)! }),
    ...(onAnswered && { onAnswered: guarded(onAnswered)! }),
    ...(onInfo && { onInfo: guarded(onInfo)! }),
    ...(onRefer && { onRefer: guarded(onRefer)! }),
    ...(screenRefer && { screenRefer: referral => screened(screenRefer, referral) }),
  }
}

function attempt(action: () => void, onError: (error: unknown) => void): void {
  try {
    action()
  } catch (error) {
    onError(error)
  }
}
