// A database that falls silent without closing its connections, because its machine lost power or the network parts: TCP gives up after a
// quarter of an hour, and the limits of statements are kept by the server that is gone. A connection on which statements wait and nothing
// arrives is ended here, so that they fail and the next ones go to whatever answers at the address by then.
import type pg from 'pg'

/** Well above what a statement may take: a server that is there has answered by then, if only with an error. */
const silentMs = 15_000
/** What has arrived meanwhile, and was not read because this process stood still, is read first. */
const readMs = 1_000

/** As `pg` holds them. */
type Inside = {
  connection: { stream: import('node:net').Socket }
  _activeQuery: unknown
  _sentQueryQueue: readonly unknown[]
}

/** For connections whose statements have a time limit. They are to be open already. */
export function endWhenSilent(client: pg.ClientBase, afterMs = silentMs): void {
  const inside = client as unknown as Inside
  const { stream } = inside.connection
  const isWaiting = () => inside._activeQuery != null || inside._sentQueryQueue.length > 0
  // Without anything under way nobody is to answer; the next statement starts the timer again.
  stream.setTimeout(afterMs, () => {
    if (!isWaiting()) return
    const seen = stream.bytesRead
    const end = () => {
      if (stream.bytesRead === seen && isWaiting())
        stream.destroy(new Error(`the database has said nothing for ${afterMs / 1_000} seconds`))
    }
    setTimeout(end, readMs).unref()
  })
}
