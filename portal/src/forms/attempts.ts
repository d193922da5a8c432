// The attempts to send what was typed, by their idempotency keys. Whether a request whose answer was lost was carried out is not known: as
// long as its content is the same it is sent again with the same key, and so as it was, and does its work once. Other content has another key.
import { newIdempotencyKey } from '@tandem/sdk'

export type Attempt<Request> = { key: string; request: Request }
/** By content. */
type Attempts = Readonly<Record<string, Attempt<unknown>>>

/** @param store where the attempts of one draft are kept */
export function createAttempts(store: { read(): unknown; keep(value: unknown): void; drop(): void }) {
  const known = () => (store.read() ?? {}) as Attempts
  return {
    /**
     * The attempt to send something: the one that was made before, or a new one.
     * @param content what makes it the same for who sends it, where that is not the whole request
     */
    of<Request>(request: Request, content: unknown = request): Attempt<Request> {
      const name = JSON.stringify(content)
      const before = known()[name] as Attempt<Request> | undefined
      if (before !== undefined) return before
      const made = { key: newIdempotencyKey(), request }
      store.keep({ ...known(), [name]: made })
      return made
    },
    /** It succeeded, or was refused and is to be made out of what is known now. */
    forget: () => store.drop(),
  }
}
